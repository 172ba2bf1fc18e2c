import { stripVTControlCharacters } from 'node:util';
import { type CommandUnknownOpts, Help } from '@commander-js/extra-typings';
import type { Analysis } from '../analysis/results.ts';
import { InputError } from '../errors.ts';
import type { Experiment, HistorySetting } from '../experiment/experiment.ts';
import type { Findings } from '../findings/findings.ts';
import type { Answer, AnswerHead, CommandName } from '../findings/terminal.ts';
import { failing } from '../report/verdict.ts';
import type { RunPart } from '../run/run.ts';
import type { Plan } from '../schedule/plan.ts';
import { unitsBound, unitsFree } from '../text/numbers.ts';
import { screenJson } from '../text/plain.ts';

/** Output streams of a command: results go to stdout, progress and warnings to stderr. */
export interface Streams {
  readonly stdout: {
    write(text: string): unknown;
    readonly isTTY?: boolean;
    readonly columns?: number;
    /** False: the reader of the stream has gone. */
    readonly writable?: boolean;
  };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
}

export interface Terminal extends Streams {
  /** Exit code, as in `process.exitCode`: a command sets it if it is not 0. An error that it throws has its own. */
  exitCode: number;
  /** Optional parts of the program. */
  readonly parts: readonly TerminalPart[];
}

/** Commands by name. The code of each is loaded only when it is needed. */
export type Commands = Readonly<Record<string, () => Promise<(terminal: Terminal) => CommandUnknownOpts>>>;

/** Options of `analyze` for a table of runs. */
export interface TableOptions {
  readonly baseline?: string | undefined;
  readonly margin?: string | undefined;
  readonly failOn: readonly string[];
}

/** Extra runs planned after the blocks. */
export interface PlannedExtraRuns {
  /** Variants to run, in this order. */
  readonly variants: readonly string[];
  /** Idle seconds before each run. */
  readonly restS: number;
  /** Notes, as sentences. */
  readonly notes: readonly string[];
  /** Lines that show the order of the runs. */
  readonly order: readonly string[];
}

/** What an optional part adds to the terminal program. The core knows only this interface, not the parts. */
export interface TerminalPart {
  /** Commands, by the core command that precedes them in the help. */
  readonly commands?: Readonly<Record<string, Commands>>;
  /** Commands of two words, by the first word. */
  readonly groups?: Readonly<Record<string, Commands>>;
  /** Analyzes a table of runs from another tool. Throws InputError. */
  readonly analyzeTable?: (path: string, text: string, options: TableOptions) => Promise<Analysis>;
  /** Reports several results together in a folder, and returns their findings. Throws InputError. */
  readonly reportSeveral?: (paths: readonly string[], outDir: string) => Promise<readonly Findings[]>;
  /** Steps that it adds to an experiment, from measuring to the report. */
  readonly run?: () => Promise<RunPart>;
  /** Extra runs after the blocks that the experiment file asks for, for `plan`. */
  readonly plannedExtraRuns?: (experiment: Experiment, plan: Plan) => Promise<PlannedExtraRuns | null>;
  /** Hint that is printed after an experiment with a history. */
  readonly historyHint?: (setting: HistorySetting, databasePath: string) => Promise<string>;
}

/** The ability `key` of the first part that has it. Throws InputError if no part of this build has it. */
export function ability<K extends keyof TerminalPart>(
  { parts }: Terminal,
  name: K,
  what: string,
): NonNullable<TerminalPart[K]> {
  const found = parts.map((part) => part[name]).find((one) => one !== undefined);
  if (found === undefined) throw new InputError(`This build of joulediff can't ${what}: it has no part for that.`);
  return found as NonNullable<TerminalPart[K]>;
}

/** Steps that a part adds to an experiment, from measuring to the report; undefined: no part in this build adds any. */
export const runPart = async ({ parts }: Terminal): Promise<RunPart | undefined> =>
  parts.find(({ run }) => run !== undefined)?.run?.();

/** Prints a command's answer for --json. */
export function printAnswer<Name extends CommandName>(
  { stdout }: Pick<Streams, 'stdout'>,
  command: Name,
  answer: Answer<Name>,
): void {
  const head: AnswerHead<Name> = { schema: 'joulediff/terminal/1', command };
  printJson({ stdout }, { ...head, ...answer });
}

export function printJson({ stdout }: Pick<Streams, 'stdout'>, value: unknown): void {
  stdout.write(`${screenJson(JSON.stringify(value, null, 2))}\n`);
}

/** Color only on a terminal, and never against NO_COLOR. */
export function useColor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}

/** Label at the start of a line, colored or not: spaces, or a word followed by at least two spaces. */
const LABEL = /^(?:\x1b\[\d+m)?(?: +|\S+ {2,})(?:\x1b\[0m *)?/;

/** Breaks a line at this number of columns. Commander's help formatter does it, since a library for wide characters would load too slowly. */
function broken(line: string, columns: number): string {
  const help = new Help();
  help.minWidthToWrap = 1;
  // The formatter would also break at a no-break space.
  const bound = unitsBound(line).replaceAll('\u00a0', '\ue000');
  return unitsFree(help.boxWrap(bound, columns).replaceAll('\ue000', '\u00a0'));
}

/**
 * Sentences broken at spaces to the width of the terminal, except between a number and its unit; each line is indented below its label. A log
 * gets unbroken lines, so that it can be searched. Paths are never broken.
 */
export function atSpaces(stream: { readonly isTTY?: boolean; readonly columns?: number }, text: string): string {
  if (!stream.isTTY) return text;
  const columns = stream.columns || 80;
  const lines = text.split('\n').map((line) => {
    const label = LABEL.exec(line)?.[0] ?? '';
    const indent = stripVTControlCharacters(label).length;
    if (indent > columns / 2) return broken(line, columns);
    const rest = broken(line.slice(label.length), columns - indent).split('\n');
    return `${label}${rest.join(`\n${' '.repeat(indent)}`)}`;
  });
  return lines.join('\n').replaceAll(/ +$/gm, '');
}

/** Exit code when a threshold set by the user was crossed. */
const CROSSED = 1;

/** Exit code of a command that succeeded. */
export function exitCodeOf(findings: Findings): number {
  return failing(findings).length > 0 ? CROSSED : 0;
}
