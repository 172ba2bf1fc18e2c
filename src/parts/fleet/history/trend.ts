import { createHash } from 'node:crypto';
import type { Interval } from '../../../findings/numbers.ts';
import { median } from '../../../stats/quantiles.ts';
import { tQuantile } from '../../../stats/student.ts';
import { changesBetween, imagesCompared, type MeasuredImages, type Rebuilt, rebuiltImages } from './changes.ts';
import { type HistoryRecord, type HistoryVariant, inOrder, type Notes } from './record.ts';
import { findSteps, type Step } from './steps/find-steps.ts';
import type { LevelPoint } from './steps/level.ts';

/** What the trend page shows. Experiments are known by their number within their series, from 0 in the order of measuring. */
export interface TrendSeries {
  /** Hash of the properties that define the series, so it is the same in every page. */
  readonly id: string;
  readonly experiment: string;
  readonly repository: string | null;
  readonly machine: HistoryRecord['machine'];
  readonly meter: HistoryRecord['meter'];
  readonly startedAt: readonly string[];
  readonly commits: readonly (string | null)[];
  readonly reports: readonly (string | null)[];
  readonly failedChecks: readonly (readonly string[])[];
  /** Energies, a line for each variant. */
  readonly lines: readonly TrendLine[];
  /** Differences, the most precise values, since both sides come from the same blocks. A line for each variant and baseline. */
  readonly differences: readonly TrendLine[];
  readonly imagesCompared: readonly MeasuredImages[];
  /** What was written about the commits of its experiments. */
  readonly notes: readonly { readonly at: number; readonly text: string }[];
}

/** One variant in one series: its energy, or its difference from a baseline. */
export interface TrendLine {
  readonly variant: string;
  /** What it is compared with; null: the line is its own energy. */
  readonly baseline: string | null;
  /** Whether a commit was checked out for it, as in a backfill: an experiment file may have no such variant. */
  readonly isAtCommit: boolean;
  /** Numbers of its experiments; the columns beside it are as long. */
  readonly at: readonly number[];
  /** Mean energy of an execution, joules; of a difference, percent of the baseline. */
  readonly values: readonly number[];
  /** 95 % interval. */
  readonly lows: readonly (number | null)[];
  readonly highs: readonly (number | null)[];
  /** Runs of the variant that count. */
  readonly runs: readonly number[];
  /** How many of them have no failed check; steps are found from these alone. */
  readonly trusted: number;
  /** Numbers of the experiments in which the variant or its baseline failed. */
  readonly failed: readonly number[];
  readonly levels: readonly Level[];
  readonly steps: readonly TrendStep[];
  /** Images of the variant; those of a baseline stand in its own line. */
  readonly rebuilt: readonly Rebuilt[];
}

/** Between two steps. */
export interface Level {
  readonly from: number;
  readonly to: number;
  /** Median. */
  readonly value: number;
}

export interface TrendStep {
  /** The last experiment before it, and the first behind it. */
  readonly before: number;
  readonly at: number;
  /** Range of experiments that may be the first after the step. */
  readonly range: readonly [number, number];
  /** How much the energy changed; in a line of differences, how much the ratio of both energies did. */
  readonly percent: number;
  readonly ci95: Interval;
  /** Commits that are certainly before and after it; null: unknown, or the same. */
  readonly commits: readonly [before: string, behind: string] | null;
  /** Other differences across the range, besides the commit. */
  readonly changed: readonly string[];
}

/** Everything of the page, from records in any order. */
export function trendOf(records: readonly HistoryRecord[], notes: Notes = new Map()): TrendSeries[] {
  const all = seriesOf(inOrder(records)).map((series) => trendOfSeries(series, notes));
  // A series whose experiments all failed has no energy to draw.
  return all.filter(({ lines }) => lines.length > 0);
}

/** What `TrendSeries` has as its id. */
export const seriesId = ({ key }: Series): string => createHash('sha256').update(key).digest('hex').slice(0, 12);

