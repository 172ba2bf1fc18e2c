import wrapAnsi from 'wrap-ansi';
import type { Findings } from '../findings/findings.ts';
import { failing } from '../report/verdict.ts';

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

/** Sentences for a person, broken at spaces as wide as the terminal is; a log is searched, and gets them whole. Paths are never broken. */
export function atSpaces(stream: { readonly isTTY?: boolean; readonly columns?: number }, text: string): string {
  if (!stream.isTTY) return text;
  return wrapAnsi(text, stream.columns ?? 80, { trim: false }).replaceAll(/ +$/gm, '');
}

/** A threshold that the user set was crossed. */
const CROSSED = 1;

/** Exit code of a command that has done its work. */
export function exitCodeOf(findings: Findings): number {
  return failing(findings).length > 0 ? CROSSED : 0;
}
