import { distance } from 'fastest-levenshtein';

/** Keys from the root of the experiment file to a value; numbers are places in lists. */
export type Path = readonly (string | number)[];

/** `variants."debian 12".volumes[0]`: as `--set` takes it, so that it can be copied. */
export function showPath(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += `${text === '' ? '' : '.'}${/^[\w-]+$/.test(part) ? part : quote(part)}`;
  }
  return text;
}

const LONGEST_SHOWN = 80;

/** A value as a sentence shows it: quoted, on one line, short, without characters that a terminal or a log would obey. */
export function showGiven(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'an empty map' : 'a map';
  return String(value);
}

export function quote(text: string): string {
  const short = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  return JSON.stringify(short).replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** `"a", "b" or "c"`. */
export function anyOf(words: readonly string[]): string {
  const quoted = words.map(quote);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

/** The known word that was probably meant: at most a third of its letters, but always one, may differ. */
export function nearest(word: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < least && edits <= Math.max(1, Math.ceil(candidate.length / 3))) {
      best = candidate;
      least = edits;
    }
  }
  return best;
}

/** ` did you mean "x"?`, or else all that is possible. */
export function suggest(word: string, known: readonly string[]): string {
  const meant = nearest(word.slice(0, 100), known);
  return meant === null ? `possible: ${known.map(quote).join(', ')}` : `did you mean ${quote(meant)}?`;
}
