import { existsSync } from 'node:fs';
import type { MeterInfo } from '../contracts/reading.ts';
import type { PlaceFacts, Revision, WorkloadFiles } from '../contracts/variant.ts';
import { InputError, MeasureError } from '../errors.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { benchmarksByVariant } from '../experiment/suite.ts';
import { identityOf, identityText } from '../meters/registry.ts';
import type { Plan } from '../schedule/plan.ts';
import { planProgress } from '../schedule/plan-progress.ts';
import { openStore, withStore } from '../store/reader.ts';
import type {
  ChannelRecord,
  ExperimentRecord,
  InterimRecord,
  QuietInspection,
  RunPlace,
  RunRecord,
} from '../store/records.ts';
import { visible } from '../text/plain.ts';
import { compareRecords, recordable } from './concealed.ts';

const UNKNOWN_VALUES =
  'Whether the values of env and build arguments are the same as before can’t be checked here: only their digests are recorded, and the key stays with the user and machine that started the experiment.';

/** An unfinished experiment: one whose database does not hold all runs of its plan. */
export interface Unfinished {
  readonly id: string;
  readonly plan: Plan;
  readonly runs: readonly RunRecord[];
  /** Place of each run, by its number. */
  readonly places: ReadonlyMap<number, RunPlace>;
  readonly channels: readonly ChannelRecord[];
  readonly complete: boolean;
  /** Pauses of its first session: the passport of a meter may give others now. */
  readonly pauses: Pick<Experiment, 'restS' | 'guardS'>;
  readonly looks: readonly InterimRecord[];
  readonly quietInspections: readonly QuietInspection[];
  /** Facts of the places, by variant. */
  readonly facts: ReadonlyMap<string, PlaceFacts>;
  /** The workload's files in its first session. */
  readonly files: WorkloadFiles | null;
}

/** Commits at which the recorded experiment is measured, by variant. */
export function recordedRevisions(database: string): Map<string, Revision> {
  const variants = withStore(database, (reader) => reader.variants());
  return new Map(variants.flatMap(({ name, revision }) => (revision === null ? [] : [[name, revision]])));
}

/** Reads what is there. Throws InputError when it is the result of another experiment file. */
export function readUnfinished(
  database: string,
  experiment: Experiment,
  warn: (text: string) => void,
  isExplained = false,
): Unfinished {
  using reader = openStore(database);
  const recorded = reader.experiment();
  sameExperiment(reader.definition(), recorded, experiment, { warn, isExplained });
  const runs = reader.runs();
  const plan: Plan = { seed: recorded.seed, order: 'randomized-blocks', runs: reader.plannedRuns() };
  const looks = reader.looks();
  const benchmarks = benchmarksByVariant(experiment.suite);
  const { repetitions } = recorded;
  const { complete } = planProgress({ planned: plan.runs, runs, looks, repetitions, benchmarks });
  return {
    id: recorded.id,
    plan,
    runs,
    places: reader.places(),
    channels: reader.channels(),
    complete,
    pauses: { restS: recorded.restS, guardS: recorded.guardS },
    looks,
    quietInspections: reader.quietInspections(),
    facts: new Map(reader.variants().map(({ name, facts }) => [name, facts])),
    files: reader.sessions()[0]?.files ?? null,
  };
}

/** Whether the experiment is still as it was read; null: there was none. Another joulediff may have gone on with it while this one waited. */
export function isAsRead(database: string, read: Unfinished | null): boolean {
  if (read === null || !existsSync(database)) return (read !== null) === existsSync(database);
  using reader = openStore(database);
  const now = [reader.experiment().id, reader.runs().length, reader.looks().length];
  return now.join() === [read.id, read.runs.length, read.looks.length].join();
}

interface Channel {
  readonly channel: string;
  readonly meter: Pick<MeterInfo, 'type' | 'source' | 'identity'>;
}

