import { stringify } from 'yaml';
import { maskSecrets } from '../text/credentials.ts';

const MASK = '***';

/**
 * An experiment file as it was meant, whatever inputs or options changed of it: what a result keeps, so that somebody else can run it. Of values that
 * may be secret (`env`, build arguments, what looks like a credential) it has three asterisks.
 */
export function asWritten(given: unknown, name: string): string {
  const whole = typeof given === 'object' && given !== null ? given : {};
  const text = stringify(concealed({ name, ...whole }, []), { lineWidth: 0, aliasDuplicateObjects: false });
  return text.includes(MASK) ? `# Give what is ${MASK} its value again: such values are not recorded.\n${text}` : text;
}

function concealed(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => concealed(one, path));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, concealed(one, [...path, key])]));
  }
  if (isSecretPlace(path)) return MASK;
  return typeof value === 'string' ? maskSecrets(value, [], () => MASK) : value;
}

/** Maps in which every key is a name that the author chose: one of them may be `env`. */
const NAMED: ReadonlySet<string> = new Set(['variants', 'services', 'matrix', 'suite']);

/** Whether a value stands in `env`, or in the `args` of a `build`. */
function isSecretPlace(path: readonly string[]): boolean {
  const [around = '', map] = [path.at(-3), path.at(-2)];
  return (map === 'env' && !NAMED.has(around)) || (map === 'args' && around === 'build');
}
