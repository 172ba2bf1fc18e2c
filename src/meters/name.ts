import { InputError } from '../errors.ts';
import { nearest } from '../input/words.ts';

/** Parsed form of `TYPE[:ADDRESS][?option=value&…]`. */
export interface MeterName {
  /** As the user wrote it. */
  readonly text: string;
  readonly type: string;
  readonly address: string | null;
  readonly options: Readonly<Record<string, string>>;
}

const FORM = 'TYPE[:ADDRESS][?option=value&…]';

/**
 * Takes a list of meter names apart: each text may hold several, separated by commas. The first is primary.
 * An address stands as it is written; the values of options are percent-decoded (`%2C` for a comma).
 * Throws InputError when a name has not the form, its type is not one of `types`, or nothing is named.
 */
export function parseMeterNames(texts: readonly string[], types: readonly string[]): MeterName[] {
  const parts = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
  if (parts.length === 0 || parts.every((text) => text === '')) {
    throw new InputError('No meter is named.', { advice: `Possible: ${types.join(', ')}.` });
  }
  const names = parts.map((text) => parseMeterName(text, types));
  const seen = new Set<string>();
  for (const name of names) {
    const { type, address, options } = name;
    const key = JSON.stringify([type, address, address?.startsWith('/dev/') || Object.entries(options).sort()]);
    if (seen.has(key))
      throw new InputError(`The meter "${name.text}" is named twice.`, { advice: 'Name every meter once.' });
    seen.add(key);
  }
  return names;
}

function parseMeterName(text: string, types: readonly string[]): MeterName {
  const parts = /^([^:?]*)(?::([^?]*))?(?:\?(.*))?$/s.exec(text);
  const type = parts?.[1] ?? '';
  if (!parts || type === '') {
    throw new InputError(`"${text}" is not a meter name.`, {
      advice: `A meter name is ${FORM}. Possible types: ${types.join(', ')}.`,
    });
  }
  if (!types.includes(type)) {
    throw new InputError(`Unknown meter type "${type}" in "${text}".`, { advice: suggest(type, types) });
  }
  if (parts[2] === '') {
    throw new InputError(`The address is missing after "${type}:" in "${text}".`, {
      advice: `A meter name is ${FORM}.`,
    });
  }
  return { text, type, address: parts[2] ?? null, options: parseOptions(parts[3], text) };
}

function parseOptions(query: string | undefined, text: string): Record<string, string> {
  const options: Record<string, string> = Object.create(null);
  if (query === undefined) return options;
  for (const pair of query.split('&')) {
    const [, key, raw] = /^([^=]+)=(.+)$/s.exec(pair) ?? [];
    if (key === undefined || raw === undefined) {
      throw new InputError(`"${pair}" in the meter name "${text}" is not option=value.`, {
        advice: `A meter name is ${FORM}.`,
      });
    }
    if (key in options) throw new InputError(`The option "${key}" is given twice in the meter name "${text}".`);
    try {
      options[key] = decodeURIComponent(raw);
    } catch (cause) {
      throw new InputError(`The value "${raw}" in the meter name "${text}" has an invalid percent sequence.`, {
        advice: 'Write a percent sign as %25.',
        cause,
      });
    }
  }
  return options;
}

/** Sentences with the word that was probably meant, if any, and the possible ones. */
export function suggest(word: string, possible: readonly string[]): string {
  if (possible.length === 0) return 'There are none.';
  const meant = nearest(word.slice(0, 100), possible);
  return `${meant === null ? '' : `Did you mean "${meant}"? `}Possible: ${possible.join(', ')}.`;
}
