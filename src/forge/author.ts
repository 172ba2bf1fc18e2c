import { isApiError, type Octokit } from './api.ts';
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
 * How to tell the token's own comments from look-alikes that others wrote. Throws the API's error when the token itself is refused (401).
 * A token of an app may not ask REST who it is, but GraphQL; where nobody says so, it is taken for that of a workflow, whose bot no
 * person and no other app can be.
 */
export async function whoAmI(octokit: Octokit, token: string): Promise<IsOwn> {
  try {
    // Prefix of GitHub's installation tokens, which GITHUB_TOKEN is as well as an app's: REST would only refuse.
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

/** The server doesn't tell who wrote it. */
export function isNobody({ id, login }: Author): boolean {
  return id === null && login === null;
}

/**
 * The bot of workflows: its login has `[bot]` on GitHub, which no person's can; Gitea's and Forgejo's users of workflows have reserved names.
 * Where nobody can be known, the marker alone must do.
 */
function isWorkflowBot(author: Author): boolean {
  const { type, login } = author;
  if (isNobody(author)) return true;
  return login === 'github-actions[bot]'
    ? type === 'Bot'
    : type === null && /^(?:gitea|forgejo)-actions$/.test(login ?? '');
}
