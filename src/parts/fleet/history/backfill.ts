import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { InputError, JoulediffError, messageOf } from '../../../errors.ts';
import type { Variant } from '../../../executors/registry.ts';
import type { Experiment } from '../../../experiment/experiment.ts';
import { RemoteHost } from '../../../hosts/host.ts';
import type { Progress } from '../../../measure/progress.ts';
import { readRemoteConditions } from '../../../measure/remote.ts';
import { handOverLeft } from '../../../measure/vault.ts';
import { askMeters } from '../../../measure/wait-for-machine.ts';
import { validateMeterNames } from '../../../meters/registry.ts';
import { runExperiment } from '../../../run/run.ts';
import { digestKey, keyedDigest } from '../../../system/digest-key.ts';
import { resultPath } from '../../../system/result-files.ts';
import { durationText } from '../../../text/numbers.ts';
import { plural } from '../../../text/plain.ts';
import { atCommits } from '../bisect/at-commits.ts';
import { type CommitRange, short } from '../bisect/commits.ts';
import { extractRecord, NOWHERE } from './extract.ts';
import type { HistoryRecord, HistoryStore } from './record.ts';
import { seriesKey } from './trend.ts';

export interface BackfillRequest {
  readonly range: CommitRange;
  /** Positions in the range to be measured. */
  readonly wanted: readonly number[];
  /** Base of all comparisons, and its name. */
  readonly base: { readonly name: string; readonly sha: string };
  readonly experiment: Experiment;
  readonly variant: Variant;
  readonly store: HistoryStore;
  /** Web address of the repository; null: none. */
  readonly repository: string | null;
  /** `oldest`: from the good end on; `steps`: between the two neighbors that differ most. */
  readonly order: 'oldest' | 'steps';
  readonly outDir: string;
  /** Time after which no further measurement begins; null: no limit. */
  readonly withinS: number | null;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

export interface Backfilled {
  /** Full hashes, in the order of measuring. */
  readonly added: readonly string[];
  /** Commits that could not be built, run or added. */
  readonly skipped: readonly { readonly commit: string; readonly reason: string }[];
  /** Number of wanted commits that are not in the history yet. */
  readonly left: number;
}

/** Variant name for all commits, so that they form one line. */
export const AT_COMMIT = 'commit';

/**
 * Measures commits that the history has not, each against the same base in the same blocks, and keeps each as soon as it is measured. What is there
 * is not measured again, so the same call goes on after a stop. Throws InputError, MeasureError or the signal's reason.
 */
export async function backfill(request: BackfillRequest): Promise<Backfilled> {
  const { range, wanted, base, experiment, variant, store, outDir, withinS, progress, signal } = request;
  const added: string[] = [];
  const skipped: { commit: string; reason: string }[] = [];
  const isDone = (sha: string): boolean => added.includes(sha) || skipped.some(({ commit }) => commit === sha);
  const shaOf = (position: number): string => range.commits[position]?.sha as string;
  // Runs of a killed process must be in their folder before that is looked at.
  for (const line of handOverLeft()) progress.note(line);
  const place: Place = { hostname: await hostnameOf(experiment, signal), meter: await meterOf(request) };
  const began = performance.now();
  let series: string | null = null;
  for (;;) {
    const measured = changesIn(await store.records(), request, series ?? place);
    const open = wanted.filter((of) => !measured.has(shaOf(of)) && !isDone(shaOf(of)) && shaOf(of) !== base.sha);
    const position = nextOf(open, measured, request);
    const isLate = withinS !== null && performance.now() - began > 1000 * withinS;
    if (position === undefined || isLate) {
      if (isLate && open.length > 0) progress.warn(`The time of ${durationText(withinS)} is over.`);
      return { added, skipped, left: open.length };
    }
    const { sha: commit, committedAt } = range.commits[position] as CommitRange['commits'][number];
    progress.note(`Commit ${short(commit)}; ${plural(open.length, 'commit')} left.`);
    const ends: [string, string][] = [[base.name, base.sha]];
    const pair = atCommits(experiment, variant, new Map([...ends, [AT_COMMIT, commit]]));
    // Another base, meter or setting makes another experiment, which can't continue this result.
    const folder = join(outDir, `${short(commit)}-${keyedDigest(digestKey(), JSON.stringify(pair)).slice(-8)}`);
    const { analysis, error } = await runExperiment({
      experiment: pair,
      outDir: folder,
      resume: existsSync(resultPath(folder, 'database')),
      progress,
      signal,
    });
    signal.throwIfAborted();
    if (error !== null) {
      if (!(error instanceof JoulediffError) || error.variant !== AT_COMMIT) throw error;
      progress.warn(`Commit ${short(commit)} is skipped: ${messageOf(error)}`);
      skipped.push({ commit, reason: messageOf(error) });
    } else if (analysis !== null) {
      const record = extractRecord(analysis.findings, { ...NOWHERE, repository: request.repository, commit });
      series = seriesKey(record);
      if (await store.add({ ...record, committed_at: committedAt })) added.push(commit);
      else skipped.push({ commit, reason: `${store.name} has its experiment already, of another repository.` });
    }
  }
}

/** Where a series that isn't measured yet will be. */
interface Place {
  readonly hostname: string;
  /** `address` undefined: any. */
  readonly meter: { readonly type: string; readonly address: string | null | undefined } | undefined;
}

/** A name without an address is enough, unless it is "auto"; else the meter is opened, since it may report another address. */
async function meterOf({ experiment, ...waiting }: BackfillRequest): Promise<Place['meter']> {
  const [named] = validateMeterNames(experiment.meters);
  const isEnough = named !== undefined && named.type !== 'auto' && named.address === null;
  return isEnough ? { type: named.type, address: undefined } : (await askMeters(experiment, waiting))[0];
}

async function hostnameOf({ host }: Experiment, signal: AbortSignal): Promise<string> {
  if (host === undefined) return hostname();
  await using machine = await RemoteHost.open(host, signal, () => {});
  return (await readRemoteConditions(machine)).hostname;
}

/**
 * The change of each commit against the base, percent, as the series that is measured has it; null: it has none. `series`: its key; before anything
 * is measured, its place.
 */
function changesIn(
  records: readonly HistoryRecord[],
  { base, experiment, repository }: BackfillRequest,
  series: string | Place,
): Map<string, number | null> {
  const isOfSeries = (record: HistoryRecord): boolean =>
    typeof series === 'string'
      ? seriesKey(record) === series
      : record.repository === repository &&
        record.experiment === experiment.name &&
        record.machine.hostname === series.hostname &&
        record.meter.type === series.meter?.type &&
        (series.meter.address === undefined || record.meter.address === series.meter.address);
  return new Map(
    records.filter(isOfSeries).flatMap(({ commit, variants, comparisons }): [string, number | null][] => {
      const found = comparisons.find((one) => one.baseline === base.name && one.variant === AT_COMMIT);
      const isBase = variants.some(({ name, revision }) => name === base.name && revision === base.sha);
      return commit === null || found === undefined || !isBase ? [] : [[commit, found.percent]];
    }),
  );
}

function nextOf(
  open: readonly number[],
  measured: ReadonlyMap<string, number | null>,
  { order, range, base }: BackfillRequest,
): number | undefined {
  if (order === 'oldest') return open[0];
  const known = [...range.commits.entries()].flatMap(([position, { sha }]) => {
    const percent = sha === base.sha ? 0 : measured.get(sha);
    return percent === undefined || percent === null ? [] : [{ position, percent }];
  });
  const last = open.at(-1);
  // The end of the range is measured first: a step needs both sides.
  if (known.length < 2) return last;
  const gaps = known.slice(1).flatMap(({ position: to, percent }, i) => {
    const { position: from, percent: before } = known[i] as (typeof known)[number];
    const inside = open.filter((of) => of > from && of < to);
    return inside.length === 0 ? [] : [{ inside, step: Math.abs(percent - before) }];
  });
  const widest = gaps.toSorted((a, b) => b.step - a.step || b.inside.length - a.inside.length)[0];
  return widest?.inside[Math.floor(widest.inside.length / 2)] ?? last;
}

/** Positions to measure: every nth from the newest on, or those of a list of commits. Throws InputError if none is left. */
export function wantedOf({ commits }: CommitRange, every: number, only: ReadonlySet<string> | null): number[] {
  const all = [...commits.keys()].slice(1).filter((of) => only?.has(commits[of]?.sha as string) ?? true);
  const wanted = all.filter((_, i) => (all.length - 1 - i) % every === 0);
  if (wanted.length > 0) return wanted;
  throw new InputError(`None of the ${plural(commits.length - 1, 'commit')} has a tag.`, {
    advice: 'Leave out --tags.',
  });
}
