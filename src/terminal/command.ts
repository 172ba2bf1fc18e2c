import type { Arguments, Option } from './arguments.ts';

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

export interface Command {
  readonly name: string;
  /** Its positional argument in the help, for example `[joulediff.yml]`. */
  readonly argument: string;
  readonly summary: string;
  readonly options: readonly Option[];
  /** Positional arguments that it takes, where it is not one. */
  readonly mostPositional?: number;
  /** Gives the exit code; throws what `tellError` tells. */
  run(args: Arguments, streams: Streams): Promise<number>;
}

const OUT: Option = { name: 'out', value: 'DIR', help: 'folder of the result (default joulediff-out)' };

export const JSON_FLAG: Option = { name: 'json', value: null, help: 'findings as JSON on stdout' };

/** Options of every command that takes an experiment file. */
export const EXPERIMENT_OPTIONS: readonly Option[] = [
  { name: 'meter', value: 'NAME', help: 'meter, for example watts-up-pro:/dev/serial/by-id/…, rapl, estimate, auto' },
  { name: 'repetitions', value: 'N', help: 'blocks: runs of every variant' },
  { name: 'seed', value: 'N', help: 'seed of the random order' },
  OUT,
  { name: 'set', value: 'KEY=VALUE', many: true, help: 'any key of the experiment file, for example warmup.runs=1' },
];

export const RESUME: Option = { name: 'resume', value: null, help: 'go on with the unfinished experiment in DIR' };

export const OUT_OPTION = OUT;

export const DEFAULT_OUT = 'joulediff-out';
export const DEFAULT_FILE = 'joulediff.yml';
