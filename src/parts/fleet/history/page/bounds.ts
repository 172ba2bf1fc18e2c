import type { TrendLine, TrendSeries } from '../trend.ts';

/** Maximum series and experiments in a page, so that it opens fast; history.csv has everything. */
const MAX_PLACES = 300;
const MAX_EXPERIMENTS = 100_000;

export interface Bounded {
  readonly places: readonly TrendSeries[];
  /** Number of omitted series, those with the oldest measurements. */
  readonly placesLeft: number;
  /** Number of omitted experiments, the oldest of the longest series. */
  readonly experimentsLeft: number;
}

/** As much of the latest as a page holds. The latest place comes first. */
export function bounded(all: readonly TrendSeries[], most = MAX_EXPERIMENTS): Bounded {
  const kept = all.slice(0, MAX_PLACES);
  const longest = longestFor(
    kept.map(({ startedAt }) => startedAt.length),
    most,
  );
  const places = kept.map((series) => keepLatest(series, longest));
  const count = (some: readonly TrendSeries[]): number =>
    some.reduce((sum, { startedAt }) => sum + startedAt.length, 0);
  return { places, placesLeft: all.length - kept.length, experimentsLeft: count(all) - count(places) };
}

/** How long places may be, so that all of them together are not longer than `most`. */
function longestFor(lengths: readonly number[], most: number): number {
  let left = most;
  const rising = lengths.toSorted((a, b) => a - b);
  for (const [i, length] of rising.entries()) {
    const share = Math.floor(left / (rising.length - i));
    if (length > share) return Math.max(1, share);
    left -= length;
  }
  return Infinity;
}

/** The latest experiments of a place, numbered anew; steps among them are those of the whole line. */
function keepLatest(series: TrendSeries, count: number): TrendSeries {
  const cut = series.startedAt.length - count;
  if (!(cut > 0)) return series;
  const lines = (all: readonly TrendLine[]): TrendLine[] =>
    all.map((line) => laterPart(line, cut)).filter(({ at }) => at.length > 0);
  return {
    ...series,
    startedAt: series.startedAt.slice(cut),
    commits: series.commits.slice(cut),
    reports: series.reports.slice(cut),
    failedChecks: series.failedChecks.slice(cut),
    lines: lines(series.lines),
    differences: lines(series.differences),
    imagesCompared: later(series.imagesCompared, cut),
    notes: later(series.notes, cut),
  };
}

function laterPart(line: TrendLine, cut: number): TrendLine {
  const first = line.at.findIndex((at) => at >= cut);
  const from = first < 0 ? line.at.length : first;
  return {
    ...line,
    at: line.at.slice(from).map((at) => at - cut),
    values: line.values.slice(from),
    lows: line.lows.slice(from),
    highs: line.highs.slice(from),
    runs: line.runs.slice(from),
    failed: line.failed.filter((at) => at >= cut).map((at) => at - cut),
    levels: line.levels
      .filter(({ to }) => to >= cut)
      .map((level) => ({ ...level, from: Math.max(0, level.from - cut), to: level.to - cut })),
    steps: line.steps
      .filter(({ before }) => before >= cut)
      .map((step) => ({
        ...step,
        before: step.before - cut,
        at: step.at - cut,
        range: [Math.max(0, step.range[0] - cut), step.range[1] - cut],
      })),
    rebuilt: later(line.rebuilt, cut),
  };
}

const later = <T extends { readonly at: number }>(all: readonly T[], cut: number): T[] =>
  all.filter(({ at }) => at >= cut).map((each) => ({ ...each, at: each.at - cut }));
