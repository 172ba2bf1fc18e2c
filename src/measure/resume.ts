import { InputError, MeasureError } from '../errors.ts';
import type { Revision } from '../executors/variant.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { MeterInfo } from '../meters/meter.ts';
import type { Plan } from '../schedule/plan.ts';
import { openStore } from '../store/reader.ts';
import type { ChannelRecord, LookRecord, RunRecord } from '../store/records.ts';
import { databasePath } from './output-folder.ts';
import { type Finished, finishedOf } from './queue.ts';
import { howFar } from './through.ts';

/** An experiment.db that is not through its plan. */
export interface Unfinished {
  readonly id: string;
  readonly plan: Plan;
  readonly finished: readonly Finished[];
  readonly runs: readonly RunRecord[];
  readonly lastRun: number;
  readonly channels: readonly ChannelRecord[];
  readonly complete: boolean;
  readonly looks: readonly LookRecord[];
}

/** The commits that the experiment there is measured at, by variant. */
export function recordedRevisions(outDir: string): Map<string, Revision> {
  const reader = openStore(databasePath(outDir));
  try {
    return new Map(reader.variants().flatMap(({ name, revision }) => (revision === null ? [] : [[name, revision]])));
  } finally {
    reader.close();
  }
}

/** Reads what is there. Throws InputError when it is the result of another experiment file. */
export function readUnfinished(outDir: string, experiment: Experiment): Unfinished {
  const reader = openStore(databasePath(outDir));
  try {
    const recorded = reader.experiment();
    sameExperiment(recorded.definition, recorded.seed, experiment);
    const runs = reader.runs();
    const finished = runs.map(finishedOf);
    const plan: Plan = { seed: recorded.seed, order: 'randomized-blocks', runs: reader.plannedRuns() };
    return {
      id: recorded.id,
      plan,
      finished,
      runs,
      lastRun: finished.reduce((most, f) => Math.max(most, f.run), 0),
      channels: reader.channels(),
      complete: howFar(reader).complete,
      looks: reader.looks(),
    };
  } finally {
    reader.close();
  }
}

/** A number's source never changes within an experiment. Throws MeasureError when the meters are not those of before. */
export function sameMeters(unfinished: Unfinished, meters: readonly MeterInfo[]): void {
  const before = unfinished.channels.map((c) => `${c.channel} of ${c.meter.type} (${c.meter.source})`).sort();
  const now = meters.flatMap((m) => m.channels.map((c) => `${c.channel} of ${m.type} (${m.source})`)).sort();
  if (before.join() === now.join()) return;
  throw new MeasureError(`The experiment was begun with ${before.join(', ')}; now there is ${now.join(', ')}.`, {
    advice: 'Connect the meter of before, or start anew without --resume.',
  });
}

function sameExperiment(definition: string, seed: number, experiment: Experiment): void {
  // Files of before the keys, and files without looks or phases.
  const recorded = { batch: 1, looks: [], phases: [], ...JSON.parse(definition) } as Experiment;
  const asked = { looks: [], phases: [], ...JSON.parse(JSON.stringify(experiment)) } as Experiment;
  const changed = (Object.keys(asked) as (keyof Experiment)[]).filter((key) => {
    // Where findings are kept changes none of them.
    if (key === 'history') return false;
    if (key === 'seed') return asked.seed !== null && asked.seed !== seed;
    return JSON.stringify(recorded[key]) !== JSON.stringify(asked[key]);
  });
  if (changed.length === 0) return;
  throw new InputError(`The unfinished experiment was planned differently: ${changed.join(', ')} changed since.`, {
    advice: 'Give the same experiment file and settings to go on with it, or leave out --resume to start anew.',
  });
}
