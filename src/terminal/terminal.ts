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
  /** What optional parts add. */
  readonly parts: readonly TerminalPart[];
}

/** Commands by their names. The code of each is evaluated only when it is wanted. */
export type Commands = Readonly<Record<string, () => Promise<(terminal: Terminal) => CommandUnknownOpts>>>;

/** What `analyze` was told of a table of runs. */
export interface TableOptions {
  readonly baseline?: string | undefined;
  readonly margin?: string | undefined;
  readonly failOn: readonly string[];
}

/** Runs after the blocks, before any is there. */
export interface PlannedExtraRuns {
  /** The variants that run, in this order. */
  readonly variants: readonly string[];
  /** Idle seconds before each of them. */
  readonly restS: number;
  /** Sentences. */
  readonly notes: readonly string[];
  /** Lines of the order. */
  readonly order: readonly string[];
}

/** What an optional part of joulediff adds to the terminal program. The core knows these words, and no part. */
export interface TerminalPart {
  /** By the command of the core that they follow in the help. */
  readonly commands?: Readonly<Record<string, Commands>>;
  /** Commands of two words, by the first. */
  readonly groups?: Readonly<Record<string, Commands>>;
  /** Makes an analysis of a table of runs from elsewhere. Throws InputError. */
  readonly analyzeTable?: (path: string, text: string, options: TableOptions) => Promise<Analysis>;
  /** Shows several results together in a folder, and gives their findings. Throws InputError. */
  readonly reportSeveral?: (paths: readonly string[], outDir: string) => Promise<readonly Findings[]>;
  /** What it adds to an experiment, from measuring to the report. */
  readonly run?: () => Promise<RunPart>;
  /** What `plan` prints of runs after the blocks that the experiment file asks for. */
  readonly plannedExtraRuns?: (experiment: Experiment, plan: Plan) => Promise<PlannedExtraRuns | null>;
  /** What a person is told after an experiment that has a history. */
  readonly historyHint?: (setting: HistorySetting, databasePath: string) => Promise<string>;
}

/** The part that can do something. Throws InputError where no part of this build can. */
export function ability<K extends keyof TerminalPart>(
  { parts }: Terminal,
  name: K,
  what: string,
): NonNullable<TerminalPart[K]> {
  const found = parts.map((part) => part[name]).find((one) => one !== undefined);
  if (found === undefined) throw new InputError(`This build of joulediff can't ${what}: it has no part for that.`);
  return found as NonNullable<TerminalPart[K]>;
}

/** What a part adds to an experiment, from measuring to the report; undefined: this build has none that does. */
export const runPart = async ({ parts }: Terminal): Promise<RunPart | undefined> =>
  parts.find(({ run }) => run !== undefined)?.run?.();

/** Prints what a command answers with --json. */
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

/** Colour only on a terminal, and never against NO_COLOR. */
export function useColour(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}

/** What stands at the beginning of a line, coloured or not: spaces, or a word with two spaces or more behind it. */
const LABEL = /^(?:\x1b\[\d+m)?(?: +|\S+ {2,})(?:\x1b\[0m *)?/;

/** The line in lines of so many columns. By the program's own help: a library that knows wide letters takes longer to load than a short command runs. */
function broken(line: string, columns: number): string {
  const help = new Help();
  help.minWidthToWrap = 1;
  // A no-break space is white space there, too.
  const bound = unitsBound(line).replaceAll('\u00a0', '\ue000');
  return unitsFree(help.boxWrap(bound, columns).replaceAll('\ue000', '\u00a0'));
}

/**
 * Sentences for a person, broken at spaces, but between no number and its unit, as wide as the terminal is, each line below its own beginning; a log is searched, and gets them whole.
 * Paths are never broken.
 */
export function atSpaces(stream: { readonly isTTY?: boolean; readonly columns?: number }, text: string): string {
  if (!stream.isTTY) return text;
  const columns = stream.columns ?? 80;
  const lines = text.split('\n').map((line) => {
    const label = LABEL.exec(line)?.[0] ?? '';
    const indent = stripVTControlCharacters(label).length;
    if (indent > columns / 2) return broken(line, columns);
    const rest = broken(line.slice(label.length), columns - indent).split('\n');
    return `${label}${rest.join(`\n${' '.repeat(indent)}`)}`;
  });
  return lines.join('\n').replaceAll(/ +$/gm, '');
}

/** A threshold that the user set was crossed. */
const CROSSED = 1;

/** Exit code of a command that has done its work. */
export function exitCodeOf(findings: Findings): number {
  return failing(findings).length > 0 ? CROSSED : 0;
}
