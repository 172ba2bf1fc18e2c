import type { HistorySetting } from '../experiment/experiment.ts';
import type { Env } from '../forge/event.ts';
import type { ExperimentResult, RunPart } from '../run/run.ts';
import type { ActionInputs } from './inputs.ts';

export interface KeepRequest extends Pick<ExperimentResult, 'analysis' | 'complete' | 'outDir'> {
  readonly setting: HistorySetting;
  /** Token of the forge; empty: there is none. */
  readonly token: string;
}

/** Check on a commit. Its functions never throw. */
export interface Check {
  readonly begin: () => Promise<void>;
  /** Reports progress between runs: the remaining seconds, and whether the experiment may end sooner. */
  readonly progress: (remainingS: number, isBound: boolean) => void;
  /** Reports the end. `markdown`: text of the comment; empty: none. */
  readonly end: (
    result: Pick<ExperimentResult, 'analysis'> & { readonly markdown: string; readonly isCancelled?: boolean },
  ) => Promise<void>;
}

/** Runs a mode with the action's inputs, which `get` returns. Throws ExperimentError and InputError. */
export type RunMode = (get: (name: string) => string, token: string, env: Env) => Promise<void>;

/** What an optional part of joulediff adds to the action. */
export interface ActionPart {
  /** Modes that don't measure, by name. */
  readonly modes?: Readonly<Record<string, RunMode>>;
  /** Steps that it adds to an experiment, from measuring to the report. */
  readonly run?: () => Promise<RunPart>;
  /** Stores the findings of a job's experiment, before its result is uploaded. Never throws. */
  readonly keep?: (request: KeepRequest, env: Env) => Promise<void>;
  /** Marks the commit as being measured, and later with the result (input `check`). */
  readonly check?: (about: Pick<ActionInputs, 'token' | 'commentKey' | 'head'>, env: Env) => Promise<Check>;
}
