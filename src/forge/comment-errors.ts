import { type ApiError, isApiError, isRateLimit } from './api.ts';
import { logLine } from './untrusted.ts';

interface Tried {
  readonly apiUrl: string;
  readonly token: string;
  readonly owner: string;
  readonly repository: string;
  readonly pullRequest: number;
}

const PERMISSIONS = `permissions:
  contents: read
  pull-requests: write`;

/** What kept the comment from being written, and what to do; never with the token in it. */
export function explain(error: unknown, tried: Tried): string {
  const place = `${tried.owner}/${tried.repository}#${tried.pullRequest}`;
  const detail = isApiError(error) ? explainStatus(error, tried, place) : quote(error, tried.token);
  return `The comment on ${place} was not written: ${detail}`;
}

function explainStatus(error: ApiError, tried: Tried, place: string): string {
  const answer = quote(error, tried.token);
  if (error.response === undefined) {
    return `${tried.apiUrl} gave no answer. ${answer}`;
  }
  if (isRateLimit(error)) {
    const after = logLine(String(error.response.headers['retry-after'] ?? ''), 40);
    return `the server takes no more requests for now${after ? ` (Retry-After: ${after})` : ''}. ${answer}`;
  }
  switch (error.status) {
    case 401:
      return `the token is not valid. Leave the input github-token at its default, or give one that has not expired. ${answer}`;
    case 403:
      return forbidden(error, answer);
    case 404:
    case 410:
      return `there is no pull request ${place} that this token can see. In a private repository the job needs this too:\n${PERMISSIONS}\n${answer}`;
    case 422:
      return `the server did not take the text. ${answer}`;
    default:
      return `the server answered with status ${error.status}. ${answer}`;
  }
}

function forbidden(error: ApiError, answer: string): string {
  if (/lock/i.test(error.message)) {
    return `the conversation is locked. ${answer}`;
  }
  const accepted = logLine(String(error.response?.headers['x-accepted-github-permissions'] ?? ''), 200);
  const asked = accepted === '' ? '' : ` (the server asks for: ${accepted})`;
  return `the token lacks the permission "pull-requests: write"${asked}. Add to the job in the workflow file:\n${PERMISSIONS}\n${answer}`;
}

function quote(error: unknown, token: string): string {
  const message = error instanceof Error ? error.message : String(error);
  return `The message was: ${logLine(token === '' ? message : message.replaceAll(token, '***'), 300)}`;
}