/** One series of the page. */
export function trendOfSeries(series: Series, notes: Notes): TrendSeries {
  return {
    id: seriesId(series),
    experiment: series.experiment,
    repository: series.repository,
    machine: series.machine,
    meter: series.meter,
    startedAt: series.records.map(({ started_at }) => started_at),
    commits: series.records.map(({ commit }) => commit),
    reports: series.records.map(({ report }) => report),
    failedChecks: series.records.map(({ failed_checks }) => failed_checks),
    lines: listVariants(series).map((variant) => energyLine(series, variant)),
    differences: pairsOf(series).map(([baseline, variant]) => differenceLine(series, baseline, variant)),
    imagesCompared: imagesCompared(series.records),
    notes: series.records.flatMap(({ commit }, at) => {
      const text = commit === null ? undefined : notes.get(commit);
      return text === undefined ? [] : [{ at, text }];
    }),
  };
}

/** In the order of the latest experiment; those that it no longer has come last. */
function listVariants({ records }: Series): string[] {
  return [...new Set(records.toReversed().flatMap(({ variants }) => variants.map(({ name }) => name)))];
}

/** Baselines and variants that have a difference, in the same order. */
function pairsOf({ records }: Series): [string, string][] {
  const pairs = records.toReversed().flatMap(({ comparisons }) =>
    comparisons.flatMap(({ baseline, variant, percent }): [string, [string, string]][] => {
      return percent === null ? [] : [[JSON.stringify([baseline, variant]), [baseline, variant]]];
    }),
  );
  return [...new Map(pairs).values()];
}

/** One experiment in a line. */
interface Found {
  readonly at: number;
  readonly record: HistoryRecord;
  /** Its own first, then the baseline's, where the record has it. */
  readonly variants: readonly [HistoryVariant, ...HistoryVariant[]];
  readonly value: number;
  readonly ci95: Interval | null;
}

function energyLine({ records }: Series, name: string): TrendLine {
  const found = records.flatMap((record, at): Found[] => {
    const variant = record.variants.find((each) => each.name === name);
    return variant === undefined
      ? []
      : [{ at, record, variants: [variant], value: variant.energy_j, ci95: variant.ci95 }];
  });
  return lineOf({ variant: name, baseline: null }, records, found, energyPoint);
}

function differenceLine({ records }: Series, baseline: string, name: string): TrendLine {
  const found = records.flatMap((record, at): Found[] => {
    const comparison = record.comparisons.find((each) => each.baseline === baseline && each.variant === name);
    const [variant, other] = [name, baseline].map((side) => record.variants.find((each) => each.name === side));
    if (variant === undefined || comparison === undefined || comparison.percent === null) return [];
    const { percent, ci95 } = comparison;
    return [{ at, record, variants: other === undefined ? [variant] : [variant, other], value: percent, ci95 }];
  });
  return lineOf({ variant: name, baseline }, records, found, differencePoint);
}

function lineOf(
  names: Pick<TrendLine, 'variant' | 'baseline'>,
  records: Series['records'],
  found: readonly Found[],
  toPoint: (of: Found) => LevelPoint,
): TrendLine {
  const trusted = found.filter(isTrusted);
  const points = trusted.map(toPoint);
  // A difference of −100 % or less has no logarithm.
  const steps = points.every(({ logEnergy }) => Number.isFinite(logEnergy)) ? findSteps(points) : [];
  const shown = steps.map((step) => stepOf(trusted, step));
  return {
    ...names,
    isAtCommit: found.some(({ variants: [{ revision }] }) => revision !== undefined),
    at: found.map(({ at }) => at),
    values: found.map(({ value }) => value),
    lows: found.map(({ ci95 }) => ci95?.[0] ?? null),
    highs: found.map(({ ci95 }) => ci95?.[1] ?? null),
    runs: found.map(({ variants: [{ n }] }) => n),
    trusted: trusted.length,
    failed: records.flatMap(({ failed }, at) =>
      failed.some((name) => name === names.variant || name === names.baseline) ? [at] : [],
    ),
    levels: levelsOf(found, shown),
    steps: shown,
    rebuilt: rebuiltImages(found.map(({ at, variants: [variant] }) => ({ at, variant }))),
  };
}

