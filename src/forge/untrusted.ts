/** Readers of untrusted values: they return valid ones and null for the rest. */

/** The value at a path of keys; undefined: it is missing or null. */
export function field(value: unknown, ...keys: readonly string[]): unknown {
  let here = value;
  for (const key of keys) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here ?? undefined;
}

/** A number from 1 to 2^53 − 1, given as a number or in decimal digits. */
export function positiveInteger(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}

/** A string of at most `limit` characters; longer ones and everything else become empty. */
export function text(value: unknown, limit: number): string {
  return typeof value === 'string' && value.length <= limit ? value : '';
}

/** A time such as `2026-12-01T10:20:00Z`, in milliseconds; everything else, and Go's zero time, becomes NaN. */
export function milliseconds(value: unknown): number {
  const time = Date.parse(text(value, 100));
  return time > 0 ? time : Number.NaN;
}

/** An http(s) address without credentials, query and fragment, and without a slash at the end. */
export function webAddress(value: unknown): string | null {
  const url = typeof value === 'string' && value.length <= 2000 ? URL.parse(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/**
 * One line that is safe in a log: no control characters, and nothing that a workflow runner takes for a command
 * (`::command::` at the start of a line, `##[command]` anywhere).
 */
export function logLine(value: string, limit = 1000): string {
  const line = value
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replaceAll('##[', '## [')
    .trim()
    .replace(/^::/, ': :');
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}
