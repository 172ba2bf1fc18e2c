import { stringify } from 'yaml';
import type { Conflict } from '../input/conflict.ts';
import { maskSecrets } from '../text/credentials.ts';

const MASK = '***';

/**
 * Text of the experiment file with all inputs and options applied, which a result keeps so that others can run it. Values that may be
 * secret (`env`, build arguments, anything that looks like a credential) are replaced by three asterisks.
 */
export function asWritten(given: unknown, name: string): string {
  const text = stringify(concealed({ name, ...(given as object) }, []), { lineWidth: 0, aliasDuplicateObjects: false });
  return text.includes(MASK) ? `# Fill in each ${MASK} again: such values are not recorded.\n${text}` : text;
}

/** A conflict for each value that `asWritten` left out of a checked experiment. */
export function leftOut(value: unknown, path: Conflict['path'] = []): Conflict[] {
  const detail = '"***" was given: results leave this value out; write it again';
  if (typeof value !== 'object' || value === null) return value === MASK ? [{ path, detail, follows: [path] }] : [];
  return Object.entries(value).flatMap(([key, one]) => leftOut(one, [...path, Array.isArray(value) ? +key : key]));
}

function concealed(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => concealed(one, path));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, concealed(one, [...path, key])]));
  if (isSecretPlace(path)) return MASK;
  return typeof value === 'string' ? maskSecrets(value, [], () => MASK) : value;
}

/** Maps at the top of the file whose keys are names chosen by the author: a key `env` in them is a name. */
const NAMED: ReadonlySet<string> = new Set(['variants', 'services', 'matrix', 'suite']);

/** Whether a value stands in `env`, or in the `args` of a `build`. */
function isSecretPlace(path: readonly string[]): boolean {
  const [around = '', map] = [path.at(-3), path.at(-2)];
  return (map === 'env' && !(path.length === 3 && NAMED.has(around))) || (map === 'args' && around === 'build');
}
