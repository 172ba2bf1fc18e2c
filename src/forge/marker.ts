import { createHash } from 'node:crypto';
import { positiveInteger } from './untrusted.ts';

/** Data in the hidden first line of joulediff's comments: the comment's key, and the run that wrote it. */
export interface Marker {
  /** Key from `commentKey`. */
  readonly key: string;
  readonly runId: number;
  readonly attempt: number;
  readonly headSha: string | null;
  /** Step of the run that wrote it: eight hexadecimal digits. Absent: any step may update it. */
  readonly part?: string;
}

/** Only the beginning of a body counts: a marker that is quoted further down is somebody's text. */
const PATTERN =
  /^<!-- joulediff key=([\w.%/:]{1,500}?)(?::([0-9a-f]{8}))? run=(\d{1,16}) attempt=(\d{1,16}) sha=([0-9a-f]{40}|[0-9a-f]{64}|none) -->(?:\r?\n|$)/;

/** Key of a comment: from workflow, job and the user's own key. */
export function commentKey(workflow: string, job: string, key: string): string {
  return [workflow, job, key].map(encode).join('/');
}

/** The hidden line that a comment starts with. */
export function formatMarker({ key, runId, attempt, headSha, part }: Marker): string {
  return `<!-- joulediff key=${key}${part === undefined ? '' : `:${part}`} run=${runId} attempt=${attempt} sha=${headSha ?? 'none'} -->`;
}

/** The marker that a comment's body starts with, or null. */
export function parseMarker(body: unknown): Marker | null {
  const [, key, part, run, attempt, sha] = (typeof body === 'string' ? PATTERN.exec(body) : null) ?? [];
  if (key === undefined || sha === undefined) return null;
  return {
    key,
    runId: positiveInteger(run) ?? 0,
    attempt: positiveInteger(attempt) ?? 1,
    headSha: sha === 'none' ? null : sha,
    ...(part !== undefined && { part }),
  };
}

/** Beginning of a hidden line that records who accepted the result in a comment, and why. */
export const ACCEPTED = '<!-- joulediff accepted ';

/** Lines below the marker that record an acceptance, with the empty line after them; empty: there are none. */
export function acceptanceIn(body: string): string {
  const lines = body.split(/(?<=\n)/);
  const end = lines.findIndex((line) => line.trim() === '');
  return lines[1]?.startsWith(ACCEPTED) && end > 0 ? lines.slice(1, end + 1).join('') : '';
}

/** The body with the acceptance of `current`, if both are for one commit and the body has none itself. */
export function keepAcceptance(body: string, current: string): string {
  const kept = acceptanceIn(current);
  const isSame = parseMarker(body)?.headSha === parseMarker(current)?.headSha;
  if (!isSame || kept === '' || acceptanceIn(body) !== '') return body;
  return body.replace('\n', () => `\n${kept}`);
}

/** Whether `a` was written by a later run than `b`, or by a later attempt of the same. */
export function isNewer(a: Marker, b: Marker): boolean {
  return a.runId === b.runId ? a.attempt > b.attempt : a.runId > b.runId;
}

/** Whether another step or matrix job wrote `a` in the same run and attempt as `b`: then neither replaces the other. */
export function isBeside(a: Marker, b: Marker): boolean {
  const isSameRun = a.runId === b.runId && a.attempt === b.attempt;
  return isSameRun && a.part !== undefined && b.part !== undefined && a.part !== b.part;
}

/** Encodes a text so that it can't end an HTML comment; long ones become a digest. */
function encode(part: string): string {
  const encoded = encodeURIComponent(part.toWellFormed()).replace(
    /[^\w.%]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return encoded.length <= 120 ? encoded : `sha256:${createHash('sha256').update(part).digest('hex')}`;
}
