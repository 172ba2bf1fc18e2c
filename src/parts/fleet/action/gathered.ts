import { messageOf } from '../../../errors.ts';
import type { Findings } from '../../../findings/findings.ts';
import { readFindings } from '../../../findings/read-findings.ts';
import { summaryMarkdown } from '../../../report/summary.ts';
import { hasNews } from '../../../report/verdict.ts';
import type { Result } from '../report/gathered/result.ts';

/** A rejected result, with the reason as a clause or sentence. */
export interface Refused {
  readonly name: string;
  readonly reason: string;
}

/** A job without the expected result. Its name may come from outside. */
export interface Missing {
  readonly name: string;
  /** Conclusion of the job on the forge; null: unknown. */
  readonly conclusion: string | null;
}

/** Results of other jobs. */
export interface Gathered {
  readonly results: readonly Result[];
  readonly refused: readonly Refused[];
  /** Artifacts that are no results but have a similar name. */
  readonly others: readonly string[];
  readonly missing: readonly Missing[];
}

/** Title of a check where the forge did not give the results, whether there are any or not. */
export const NOT_FETCHED = 'The results could not be fetched';

export const NOTHING: Gathered = { results: [], refused: [], others: [], missing: [] };

/** Maximum number of results, the maximum jobs of a matrix. */
export const MAX_RESULTS = 256;

/**
 * Maximum bytes of all results: they take five times as much in memory. The largest matrices have some 100 kB per job.
 */
export const MAX_BYTES = 32 * 2 ** 20;

/** Possible location of a result: an artifact or a folder. */
export interface Source {
  readonly name: string;
  /** Time of its upload; absent or NaN: unknown. */
  readonly createdMs?: number;
  /** Content of its findings.json; null: it has none and is no result. */
  open(): Promise<Uint8Array | null>;
}

/** Reads the sources in sequence; unreadable ones are rejected, and the others are still read. */
export async function readSources(sources: readonly Source[]): Promise<Gathered> {
  const results: Result[] = [];
  const refused: Refused[] = [];
  const others: string[] = [];
  let bytesInAll = 0;
  for (const [index, { name, open }] of sources.entries()) {
    if (index >= MAX_RESULTS) {
      refused.push({ name, reason: `only ${MAX_RESULTS} results are shown together` });
      continue;
    }
    try {
      const bytes = await open();
      if (bytes === null) {
        others.push(name);
        continue;
      }
      if (bytesInAll + bytes.length > MAX_BYTES) {
        refused.push({ name, reason: `all results together have more than ${MAX_BYTES / 2 ** 20} MiB` });
        continue;
      }
      bytesInAll += bytes.length;
      results.push({ name, findings: showable(readFindings(bytes)) });
    } catch (error) {
      refused.push({ name, reason: messageOf(error) });
    }
  }
  return { results, refused, others, missing: [] };
}

/** Checks that texts can be made of a result, so that one bad result does not prevent showing the others. */
function showable(findings: Findings): Findings {
  try {
    summaryMarkdown(findings, []);
    return findings;
  } catch (cause) {
    throw new Error('this findings.json is refused: it can’t be shown', { cause });
  }
}

/** Whether results of several jobs deserve a comment: also if one was rejected or is missing. */
export function areNoteworthy({ results, refused, missing }: Gathered): boolean {
  return refused.length + missing.length > 0 || results.some(({ findings }) => hasNews(findings));
}
