import type { HistorySetting } from '../experiment/experiment.ts';
import type { Env } from '../forge/event.ts';
import type { ExperimentResult, RunPart } from '../run/run.ts';

export interface KeepRequest extends Pick<ExperimentResult, 'analysis' | 'complete' | 'outDir'> {
  readonly setting: HistorySetting;
  /** The forge's; empty: there is none. */
  readonly token: string;
}

export interface CheckRequest extends Pick<ExperimentResult, 'analysis'> {
  /** Text of the comment; empty: there is nothing to tell. */
  readonly markdown: string;
  readonly token: string;
  readonly commentKey: string;
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
  /** Marks the commit with the result, after the comment was written (input check). Never throws. */
  readonly check?: (request: CheckRequest, env: Env) => Promise<void>;
}
