import { passwordOf, type RunningGitea } from './real.ts';

/** Signs in as a person does in a browser, and gives the cookies. */
export async function signIn(gitea: RunningGitea, user: string): Promise<string> {
  const jar = new Map<string, string>();
  const keep = (answer: Response): void => {
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
  };
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  keep(await fetch(`${gitea.url}/user/login`));
  const answer = await fetch(`${gitea.url}/user/login`, {
    method: 'POST',
    headers: { cookie: cookies() },
    body: new URLSearchParams({ user_name: user, password: passwordOf(user) }),
    redirect: 'manual',
  });
  if (answer.status !== 303) throw new Error(`${user} can't sign in: ${answer.status}`);
  keep(answer);
  return cookies();
}

/** Lets the run of a stranger's pull request begin, as a maintainer does with the button on its page. */
export async function approve(gitea: RunningGitea, cookie: string, repository: string, run: number): Promise<void> {
  const answer = await fetch(`${gitea.url}/${repository}/actions/runs/${run}/approve`, {
    method: 'POST',
    headers: { cookie },
  });
  if (!answer.ok) throw new Error(`run ${run} can't be approved: ${answer.status} ${await answer.text()}`);
}
