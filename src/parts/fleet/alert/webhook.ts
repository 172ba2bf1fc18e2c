import { getErrorCode } from '../../../errors.ts';
import type { Env } from '../../../forge/event.ts';

/** Longest that a webhook may take, milliseconds. */
const LIMIT_MS = 10_000;
/** Largest message, bytes. */
const MAX_BYTES = 64_000;

/**
 * Sends JSON to the address in an environment variable. Returns why it failed, as a clause without any part of the address, which may be a
 * secret; null: it succeeded. Never throws.
 */
export async function callWebhook(
  name: string,
  message: unknown,
  env: Env,
  limitMs = LIMIT_MS,
): Promise<string | null> {
  const given = env[name]?.trim() ?? '';
  if (given === '') return 'the variable is not set in this job';
  const url = URL.parse(given);
  if (url === null || !isAllowed(url)) return 'the variable does not hold an https address without a password';
  const body = JSON.stringify(message);
  if (Buffer.byteLength(body) > MAX_BYTES) return `the message has more than ${MAX_BYTES} bytes`;
  try {
    const signal = AbortSignal.timeout(limitMs);
    const headers = { 'content-type': 'application/json', 'user-agent': 'joulediff' };
    const answer = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'error' });
    // The response's content is not needed.
    await answer.body?.cancel();
    return answer.ok ? null : `it answered with status ${answer.status}`;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return `no answer within ${limitMs / 1000} s`;
    const cause = error instanceof Error ? error.cause : null;
    const code = getErrorCode(cause instanceof AggregateError ? cause.errors[0] : cause);
    return `it could not be reached${/^[A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : ''}`;
  }
}

/** Whether the address is allowed: plain HTTP only to this machine. */
function isAllowed({ protocol, hostname, username, password }: URL): boolean {
  if (username !== '' || password !== '') return false;
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback);
}
