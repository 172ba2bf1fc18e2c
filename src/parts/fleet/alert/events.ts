import { notesAt } from '../history/page/tables.ts';
import type { Notes } from '../history/record.ts';
import type { Series, TrendLine, TrendSeries, TrendStep } from '../history/trend.ts';
import { trendOfSeries } from '../history/trend.ts';

/** Steps in several lines of a series that may be at the same place and so have one cause. */
export interface StepEvent {
  readonly series: TrendSeries;
  /** The lines that changed, the largest change first, differences before energies. */
  readonly moved: readonly [Moved, ...Moved[]];
  /** Commit of the first experiment behind the largest step. */
  readonly commit: string;
  /** Numbers of the experiments that may be the first behind it. */
  readonly range: readonly [number, number];
  /** Notes of these experiments, which accept the step. */
  readonly notes: readonly string[];
}

export interface Moved {
  readonly line: TrendLine;
  readonly step: TrendStep;
}

/** All steps of a series, in order. Steps at experiments without a commit are left out, since they can't be reported. */
export function listEvents(series: TrendSeries): StepEvent[] {
  const lines = [...series.differences, ...series.lines];
  const all = lines.flatMap((line) => line.steps.map((step) => ({ line, step })));
  const groups: Moved[][] = [];
  let end = -1;
  for (const moved of all.toSorted((a, b) => a.step.range[0] - b.step.range[0])) {
    if (moved.step.range[0] > end) groups.push([]);
    groups.at(-1)?.push(moved);
    end = Math.max(end, moved.step.range[1]);
  }
  return groups.flatMap((group) => {
    const rank = ({ line, step }: Moved): number => (line.baseline === null ? 0 : 1e9) + Math.abs(step.percent);
    const moved = group.toSorted((a, b) => rank(b) - rank(a)) as [Moved, ...Moved[]];
    const commit = series.commits[moved[0].step.at] ?? null;
    const range = moved.reduce<[number, number]>(
      ([from, to], { step }) => [Math.min(from, step.range[0]), Math.max(to, step.range[1])],
      [Infinity, -1],
    );
    return commit === null ? [] : [{ series, moved, commit, range, notes: notesAt(series, range) }];
  });
}

/** Steps that the history did not show with only the first `count` experiments of the series. */
export function eventsSince(events: readonly StepEvent[], series: Series, count: number, notes: Notes): StepEvent[] {
  const before = listEvents(trendOfSeries({ ...series, records: series.records.slice(0, count) }, notes));
  return events.filter(({ range: [from, to] }) => !before.some(({ range }) => range[0] <= to && range[1] >= from));
}

/** Number of experiments by which a step's place may move with more data; different steps are farther apart. */
const DRIFT = 2;

/** Whether this is the step that was found earlier at this commit. */
export function isAbout({ series, range: [from, to] }: StepEvent, commit: string): boolean {
  return series.commits.some((each, at) => each === commit && at >= from - DRIFT && at <= to + DRIFT);
}
