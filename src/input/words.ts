import { distance } from 'fastest-levenshtein';
import { listed } from '../text/plain.ts';

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
  return listed(words.map(quote), 'or');
}

/** Minimum letters of an abbreviation that identifies a word. */
const TELLING_LETTERS = 3;

/** The known word that was probably meant: one that starts with it, or differs in at most a third of its letters (one at least; a swap is one). */
export function nearest(word: string, known: Iterable<string>): string | null {
  const given = word.toLowerCase();
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const possible = candidate.toLowerCase();
    const begun = given.length >= TELLING_LETTERS && letters(possible).startsWith(letters(given));
    const edits = begun || isSwap(given, possible) ? 1 : distance(given, possible);
    if (edits < least && edits <= Math.max(1, Math.ceil(candidate.length / 3))) {
      best = candidate;
      least = edits;
    }
  }
  return best;
}

/** A name without separators, so that `wattsup` matches `watts-up-pro`. */
const letters = (word: string): string => word.replace(/[-_. ]/g, '');

/** Whether two neighboring letters changed places, and nothing else. */
function isSwap(a: string, b: string): boolean {
  const at = [...a].findIndex((letter, i) => letter !== b[i]);
  return at >= 0 && a.slice(0, at) + a[at + 1] + a[at] + a.slice(at + 2) === b;
}

/** ` did you mean "x"?` for a similar known word, else the list of all known words. */
export function suggest(word: string, known: readonly string[]): string {
  const meant = nearest(word.slice(0, 100), known);
  return meant === null ? `possible: ${known.map(quote).join(', ')}` : `did you mean ${quote(meant)}?`;
}
