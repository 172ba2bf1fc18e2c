import type { Analysis, RunResult } from '../../../analysis/results.ts';
import type { Comparison } from '../../../findings/comparison.ts';
import type { Interval } from '../../../findings/numbers.ts';
import { quantileOfSorted } from '../../../stats/quantiles.ts';
import { confidenceText, percent, percentInterval, quantity } from '../../../text/numbers.ts';
import { primaryComparisons } from '../../verdict.ts';
import { percentOfLog } from '../../words/change.ts';
import type { Theme } from '../canvas/theme.ts';
import { isNarrow } from '../parts/frame.ts';
import { type Point, thin } from '../parts/points.ts';
import { notDrawn, variantRuns } from '../parts/variant-runs.ts';
import { type Density, densityAt, densityOf } from './density.ts';

/** Where in its row a shape is, in rows: half the height of its widest place, and how far its middle is below the row's. */
export interface RowShape {
  readonly half: number;
  readonly shift: number;
}

/** Names and numbers stand beside a shape, or above it where there is no room beside. */
export function rowShape(theme: Theme): RowShape {
  return isNarrow(theme) ? { half: 0.27, shift: 0.2 } : { half: 0.38, shift: 0 };
}

/** Points of a row, and of all together; the shape is of all runs. */
const MAX_POINTS = 1000;
const MAX_POINTS_IN_ALL = 4000;

export interface ViolinRow {
  readonly variant: string;
  /** The variant's, as far as it fits. */
  readonly name: string;
  readonly count: string;
  readonly colour: string;
  /** In ascending order. */
  readonly values: readonly number[];
  /** Numbers of their runs, in the same order. */
  readonly numbers: readonly number[];
  readonly density: Density | null;
  readonly median: number;
  /** What the interval of the difference reaches, 0 to 1; null: there is no interval. */
  readonly confidence: number | null;
  /** To the right of the row: the median, and the difference from the baseline where there is one. */
  readonly notes: readonly string[];
}

/** What is drawn of a run. */
export interface ViolinMetric {
  readonly unit: string;
  /** What a variant without a row has not. */
  readonly lacking: string;
  readonly of: (run: RunResult) => number | null;
  /** The difference from the baseline, and the confidence of its interval where it is known. */
  readonly change: (
    comparison: Comparison,
  ) => { estimate: number; interval: Interval | null; confidence: number | null } | null;
}

export const energy: ViolinMetric = {
  unit: 'J',
  lacking: 'no run with an energy',
  of: (run) => run.energyJ,
  change: ({ percent: { estimate, ci95: interval, confidence } }) =>
    estimate === null ? null : { estimate, interval, confidence },
};

export const durationOfRun: ViolinMetric = {
  unit: 's',
  lacking: 'no valid run with a duration',
  of: (run) => run.durationS,
  change: ({ why: { log_time: log } }) =>
    log === null
      ? null
      : {
          estimate: percentOfLog(log.mean),
          interval: log.ci95 === null ? null : [percentOfLog(log.ci95[0]), percentOfLog(log.ci95[1])],
          confidence: null,
        },
};

/** One row a variant that has compared runs, and what to say of those left out. */
export function violinRows(analysis: Analysis, metric: ViolinMetric): { rows: ViolinRow[]; note: string } {
  const comparisons = primaryComparisons(analysis.findings);
  const { variants, note } = variantRuns(analysis);
  const rows = variants.flatMap(({ name, label, style, runs }): ViolinRow[] => {
    const measured = runs
      .flatMap((r) => {
        const value = r.status === 'ok' ? metric.of(r) : null;
        return value === null ? [] : [{ value, run: r.run }];
      })
      .sort((a, b) => a.value - b.value);
    const values = measured.map((m) => m.value);
    if (values.length === 0) return [];
    const median = quantileOfSorted(values, 0.5);
    const comparison = comparisons.find((c) => c.variant === name);
    const change = comparison === undefined ? null : metric.change(comparison);
    return [
      {
        variant: name,
        name: label,
        count: `n = ${values.length}`,
        colour: style.colour,
        values,
        numbers: measured.map((m) => m.run),
        density: densityOf(values),
        median,
        confidence: change === null || change.interval === null ? null : (change.confidence ?? 0.95),
        notes: [quantity(median, metric.unit), ...(change === null ? [] : changeLines(change))],
      },
    ];
  });
  const drawn = rows.map(({ variant }) => variant);
  const lacking = notDrawn(
    variants.map(({ name }) => name),
    drawn,
    metric.lacking,
  );
  return { rows, note: `${note}${lacking}` };
}

function changeLines({ estimate, interval, confidence }: NonNullable<ReturnType<ViolinMetric['change']>>): string[] {
  return [
    percent(estimate, interval),
    ...(interval === null ? [] : [`(${percentInterval(interval)})`]),
    ...(confidence === null || confidence >= 0.95 ? [] : [`at ${confidenceText(confidence, 0.95)}`]),
  ];
}

/** Points are spread inside their shape by the van der Corput sequence along their ranks: neighbours stand apart, the same every time. */
export function violinPoints(row: ViolinRow, index: number, { half, shift }: RowShape, rows: number): Point[] {
  const most = Math.min(MAX_POINTS, Math.ceil(MAX_POINTS_IN_ALL / rows));
  return thin([...row.values.keys()], most).map((place, rank) => {
    const x = row.values[place]!;
    const room = row.density === null ? 0.5 : densityAt(row.density, x);
    const y = index + shift + (vanDerCorput(rank + 1) - 0.5) * 1.74 * half * room;
    return { x, y, run: row.numbers[place]! };
  });
}

function vanDerCorput(i: number): number {
  let value = 0;
  let denominator = 1;
  for (let rest = i; rest > 0; rest = Math.floor(rest / 2)) {
    denominator *= 2;
    value += (rest % 2) / denominator;
  }
  return value;
}
