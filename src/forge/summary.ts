import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { messageOf } from '../errors.ts';
import type { Env } from './event.ts';

/** Maximum bytes of a job summary: GitHub drops a larger one than 1 MiB completely. */
export const SUMMARY_BYTES = 900 * 1024;

export type SummaryResult = { readonly written: true } | { readonly written: false; readonly reason: string };

/** Appends the first of `texts` that fits to the job summary. Never throws. */
export async function writeSummary(texts: readonly string[], env: Env): Promise<SummaryResult> {
  const file = env.GITHUB_STEP_SUMMARY;
  if (!file) return { written: false, reason: 'this runner has no job summary (GITHUB_STEP_SUMMARY is not set)' };
  try {
    // Processes of this job know the runner's folder, so a link there is not followed.
    await using summary = await open(file, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW);
    const room = SUMMARY_BYTES - (await summary.stat()).size;
    const text = texts.find((t) => Buffer.byteLength(t) < room);
    if (text === undefined) return { written: false, reason: `it does not fit into ${SUMMARY_BYTES} bytes` };
    await summary.appendFile(`${text}\n`);
    return { written: true };
  } catch (error) {
    return { written: false, reason: messageOf(error) };
  }
}
