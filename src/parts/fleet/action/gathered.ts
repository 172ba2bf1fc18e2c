import { messageOf } from '../../../errors.ts';
import type { Findings } from '../../../findings/findings.ts';
import { readFindings } from '../../../findings/read-findings.ts';
import { summaryMarkdown } from '../../../report/summary.ts';
import { hasNews } from '../../../report/verdict.ts';
import type { Result } from '../report/gathered/result.ts';

/** A result that was not taken, and why, as a clause or sentence. */
export interface Refused {
  readonly name: string;
  readonly reason: string;
}

/** A job that should have left a result, and has none. Its name may come from outside. */
export interface Missing {
  readonly name: string;
  /** How it ended, as the forge says it; null: not known. */
  readonly conclusion: string | null;
}

/** What other jobs left. */
export interface Gathered {
  readonly results: readonly Result[];
  readonly refused: readonly Refused[];
  /** What is no result at all, such as another artifact whose name begins alike. */
  readonly others: readonly string[];
  readonly missing: readonly Missing[];
}

/** Jobs of a matrix, at most. */
export const MAX_RESULTS = 256;

/**
 * Bytes of all results together: in memory they are five times as large. Jobs of a matrix as large as a forge allows have some 100 kB each.
 */
export const MAX_BYTES = 32 * 2 ** 20;

/** Where a result may be: an artifact, a folder. */
export interface Source {
  readonly name: string;
  /** Its findings.json; null: it has none, and is no result. */
  open(): Promise<Uint8Array | null>;
}

/** Reads the sources one after the other; what can't be opened or understood is refused, and the others are read. */
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

/** One result that no text can be made of must not keep the others from being shown. */
function showable(findings: Findings): Findings {
  try {
    summaryMarkdown(findings, []);
    return findings;
  } catch (cause) {
    throw new Error('this findings.json is refused: it can’t be shown', { cause });
  }
}

/** Whether the conversation has to hear of results of several jobs: one that could not be taken, or that is missing, is worth it. */
export function areNoteworthy({ results, refused, missing }: Gathered): boolean {
  return refused.length + missing.length > 0 || results.some(({ findings }) => hasNews(findings));
}
