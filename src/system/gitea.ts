/**
 * Whether this job runs for Gitea or Forgejo, by what their runners set. On the host, these runners give each job folders of its own as workspace and
 * RUNNER_TEMP, remove both after it, and kill all its processes when it is cancelled.
 */
export function isGiteaJob(env: Readonly<Record<string, string | undefined>>): boolean {
  return env.GITEA_ACTIONS === 'true' || env.FORGEJO_ACTIONS === 'true';
}

/** Whether this is a job of a forge, where no user is present who knows every variable. */
export function isJob(env: Readonly<Record<string, string | undefined>>): boolean {
  return env.GITHUB_ACTIONS === 'true' || !/^(?:|0|false|no)$/i.test(env.CI ?? '');
}
