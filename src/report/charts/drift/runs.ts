import type { Analysis, RunResult } from '../../../analysis/results.ts';
import { median } from '../../../stats/quantiles.ts';
import { theilSen } from '../../../stats/trend.ts';
import type { SeriesStyle } from '../canvas/theme.ts';
import { type Point, thin, thinnedNote } from '../parts/points.ts';
import { notDrawn, variantRuns } from '../parts/variant-runs.ts';

/** Maximum variants in one plot: more would overlap. */
const MAX_VARIANTS = 6;
const MAX_RUNS = 600;
/** Maximum runs for a trend, which uses every pair of runs. */
const MAX_FOR_TREND = 400;

export type DriftRun = RunResult & { readonly energyJ: number; readonly first: boolean };

export interface Trend {
  readonly from: Point;
  readonly to: Point;
  /** Change from the first run to the last, in percent of the line's value halfway between them. */
  readonly percent: number;
}

export interface DriftSeries {
  readonly label: string;
  readonly style: SeriesStyle;
  readonly flagged: ReadonlySet<number>;
  readonly runs: readonly DriftRun[];
  /** Trend over all runs; null: fewer than six, or no percentage is possible. */
  readonly trend: Trend | null;
}

export interface Drift {
  readonly series: readonly DriftSeries[];
  /** The points of each block of two runs or more, in their order. */
  readonly blocks: readonly (readonly Point[])[];
  /** Runs without a valid energy that are drawn; `missingInAll` is the number of all of them. */
  readonly missing: readonly { readonly run: number; readonly style: SeriesStyle }[];
  readonly missingInAll: number;
  readonly note: string;
}

/** Data of the drift chart: whole blocks, evenly selected if there are too many. */
export function driftRuns(analysis: Analysis): Drift {
  const { variants, note } = variantRuns(analysis, MAX_VARIANTS);
  const all = variants.map((v) => v.runs.filter(hasEnergy));
  const count = all.flat().length;
  const getBlock = (r: RunResult): number => r.block ?? r.run;
  const blocks = [...new Set(all.flat().map(getBlock))].sort((a, b) => a - b);
  const shown = new Set(thin(blocks, Math.ceil((MAX_RUNS * blocks.length) / Math.max(count, 1))));
  const lowest = lowestPosition(all.flat());
  const series = variants.flatMap((v, i): DriftSeries[] => {
    const runs = all[i]!.filter((r) => shown.has(getBlock(r)) || v.flagged.has(r.run)).map((r) => ({
      ...r,
      first: r.position === null || r.position === lowest,
    }));
    return runs.length === 0 ? [] : [{ ...v, runs, trend: trendOf(all[i]!) }];
  });
  const drawn = series.reduce((total, s) => total + s.runs.length, 0);
  const missing = variants.flatMap((v) =>
    v.runs.filter((r) => r.status === 'failed' || r.status === 'invalid').map(({ run }) => ({ run, style: v.style })),
  );
  const flagged = series.some((s) => s.flagged.size > 0);
  const marks = thin(missing, 300);
  const measured = variants.filter((_, i) => all[i]!.length > 0);
  const left = notDrawn(variants, measured, 'no run with an energy');
  return {
    series,
    blocks: blocksOf(series),
    missing: marks,
    missingInAll: missing.length,
    note: `${thinnedNote(drawn, count, 'runs', flagged ? ', and those ringed' : '')}${thinnedNote(marks.length, missing.length, 'runs without an energy')}${note}${left}`,
  };
}

function hasEnergy(run: RunResult): run is RunResult & { readonly energyJ: number } {
  return run.status === 'ok' && run.energyJ !== null;
}

function lowestPosition(runs: readonly RunResult[]): number {
  return runs.reduce((lowest, r) => Math.min(lowest, r.position ?? lowest), Number.POSITIVE_INFINITY);
}

function blocksOf(series: readonly DriftSeries[]): Point[][] {
  const runs = series.flatMap((s) => s.runs).filter(({ block }) => block !== null);
  const blocks = [...Map.groupBy(runs, ({ block }) => block).values()].filter((own) => own.length > 1);
  return blocks.map((own) => own.map(({ run, energyJ }) => ({ x: run, y: energyJ })).sort((p, q) => p.x - q.x));
}

/** Theil–Sen line: the intercept is the median of the residuals (Sen 1968). */
function trendOf(runs: readonly (RunResult & { readonly energyJ: number })[]): Trend | null {
  if (runs.length < 6) return null;
  const used = thin(runs, MAX_FOR_TREND);
  const slope = theilSen(
    used.map((r) => r.run),
    used.map((r) => r.energyJ),
  );
  if (slope === null) return null;
  const level = median(used.map((r) => r.energyJ - slope * r.run));
  const [first, last] = [runs[0]!.run, runs.at(-1)!.run];
  const at = (x: number): Point => ({ x, y: level + slope * x });
  const middle = at((first + last) / 2).y;
  return middle > 0 ? { from: at(first), to: at(last), percent: (100 * slope * (last - first)) / middle } : null;
}
