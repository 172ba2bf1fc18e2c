import type { RunningGitea } from './real.ts';
import { passwordOf } from './real.ts';

/** Signs in as a person does in a browser, and gives the cookies. */
export async function signIn(gitea: RunningGitea, user: string): Promise<string> {
  const page = await fetch(`${gitea.url}/user/login`);
  const token = /name="_csrf" value="([^"]*)"/.exec(await page.text())?.[1];
  const form = { user_name: user, password: passwordOf(user), ...(token && { _csrf: token }) };
  const cookies = cookiesOf(page);
  const answer = await fetch(`${gitea.url}/user/login`, {
    method: 'POST',
    headers: { cookie: cookies },
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  if (answer.status !== 303) throw new Error(`${user} can't sign in: ${answer.status}`);
  return [cookies, cookiesOf(answer)].filter(Boolean).join('; ');
}

const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
