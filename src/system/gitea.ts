/**
 * Whether this job runs for Gitea or Forgejo, as their runners tell it. On the host they give every job folders of its own for the workspace and
 * for RUNNER_TEMP, remove both with it, and kill what runs when somebody cancels it.
 */
export function isGiteaJob(env: Readonly<Record<string, string | undefined>>): boolean {
  return env.GITEA_ACTIONS === 'true' || env.FORGEJO_ACTIONS === 'true';
}

/** Whether this is a job of a forge, where nobody sits who knows every variable. */
export function isJob(env: Readonly<Record<string, string | undefined>>): boolean {
  return env.GITHUB_ACTIONS === 'true' || !/^(?:|0|false|no)$/i.test(env.CI ?? '');
}