/** Throws MeasureError where the meters are not those of before: a number's source never changes within an experiment. */
export function sameMeters(unfinished: Unfinished, meters: readonly MeterInfo[]): void {
  const before: readonly Channel[] = unfinished.channels;
  const now: readonly Channel[] = meters.flatMap((meter) => meter.channels.map(({ channel }) => ({ channel, meter })));
  const keyOf = ({ channel, meter }: Channel) => `${channel} of ${identityOf(meter)}`;
  if (before.map(keyOf).sort().join() === now.map(keyOf).sort().join()) return;
  const textOf = (list: readonly Channel[]) =>
    list.map(({ channel, meter }) => `${channel} of ${identityText(meter)}`).join(', ');
  throw new MeasureError(`The experiment was started with ${textOf(before)}; now there is ${textOf(now)}.`, {
    advice: 'Connect the earlier meter, or start again without --resume.',
  });
}

/** Keys of an experiment that change none of its runs. */
export const CHANGES_NONE: ReadonlySet<string> = new Set([
  // The text of the file is compared by its other keys.
  'asWritten',
  'history',
  'logs',
  'onNoise',
  'explain',
  'profiles',
  'trace',
  'waitForMachineS',
]);

function sameExperiment(
  definition: Experiment,
  { id, seed }: Pick<ExperimentRecord, 'id' | 'seed'>,
  experiment: Experiment,
  { warn, isExplained }: { warn: (text: string) => void; isExplained: boolean },
): void {
  // Compared in its recorded form; a key that only one of them has was changed, too.
  const asked: Experiment = JSON.parse(JSON.stringify(recordable(experiment, id)));
  const keys = Object.keys({ ...definition, ...asked }) as (keyof Experiment)[];
  const changed = keys.filter((key) => {
    // Where findings are kept, how much output is kept, what is waited for, and the extra runs change none of the runs.
    if (CHANGES_NONE.has(key)) return false;
    // These two pauses follow from the meter, which is compared by itself.
    if ((key === 'restS' || key === 'restUpToS') && asked.restUpToS !== undefined && definition.restUpToS !== undefined)
      return false;
    if (key === 'guardS' && asked.guardByMeter && definition.guardByMeter) return false;
    if (key === 'seed') return asked.seed !== null && asked.seed !== seed;
    const { isSame, isKnown } = compareRecords(definition[key], asked[key]);
    if (isSame && !isKnown) warn(UNKNOWN_VALUES);
    return !isSame;
  });
  if (changed.length === 0) return;
  const reported = changed.map((key) => {
    const [before, now] = [valueText(key, definition[key]), valueText(key, asked[key])];
    return `${FILE_KEYS[key] ?? key}${before === null || now === null ? '' : ` (${before}, now ${now})`}`;
  });
  // Two keys may come from one of the file.
  const listed = reported.filter((one) => !reported.some((other) => other.startsWith(`${one} (`))).join(', ');
  if (isExplained) {
    throw new InputError(`The result is of another experiment: ${listed} changed since it was measured.`, {
      advice: 'Give the folder of the result instead of the experiment file: joulediff explain DIR.',
    });
  }
  throw new InputError(`The unfinished experiment was planned differently: ${listed} changed since.`, {
    advice: 'To continue it, give the same experiment file and settings; to start again, leave out --resume.',
  });
}

/** Names of keys as the user writes them, where they differ. */
const FILE_KEYS: Partial<Record<keyof Experiment, string>> = {
  batchStarts: 'batch.starts',
  batchWindowS: 'batch.window',
  directory: 'folder of the experiment file',
  factorial: 'matrix',
  failOn: 'fail-on',
  guardS: 'guard',
  marginPercent: 'margin',
  meters: 'meter',
  passEnv: 'pass-env',
  pins: 'cpus or nice',
  restS: 'rest',
  restUpToS: 'rest',
  guardByMeter: 'guard',
};

/** A value as text; null: it does not fit into a sentence. */
function valueText(key: keyof Experiment, value: unknown): string | null {
  if (typeof value === 'number') return key.endsWith('S') ? `${value} s` : String(value);
  if (typeof value === 'string') return visible(value);
  return key === 'meters' ? visible((value as Experiment['meters']).join(', ')) : null;
}
