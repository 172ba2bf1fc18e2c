/** Name of a run's energy outside its phases; no phase may have this name. */
export const OUTSIDE_PHASES = 'outside of phases';

/** A line of the workload's output that begins a phase, beside the markers that the workload prints on purpose. */
export interface PhaseLine {
  readonly phase: string;
  readonly pattern: string;
}

/** Whether the lines that joulediff finds are printed at the start or at the end of the phase that they name. */
export const PRINTED_AT = ['start', 'end'] as const;
export type PrintedAt = (typeof PRINTED_AT)[number];

/** How an experiment file asks joulediff to find the phases in what the workload prints. */
export type FindPhases = 'auto' | { readonly auto: true; readonly lines: PrintedAt };

export const isFindPhases = <T>(phases: T): phases is Extract<T, 'auto' | { readonly auto: true }> =>
  phases === 'auto' || (typeof phases === 'object' && phases !== null && 'auto' in phases && phases.auto === true);

/** Pattern of all lines: any may begin a phase, and which ones do is found when all runs are there. */
export const ANY_LINE: PhaseLine = { phase: '', pattern: '' };

/** Patterns of the lines whose times are kept while a run is measured: every line, where phases are still to be found; undefined: none. */
export const linesToFind = (phases: FindPhases | readonly PhaseLine[] | undefined): readonly PhaseLine[] | undefined =>
  isFindPhases(phases) ? [ANY_LINE] : phases;

/** Parts that differ between runs of a program: addresses and hashes, dates, and numbers that are no part of a word (such as LRANGE_600). */
const ADDRESS = /\b(?:0x)?[0-9a-f][0-9a-f-]{6,63}\b/gi;
const DAY =
  /\b(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? +)?(\d+ +)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?( +\d+)/gi;
const NUMBER = /(?<![A-Za-z_\d])\d+(?:[.,:/-]\d+)*|-?\b(?:nan|inf)\b/gi;
// Colors of a terminal are no part of a line's text.
const COLOR = /\u001b\[[0-9;]*m/g;
const LONGEST_NAME = 60;
const MIN_LETTERS = 3;

/** Name of a phase, from what such lines of two runs have in common; null: too little. Linear in the line's length. */
export function nameOfLine(line: string): string | null {
  const text = line
    .slice(0, 300)
    .replace(COLOR, '')
    .replace(ADDRESS, (word) => (/\d/.test(word) ? '#' : word))
    .replace(DAY, '#')
    .replace(NUMBER, '#')
    .replace(/[\s\p{C}]+/gu, ' ')
    .replace(/^[#\s:.,[\]()/+-]+/, '');
  const name = [...text.trim()].slice(0, LONGEST_NAME).join('').trim();
  return (name.match(/\p{L}/gu)?.length ?? 0) >= MIN_LETTERS && isPhaseName(name) ? name : null;
}

/** Names stand in tables, charts and CSV: 1 to 60 printable characters, without spaces at the ends. */
export const PHASE_NAME = /^(?!\p{Z})[^\p{C}\p{Zl}\p{Zp}]{1,60}(?<!\p{Z})$/u;

export function isPhaseName(name: string): boolean {
  return PHASE_NAME.test(name) && name !== OUTSIDE_PHASES && name !== '__proto__';
}

/** Signs of a regular expression, which a pattern is not: a user who writes one would wait for a phase that never begins. */
const REGULAR_EXPRESSION = /\\[a-zA-Z.]|\.[*+]|\[[^\]]*-[^\]]*\][*+]?|\(\?[:=!]/;

/** Printable, with something to look for, and no regular expression. */
export function isPhasePattern(pattern: string): boolean {
  return /^[^\p{C}]{1,500}$/u.test(pattern) && longestLiteral(pattern) !== '' && !REGULAR_EXPRESSION.test(pattern);
}

/** The longest literal text in a pattern, which every matching line contains. */
export function longestLiteral(pattern: string): string {
  return splitPattern(pattern).pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '');
}

/**
 * Whether a line matches: plain text found anywhere in it, `*` for whatever stands between, `^` first for the line's beginning, `$` last for its
 * end. No regular expression, since the lines come from the workload: the time is linear in the line's length, whatever it holds.
 */
export function phaseMatcher(pattern: string): (line: string) => boolean {
  const { pieces, fromStart, toEnd } = splitPattern(pattern);
  const last = pieces.length - 1;
  return (line) => {
    let at = 0;
    for (const [i, piece] of pieces.entries()) {
      if (toEnd && i === last) {
        const found = line.length - piece.length;
        return found >= at && line.endsWith(piece) && (i > 0 || !fromStart || found === 0);
      }
      const found = i === 0 && fromStart ? (line.startsWith(piece) ? 0 : -1) : line.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return true;
  };
}

function splitPattern(pattern: string): { pieces: readonly string[]; fromStart: boolean; toEnd: boolean } {
  const fromStart = pattern.startsWith('^');
  const toEnd = pattern.endsWith('$') && pattern.length > (fromStart ? 1 : 0);
  const text = pattern.slice(fromStart ? 1 : 0, toEnd ? -1 : undefined);
  return { pieces: text.split('*'), fromStart, toEnd };
}
