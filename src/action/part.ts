import type { HistorySetting } from '../experiment/experiment.ts';
import type { Env } from '../forge/event.ts';
import type { ExperimentResult, RunPart } from '../run/run.ts';
import type { ActionInputs } from './inputs.ts';

export interface KeepRequest extends Pick<ExperimentResult, 'analysis' | 'complete' | 'outDir'> {
  readonly setting: HistorySetting;
  /** The forge's; empty: there is none. */
  readonly token: string;
}

/** The mark of a commit. None of it throws. */
export interface Check {
  readonly begin: () => Promise<void>;
  /** Called between runs: the seconds that remain, and whether the experiment may end before. */
  readonly progress: (remainingS: number, isBound: boolean) => void;
  /** `markdown`: text of the comment; empty: there is nothing to tell. */
  readonly end: (
    result: Pick<ExperimentResult, 'analysis'> & { readonly markdown: string; readonly isCancelled?: boolean },
  ) => Promise<void>;
}

/** Reads the action's inputs by `get` and does what the mode is for. Throws ExperimentError and InputError. */
export type RunMode = (get: (name: string) => string, token: string, env: Env) => Promise<void>;

/** What an optional part of joulediff adds to the action. */
export interface ActionPart {
  /** Modes that measure nothing, by their names. */
  readonly modes?: Readonly<Record<string, RunMode>>;
  /** What it adds to an experiment, from measuring to the report. */
  readonly run?: () => Promise<RunPart>;
  /** Keeps what an experiment in a job found, before its result is uploaded. Never throws. */
  readonly keep?: (request: KeepRequest, env: Env) => Promise<void>;
  /** Marks the commit as being measured, and with the result (input check). */
  readonly check?: (about: Pick<ActionInputs, 'token' | 'commentKey' | 'head'>, env: Env) => Promise<Check>;
}
