import type { Analysis, RunResult } from '../../../analysis/results.ts';
import type { Comparison } from '../../../findings/comparison.ts';
import type { Interval } from '../../../findings/numbers.ts';
import { quantileOfSorted } from '../../../stats/quantiles.ts';
import { confidenceText, percent, percentInterval, quantity } from '../../../text/numbers.ts';
import { plain } from '../../../text/plain.ts';
import { primaryComparisons } from '../../verdict.ts';
import type { Theme } from '../canvas/theme.ts';
import { isNarrow } from '../parts/frame.ts';
import { type Point, thin } from '../parts/points.ts';
import { notDrawn, variantRuns } from '../parts/variant-runs.ts';
import { computeDensity, type Density, densityAt } from './density.ts';

/** Position of a shape in its row, in rows: half of its maximum height, and the offset of its middle below the row's. */
export interface RowShape {
  readonly half: number;
  readonly shift: number;
}

/** Names and numbers are beside a shape, or above it on narrow screens. */
export function rowShape(theme: Theme): RowShape {
  return isNarrow(theme) ? { half: 0.27, shift: 0.2 } : { half: 0.38, shift: 0 };
}

/** Maximum points of a row, and of all rows; the shape uses all runs. */
const MAX_POINTS = 1000;
const MAX_POINTS_IN_ALL = 4000;

export interface ViolinRow {
  readonly variant: string;
  /** Name of the variant, shortened to fit. */
  readonly name: string;
  readonly count: string;
  readonly color: string;
  /** Values in ascending order. */
  readonly values: readonly number[];
  /** Run numbers of the values, in the same order. */
  readonly numbers: readonly number[];
  readonly density: Density | null;
  readonly median: number;
  /** Confidence of the difference's interval, 0 to 1; null: there is no interval. */
  readonly confidence: number | null;
  /** Texts to the right of the row: the median, and the difference from the baseline if there is one. */
  readonly notes: readonly string[];
}

/** Quantity of a run to draw. */
export interface ViolinMetric {
  readonly unit: string;
  /** What a variant without a row lacks, as words. */
  readonly lacking: string;
  readonly of: (run: RunResult) => number | null;
  /** The difference from the baseline, and the confidence of its interval if known. */
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
  change: ({ typical }) => {
    const found = typical?.duration_s?.percent;
    return found ? { estimate: found.estimate, interval: found.ci95, confidence: null } : null;
  },
};

/** One row per variant with compared runs, and a note about those left out. */
export function violinRows(analysis: Analysis, metric: ViolinMetric): { rows: ViolinRow[]; note: string } {
  const comparisons = primaryComparisons(analysis.findings);
  const several = new Set(comparisons.map((c) => c.baseline)).size > 1;
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
    const against = several && comparison ? ` against ${plain(comparison.baseline, 30)}` : '';
    return [
      {
        variant: name,
        name: label,
        count: `n = ${values.length}`,
        color: style.color,
        values,
        numbers: measured.map((m) => m.run),
        density: computeDensity(values),
        median,
        confidence: change === null || change.interval === null ? null : (change.confidence ?? 0.95),
        notes: [quantity(median, metric.unit), ...(change === null ? [] : changeLines(change, against))],
      },
    ];
  });
  const drawn = variants.filter(({ name }) => rows.some(({ variant }) => variant === name));
  return { rows, note: `${note}${notDrawn(variants, drawn, metric.lacking)}` };
}

function changeLines(change: NonNullable<ReturnType<ViolinMetric['change']>>, against: string): string[] {
  const { estimate, interval, confidence } = change;
  return [
    `${percent(estimate, interval)}${against}`,
    ...(interval === null ? [] : [`(${percentInterval(interval)})`]),
    ...(confidence === null || confidence >= 0.95 ? [] : [`at ${confidenceText(confidence, 0.95)}`]),
  ];
}

/** Vertical positions of the points inside their shape, by the van der Corput sequence over their ranks: deterministic, and neighbors are apart. */
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
