import { InputError } from '../../errors.ts';
import { plain } from '../../text/plain.ts';
import type { Findings, Interval } from '../findings.ts';
import { excess, MOST } from './limits.ts';
import { misfit } from './schema.ts';

const SCHEMA = 'joulediff/findings/1';

const ADVICE =
  'Only a findings.json that this version of joulediff could have written is read: measure and show with the same version.';

/**
 * A findings.json that somebody else wrote, and may have made up. What comes back has every part that the types name,
 * and no other, within limits; its texts are as they were, and are escaped where they are shown.
 * Throws InputError with a sentence that is safe to show as plain text.
 */
export function readFindings(bytes: Uint8Array): Findings {
  if (bytes.length > MOST.bytes) throw refusal(`it has ${bytes.length} bytes, and ${MOST.bytes} are the most`);
  const value = parse(bytes);
  const schema = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : undefined;
  if (schema !== SCHEMA)
    throw refusal(`its schema is not ${SCHEMA}${typeof schema === 'string' ? ` but ${schema}` : ''}`);
  const wrong = excess(value) ?? misfit(value) ?? contradiction(value as Findings);
  if (wrong !== null) throw refusal(wrong);
  return value as Findings;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's own message quotes the text.
    throw refusal('it is not JSON in UTF-8');
  }
}

/** What a schema can't say. */
function contradiction({ variants, comparisons }: Findings): string | null {
  const names = new Set(variants.map(({ name }) => name));
  if (names.size < variants.length) return 'two variants have the same name';
  for (const { baseline, variant, percent } of comparisons) {
    const unknown = [baseline, variant].find((name) => !names.has(name));
    if (unknown !== undefined) return `it compares "${unknown}", which is none of its variants`;
    const intervals: (Interval | null)[] = [percent.ci95, percent.ci90, percent.mean_log_ci95];
    if (intervals.some((interval) => interval !== null && interval[0] > interval[1])) {
      return `an interval of "${variant}" ends before it begins`;
    }
  }
  return null;
}

function refusal(why: string): InputError {
  return new InputError(`This findings.json is refused: ${plain(why, 300)}.`, { advice: ADVICE });
}
