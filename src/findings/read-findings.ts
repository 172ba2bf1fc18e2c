import type { z } from 'zod';
import { InputError } from '../errors.ts';
import { plain } from '../text/plain.ts';
import { Findings } from './findings.ts';
import type { Interval } from './numbers.ts';

const SCHEMA = 'joulediff/findings/1';

const ADVICE =
  'Only a findings.json that this version of joulediff could have written is read: measure and show with the same version.';

/** Limits that no real findings exceed, against made-up files. */
export const LIMITS = {
  bytes: 8 * 1024 * 1024,
  depth: 24,
  values: 500_000,
  items: 20_000,
  characters: 16_000,
  number: 1e18,
};

/**
 * Reads a findings.json that another user wrote, and may have made up. The result has exactly the properties of the type,
 * within limits; its texts are unchanged, so they must be escaped where they are shown.
 * Throws InputError with a sentence that is safe as plain text.
 */
export function readFindings(bytes: Uint8Array): Findings {
  if (bytes.length > LIMITS.bytes) throw refusal(`it has ${bytes.length} bytes; the limit is ${LIMITS.bytes}`);
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
    // The parser's own message would quote the text.
    throw refusal('it is not JSON in UTF-8');
  }
}

/** Which limit a JSON value exceeds, as a clause; null: none. It does not recurse deeper than the limit. */
function excess(root: unknown): string | null {
  let values = 0;
  const look = (value: unknown, path: string, depth: number): string | null => {
    values++;
    if (values > LIMITS.values) return `it has more than ${LIMITS.values} values`;
    if (depth > LIMITS.depth) return `it is more than ${LIMITS.depth} levels deep`;
    if (typeof value === 'string') return tooLong(value, path);
    // JSON has no infinite numbers, but 1e999 becomes one.
    if (typeof value === 'number') return Math.abs(value) <= LIMITS.number ? null : `${path} is a number out of range`;
    if (typeof value !== 'object' || value === null) return null;
    const entries = Object.entries(value);
    if (entries.length > LIMITS.items) return `${path} has more than ${LIMITS.items} parts`;
    for (const [key, item] of entries) {
      const wrong =
        tooLong(key, path) ?? look(item, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, depth + 1);
      if (wrong !== null) return wrong;
    }
    return null;
  };
  return look(root, 'findings', 0);
}

function tooLong(text: string, path: string): string | null {
  return text.length <= LIMITS.characters ? null : `${path} has a text of more than ${LIMITS.characters} characters`;
}

/** How the value deviates from the schema, as a clause; null: it fits, and has no unknown properties. */
function misfit(value: unknown): string | null {
  const [issue] = Findings.safeParse(value, { reportInput: true }).error?.issues ?? [];
  return issue === undefined ? null : clauseOf(issue);
}

function clauseOf(issue: z.core.$ZodIssue): string {
  const path = pathText(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${path} has "${issue.keys[0]}", which this version of joulediff does not know`;
    case 'invalid_type':
      return issue.input === undefined && typeof issue.path.at(-1) === 'string'
        ? `${pathText(issue.path.slice(0, -1))} must have required property '${String(issue.path.at(-1))}'`
        : `${path} must be ${issue.expected}`;
    case 'invalid_value':
      return issue.input === undefined
        ? `${pathText(issue.path.slice(0, -1))} must have required property '${String(issue.path.at(-1))}'`
        : `${path} must be equal to ${issue.values.length === 1 ? 'constant' : 'one of the allowed values'}`;
    default:
      return `${path}: ${issue.message}`;
  }
}

function pathText(path: readonly PropertyKey[]): string {
  return ['findings', ...path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))].join('');
}

/** Contradictions that the schema can't express, as a clause; null: none. */
function contradiction({ meter, variants, comparisons }: Findings): string | null {
  if (meter.measured !== (meter.source === 'measured'))
    return `findings.meter.measured must be equal to constant ${meter.source === 'measured'}, by its source`;
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
