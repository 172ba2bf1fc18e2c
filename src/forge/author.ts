import type { Octokit } from './api.ts';
import { isApiError } from './api.ts';
import { field } from './untrusted.ts';

/** Who wrote a comment, as the API tells it. */
export interface Author {
  readonly id: number | null;
  readonly login: string | null;
  /** `Bot` or `User` on GitHub; Gitea has no such field. */
  readonly type: string | null;
}

export type IsOwn = (author: Author) => boolean;

/**
 * How to tell the token's own comments from look-alikes that others wrote. Workflow tokens may not ask who they are;
 * theirs are written by a bot, which no person can be. Throws the API's error when the token itself is refused (401).
 */
export async function whoAmI(octokit: Octokit, token: string): Promise<IsOwn> {
  // Prefix of GitHub's installation tokens, which GITHUB_TOKEN is: the question would only be refused.
  if (token.startsWith('ghs_')) {
    return isBot;
  }
  try {
    const { data } = await octokit.request('GET /user');
    const self = readAuthor(data);
    return self.id === null ? isBot : isSameAs(self);
  } catch (error) {
    if (isApiError(error) && error.status === 401) {
      throw error;
    }
    return isBot;
  }
}

/** The `user` of a comment, or the answer of `GET /user`. */
export function readAuthor(user: unknown): Author {
  const [id, login, type] = [field(user, 'id'), field(user, 'login'), field(user, 'type')];
  return {
    id: typeof id === 'number' ? id : null,
    login: typeof login === 'string' ? login : null,
    type: typeof type === 'string' ? type : null,
  };
}

export function isSameAs(self: Author): IsOwn {
  return ({ id, login }) => (self.id === null ? self.login === login : self.id === id);
}

/** The server doesn't tell who wrote it. */
export function isNobody({ id, login }: Author): boolean {
  return id === null && login === null;
}

/**
 * GitHub's apps have `[bot]` in their login, which no person's can; Gitea's and Forgejo's workflow users have reserved
 * names. Where nobody can be known, the marker alone must do.
 */
function isBot(author: Author): boolean {
  const { type, login } = author;
  return (
    type === 'Bot' || isNobody(author) || (type === null && /\[bot\]$|^(?:gitea|forgejo)-actions$/.test(login ?? ''))
  );
}