/** The standard error is the interval's half-width over Student's quantile. */
function energyPoint({ value: energyJ, ci95, variants: [{ n }] }: Found): LevelPoint {
  const se = ci95 === null || n < 2 ? null : (ci95[1] - ci95[0]) / 2 / tQuantile(0.975, n - 1) / energyJ;
  return { logEnergy: Math.log(energyJ), se };
}

/** Half-width of a normal 95 % interval in standard errors; rank intervals are about as wide. */
const HALF_WIDTHS = 1.96;

/** The logarithm of the ratio of both energies. */
function differencePoint({ value, ci95 }: Found): LevelPoint {
  const ends = ci95?.map((end) => Math.log1p(end / 100));
  const known = ends?.every(Number.isFinite) ? ends : null;
  return { logEnergy: Math.log1p(value / 100), se: known ? (known[1]! - known[0]!) / 2 / HALF_WIDTHS : null };
}

/** The medians are those of experiments that can be trusted, where a level has any. */
function levelsOf(found: readonly Found[], steps: readonly TrendStep[]): Level[] {
  const edges = [0, ...steps.map(({ at }) => at), Infinity];
  return edges.slice(1).flatMap((end, i) => {
    const members = found.filter(({ at }) => at >= edges[i]! && at < end);
    if (members.length === 0) return [];
    const trusted = members.filter(isTrusted);
    const value = median((trusted.length > 0 ? trusted : members).map((one) => one.value));
    return [{ from: members[0]!.at, to: members.at(-1)!.at, value }];
  });
}

const isTrusted = ({ record }: Found): boolean => record.failed_checks.length === 0;

function stepOf(found: readonly Found[], { at, range, percent, ci95 }: Step): TrendStep {
  const [first, last] = range;
  const [before, now] = [found[first - 1]!, found[last]!];
  const [good, bad] = [before.record.commit, now.record.commit];
  return {
    before: found[at - 1]!.at,
    at: found[at]!.at,
    range: [found[first]!.at, found[last]!.at],
    percent,
    ci95,
    commits: good === null || bad === null || good === bad ? null : [good, bad],
    changed: changesBetween(before, now),
  };
}

/** A series: comparable experiments, with one question, on one machine with one meter. */
export interface Series {
  readonly key: string;
  readonly experiment: string;
  readonly repository: string | null;
  readonly machine: HistoryRecord['machine'];
  readonly meter: HistoryRecord['meter'];
  /** In the order of measuring. */
  readonly records: readonly HistoryRecord[];
}

/**
 * What must be the same for one line, besides the variant: repository, experiment, machine (host name, model, processor and their number,
 * virtualization) and meter (type, address, what it says of itself, source, channel). Another machine or meter begins a line of its own, and numbers of
 * a model or of an emulator never share one with measurements.
 */
export function seriesKey({ repository, experiment, machine, meter }: HistoryRecord): string {
  const { hostname, model, cpu, cpus, virtualization } = machine;
  const { type, address, source, identity, channel } = meter;
  return JSON.stringify([
    [repository, experiment],
    [hostname, model, cpu, cpus, virtualization],
    [type, address, source, identity, channel],
  ]);
}

/** Records in the order of measuring, by series; the one that was measured at last comes first. */
export function seriesOf(records: readonly HistoryRecord[]): Series[] {
  const groups = [...Map.groupBy(records, seriesKey)].map(([key, members]) => {
    const { experiment, repository, machine, meter } = members.at(-1)!;
    return { key, experiment, repository, machine, meter, records: members };
  });
  const last = new Map(groups.map(({ key, records: members }) => [key, records.lastIndexOf(members.at(-1)!)]));
  return groups.sort((a, b) => last.get(b.key)! - last.get(a.key)!);
}
