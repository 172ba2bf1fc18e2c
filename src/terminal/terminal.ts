import { stripVTControlCharacters } from 'node:util';
import wrapAnsi from 'wrap-ansi';
import type { Findings } from '../findings/findings.ts';
import { failing } from '../report/verdict.ts';
import { unitsBound, unitsFree } from '../text/numbers.ts';

/** What a command talks to: results go to stdout, progress and warnings to stderr. */
export interface Streams {
  readonly stdout: {
    write(text: string): unknown;
    readonly isTTY?: boolean;
    readonly columns?: number;
    /** False: its reader has gone. */
    readonly writable?: boolean;
  };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
}

export interface Terminal extends Streams {
  /** As `process.exitCode`: a command sets it where it is not 0. An error that it throws brings its own. */
  exitCode: number;
}

/** Colour only on a terminal, and never against NO_COLOR. */
export function useColour(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}

/** What stands at the beginning of a line, coloured or not: spaces, or a word with two spaces or more behind it. */
const LABEL = /^(?:\x1b\[\d+m)?(?: +|\S+ {2,})(?:\x1b\[0m *)?/;

/**
 * Sentences for a person, broken at spaces, but between no number and its unit, as wide as the terminal is, each line below its own beginning; a log is searched, and gets them whole.
 * Paths are never broken.
 */
export function atSpaces(stream: { readonly isTTY?: boolean; readonly columns?: number }, text: string): string {
  if (!stream.isTTY) return text;
  const columns = stream.columns ?? 80;
  const broken = text.split('\n').map((line) => {
    const label = LABEL.exec(line)?.[0] ?? '';
    const indent = stripVTControlCharacters(label).length;
    if (indent > columns / 2) return unitsFree(wrapAnsi(unitsBound(line), columns, { trim: false }));
    const lines = unitsFree(wrapAnsi(unitsBound(line.slice(label.length)), columns - indent)).split('\n');
    return `${label}${lines.join(`\n${' '.repeat(indent)}`)}`;
  });
  return broken.join('\n').replaceAll(/ +$/gm, '');
}

/** A threshold that the user set was crossed. */
const CROSSED = 1;

/** Exit code of a command that has done its work. */
export function exitCodeOf(findings: Findings): number {
  return failing(findings).length > 0 ? CROSSED : 0;
}
