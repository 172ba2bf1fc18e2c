import { isApiError, type Octokit } from './api.ts';
import { field } from './untrusted.ts';

/** Author of a comment, from the API. */
export interface Author {
  readonly id: number | null;
  readonly login: string | null;
  /** `Bot` or `User` on GitHub; Gitea has no such field. */
  readonly type: string | null;
}

export type IsOwn = (author: Author) => boolean;

/**
 * How to distinguish the token's own comments from fakes by others. Throws the API's error if the token itself is refused (401).
 * An app's token may only use GraphQL to identify itself; if that fails too, the bot of workflows is assumed, which no
 * person and no other app can be.
 */
export async function whoAmI(octokit: Octokit, token: string): Promise<IsOwn> {
  try {
    // Prefix of installation tokens, including GITHUB_TOKEN and those of apps, which the REST call would refuse.
    const self = token.startsWith('ghs_')
      ? await viewer(octokit)
      : readAuthor((await octokit.request('GET /user')).data);
    return self.id === null && self.login === null ? isWorkflowBot : isSameAs(self);
  } catch (error) {
    if (isApiError(error) && error.status === 401) throw error;
    return isWorkflowBot;
  }
}

async function viewer(octokit: Octokit): Promise<Author> {
  const answer: unknown = await octokit.graphql('query { viewer { login databaseId } }');
  const [id, login] = [field(answer, 'viewer', 'databaseId'), field(answer, 'viewer', 'login')];
  return readAuthor({ id, login });
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
  return ({ id, login }) => (self.id === null || id === null ? self.login === login : self.id === id);
}

/** Whether the server does not give the author. */
export function isNobody({ id, login }: Author): boolean {
  return id === null && login === null;
}

/**
 * Whether the author is the bot of workflows: its login has `[bot]` on GitHub, which no person's can; on Gitea and Forgejo it is a reserved
 * name. If the author is unknown, only the marker identifies comments.
 */
function isWorkflowBot(author: Author): boolean {
  const { type, login } = author;
  if (isNobody(author)) return true;
  return login === 'github-actions[bot]'
    ? type === 'Bot'
    : type === null && /^(?:gitea|forgejo)-actions$/.test(login ?? '');
}
