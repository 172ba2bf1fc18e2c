import type { Interval } from '../findings/numbers.ts';
import { tQuantile } from '../stats/student.ts';
import { changesBetween, type Rebuilt, rebuiltImages } from './changes.ts';
import { type HistoryRecord, type HistoryVariant, inOrder } from './record.ts';
import { findSteps, type Step } from './steps/find-steps.ts';
import type { LevelPoint } from './steps/level.ts';

/** What the trend page shows. Experiments are known by their number within their series, from 0 in the order of measuring. */
export interface TrendSeries {
  readonly experiment: string;
  readonly repository: string | null;
  readonly machine: HistoryRecord['machine'];
  readonly meter: HistoryRecord['meter'];
  readonly startedAt: readonly string[];
  readonly commits: readonly (string | null)[];
  readonly reports: readonly (string | null)[];
  readonly failedChecks: readonly (readonly string[])[];
  readonly lines: readonly TrendLine[];
}

/** One variant in one series. */
export interface TrendLine {
  readonly variant: string;
  /** Numbers of its experiments; the columns beside it are as long. */
  readonly at: readonly number[];
  readonly energyJ: readonly number[];
  /** 95 % interval of the mean. */
  readonly lowJ: readonly (number | null)[];
  readonly highJ: readonly (number | null)[];
  readonly runs: readonly number[];
  readonly levels: readonly Level[];
  readonly steps: readonly TrendStep[];
  readonly rebuilt: readonly Rebuilt[];
}

/** Between two steps. */
export interface Level {
  readonly from: number;
  readonly to: number;
  /** Median. */
  readonly energyJ: number;
}

export interface TrendStep {
  /** The last experiment before it, and the first behind it. */
  readonly before: number;
  readonly at: number;
  /** The first experiment behind it is one of these. */
  readonly range: readonly [number, number];
  readonly percent: number;
  readonly ci95: Interval;
  /** What else is different across the range, besides the commit. */
  readonly changed: readonly string[];
}

/** Everything of the page, from records in any order. */
export function trendOf(records: readonly HistoryRecord[]): TrendSeries[] {
  return seriesOf(inOrder(records)).map((series) => ({
    experiment: series.experiment,
    repository: series.repository,
    machine: series.machine,
    meter: series.meter,
    startedAt: series.records.map(({ started_at }) => started_at),
    commits: series.records.map(({ commit }) => commit),
    reports: series.records.map(({ report }) => report),
    failedChecks: series.records.map(({ failed_checks }) => failed_checks),
    lines: variantsOf(series).map((variant) => lineOf(series, variant)),
  }));
}

/** In the order of the latest experiment; those that it no longer has come last. */
function variantsOf({ records }: Series): string[] {
  return [...new Set(records.toReversed().flatMap(({ variants }) => variants.map(({ name }) => name)))];
}

function lineOf({ records }: Series, name: string): TrendLine {
  const found = records.flatMap((record, at) => {
    const variant = record.variants.find((each) => each.name === name);
    return variant === undefined ? [] : [{ at, record, variant }];
  });
  const variants = found.map(({ variant }) => variant);
  const steps = findSteps(variants.map(pointOf));
  return {
    variant: name,
    at: found.map(({ at }) => at),
    energyJ: variants.map(({ energy_j }) => energy_j),
    lowJ: variants.map(({ ci95 }) => ci95?.[0] ?? null),
    highJ: variants.map(({ ci95 }) => ci95?.[1] ?? null),
    runs: variants.map(({ n }) => n),
    levels: levelsOf(found, steps),
    steps: steps.map((step) => stepOf(found, step)),
    rebuilt: rebuiltImages(found),
  };
}

interface Found {
  readonly at: number;
  readonly record: HistoryRecord;
  readonly variant: HistoryVariant;
}

/** The interval is Student's, so its half-width over the quantile is the standard error. */
function pointOf({ energy_j: energy, ci95, n }: HistoryVariant): LevelPoint {
  const se = ci95 === null || n < 2 ? null : (ci95[1] - ci95[0]) / 2 / tQuantile(0.975, n - 1) / energy;
  return { logEnergy: Math.log(energy), se };
}

function levelsOf(found: readonly Found[], steps: readonly Step[]): Level[] {
  const edges = [0, ...steps.map(({ at }) => at), found.length];
  return edges.slice(1).flatMap((end, i) => {
    const members = found.slice(edges[i], end);
    if (members.length === 0) return [];
    const energies = members.map(({ variant }) => variant.energy_j).sort((a, b) => a - b);
    const middle = energies.length >> 1;
    const median = energies.length % 2 === 1 ? energies[middle]! : (energies[middle - 1]! + energies[middle]!) / 2;
    return [{ from: members[0]!.at, to: members.at(-1)!.at, energyJ: median }];
  });
}

function stepOf(found: readonly Found[], { at, range, percent, ci95 }: Step): TrendStep {
  const [first, last] = range;
  return {
    before: found[at - 1]!.at,
    at: found[at]!.at,
    range: [found[first]!.at, found[last]!.at],
    percent,
    ci95,
    changed: changesBetween(found[first - 1]!, found[last]!),
  };
}

/** A series: experiments that may be drawn together, of one question on one machine with one meter. */
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
function seriesKey({ repository, experiment, machine, meter }: HistoryRecord): string {
  const { hostname, model, cpu, cpus, virtualization } = machine;
  const { type, address, source, identity, channel } = meter;
  return JSON.stringify([
    [repository, experiment],
    [hostname, model, cpu, cpus, virtualization],
    [type, address, source, identity, channel],
  ]);
}

/** Records in the order of measuring, by series; the one that was measured at last comes first. */
function seriesOf(records: readonly HistoryRecord[]): Series[] {
  const groups = [...Map.groupBy(records, seriesKey)].map(([key, members]) => {
    const { experiment, repository, machine, meter } = members.at(-1)!;
    return { key, experiment, repository, machine, meter, records: members };
  });
  const last = new Map(groups.map(({ key, records: members }) => [key, records.lastIndexOf(members.at(-1)!)]));
  return groups.sort((a, b) => last.get(b.key)! - last.get(a.key)!);
}
