import { type ApiError, isApiError, isRateLimit } from './api.ts';
import { logLine } from './untrusted.ts';

/** Description of an API request, for a message about its refusal. */
export interface Tried {
  readonly apiUrl: string;
  readonly token: string;
  /** What failed, such as `The comment on octo/demo#5 was not written`. */
  readonly what: string;
  /** Required permission, such as `pull-requests: write`. */
  readonly scope: string;
  /** Meaning of a 404, as a clause. */
  readonly missing: string;
  /** All permissions that the job needs, as lines of YAML. */
  readonly permissions: readonly string[];
}

/** Message with the reason of the failure and a remedy; never contains the token. */
export function explain(error: unknown, tried: Tried): string {
  return `${tried.what}: ${isApiError(error) ? explainStatus(error, tried) : quote(error, tried.token)}`;
}

function explainStatus(error: ApiError, tried: Tried): string {
  const answer = quote(error, tried.token);
  if (error.response === undefined) return `${tried.apiUrl} did not answer. ${answer}`;
  if (isRateLimit(error)) {
    const after = logLine(String(error.response.headers['retry-after'] ?? ''), 40);
    return `the server accepts no more requests for now${after ? ` (Retry-After: ${after})` : ''}. ${answer}`;
  }
  switch (error.status) {
    case 401:
      return `the token is not valid. Leave the input github-token at its default, or give one that has not expired. ${answer}`;
    case 403:
      return forbidden(error, tried, answer);
    case 404:
    case 410:
      return `${tried.missing} that this token can see. In a private repository the job needs this too:\n${linesOf(tried)}\n${answer}`;
    case 422:
      return `the server rejected the text. ${answer}`;
    default:
      return `the server answered with status ${error.status}. ${answer}`;
  }
}

function forbidden(error: ApiError, tried: Tried, answer: string): string {
  if (/lock/i.test(error.message)) return `the conversation is locked. ${answer}`;
  // GitHub gives the required permissions in a header, Gitea in its message.
  const reported =
    error.response?.headers['x-accepted-github-permissions'] ?? /required=\[([^\]]*)\]/.exec(error.message)?.[1];
  const accepted = logLine(String(reported ?? ''), 200);
  const asked = accepted === '' ? '' : ` (the server asks for: ${accepted})`;
  return `the token lacks the permission "${tried.scope}"${asked}. Add to the job in the workflow file:\n${linesOf(tried)}\n${answer}`;
}

function linesOf({ permissions }: Tried): string {
  return ['permissions:', ...permissions.map((line) => `  ${line}`)].join('\n');
}

function quote(error: unknown, token: string): string {
  const message = error instanceof Error ? error.message : String(error);
  return `The message was: ${logLine(token === '' ? message : message.replaceAll(token, '***'), 300)}`;
}
