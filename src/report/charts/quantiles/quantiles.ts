import type { Plugin } from 'chart.js';
import type { Analysis } from '../../../analysis/results.ts';
import { quantileOfSorted } from '../../../stats/quantiles.ts';
import { plain } from '../../../text/plain.ts';
import { unitOfWork } from '../../per-execution.ts';
import { fontOf } from '../canvas/font.ts';
import { drawLines } from '../canvas/pen.ts';
import { fontCss, SIZE, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { type Axis, axisAround, computeExtent, linearScale, startNotes } from '../parts/axis.ts';
import { frameText } from '../parts/frame.ts';
import { type Point, pointsDataset } from '../parts/points.ts';
import { labeledChart } from '../parts/side-labels.ts';
import { notDrawn, type VariantRuns, variantRuns } from '../parts/variant-runs.ts';

const MAX_VARIANTS = 6;
const MAX_QUANTILES = 200;
/** Minimum runs for showing a distribution. */
const MIN = 5;

/** Quantiles of each variant's energies against those of the baseline. `null`: fewer than five runs of either, or a suite, whose benchmarks don't share a baseline. */
export function quantileChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  const { findings } = analysis;
  if (findings.suite !== undefined) return null;
  const { variants, note } = variantRuns(analysis, MAX_VARIANTS + 1);
  const base = variants.find((v) => v.name === findings.experiment.baseline);
  const reference = base === undefined ? [] : sortedEnergies(base);
  const series = variants
    .filter((v) => v !== base)
    .map((v) => ({ ...v, sorted: sortedEnergies(v) }))
    .filter((v) => v.sorted.length >= MIN)
    .map((v) => ({ ...v, points: pairs(reference, v.sorted) }));
  if (base === undefined || reference.length < MIN || series.length === 0) return null;

  const [low, high] = computeExtent(reference);
  const x = axisAround(low, high);
  const y = axisAround(...computeExtent([low, high, ...series.flatMap((s) => s.points.map((p) => p.y))]));
  const name = plain(base.label, 60);
  const differ = x.min !== y.min || x.max !== y.max;
  const fewest = Math.min(...series.map((s) => s.points.length));
  const left = notDrawn(variants, [base, ...series], `fewer than ${MIN} runs`);
  const caption =
    `Each point is a quantile of a variant’s energy per ${unitOfWork(findings)} against that of the baseline, as many as the smaller ` +
    `of the two has runs${fewest < MAX_QUANTILES ? '' : `, at most ${MAX_QUANTILES}`}. On the line the two are alike; a shift is parallel to it, another spread crosses it or is ` +
    `steeper or flatter, a tail bends away at its end. ${note}${left}${startNotes([x, 'baseline’s axis'], [y, 'variant’s axis'])}${differ ? ' The two axes have different scales.' : ''}`;
  const labels = series.map((s) => ({
    label: s.label,
    detail: `n = ${s.sorted.length}`,
    style: s.style,
    at: s.points.at(-1)!.y,
  }));
  const spec = labeledChart(
    {
      id: 'energy-quantiles',
      text: frameText(findings, 'quantiles against the baseline', caption),
      description: series
        .map(
          (s) =>
            `${s.label}: ${s.points.filter((p) => p.y > p.x).length} of ${s.points.length} quantiles are above the baseline's`,
        )
        .join('; '),
      labels,
      datasets: series.map((s) => pointsDataset(s.points, s.style, theme)),
      scales: {
        x: linearScale(x, `Quantile of ${name}, n = ${reference.length} (J)`, theme),
        y: linearScale(y, 'Quantile of the variant (J)', theme),
      },
      height: 340,
      plugins: [
        identity(
          x,
          y,
          series.flatMap((s) => s.points),
          theme,
        ),
      ],
    },
    theme,
  );
  return { ...spec, title: `${plain(findings.experiment.name, 200)}: quantiles of energy against the baseline` };
}

function sortedEnergies({ runs }: VariantRuns): number[] {
  return runs.flatMap((r) => (r.status === 'ok' && r.energyJ !== null ? [r.energyJ] : [])).sort((a, b) => a - b);
}

/** Pairs at the plotting positions of the smaller sample, (i − 0.5) / m (Wilk and Gnanadesikan 1968), so its points are its runs. */
function pairs(reference: readonly number[], sorted: readonly number[]): Point[] {
  const count = Math.min(reference.length, sorted.length, MAX_QUANTILES);
  return Array.from({ length: count }, (_, i) => ({
    x: hazen(reference, (i + 0.5) / count),
    y: hazen(sorted, (i + 0.5) / count),
  }));
}

/** Quantile of type 5 (Hazen): the i-th of n values has the probability (i − 0.5) / n. */
function hazen(sorted: readonly number[], p: number): number {
  const place = Math.min(Math.max(p * sorted.length - 0.5, 0), sorted.length - 1);
  return quantileOfSorted(sorted, sorted.length === 1 ? 0 : place / (sorted.length - 1));
}

const WORDS = 'equal to the baseline';

/** The line where variant and baseline are equal, with its label. */
function identity(xAxis: Axis, yAxis: Axis, points: readonly Point[], theme: Theme): Plugin {
  return {
    id: 'identity',
    beforeDatasetsDraw: ({ ctx, chartArea, scales }) => {
      const x = scales.x!;
      const y = scales.y!;
      const from = Math.max(xAxis.min, yAxis.min);
      const to = Math.min(xAxis.max, yAxis.max);
      const [x1, y1] = [x.getPixelForValue(from), y.getPixelForValue(from)];
      const [x2, y2] = [x.getPixelForValue(to), y.getPixelForValue(to)];
      const line = [[x1, y1] as const, [x2, y2] as const];
      drawLines(ctx, [line], { color: theme.ink, width: 1.2 });
      const places = points.map((p) => ({ x: x.getPixelForValue(p.x), y: y.getPixelForValue(p.y) }));
      const angle = Math.atan2(y2 - y1, x2 - x1);
      const place = wordsPlace({ x: x2, y: y2, angle }, Math.hypot(x2 - x1, y2 - y1), places, chartArea);
      ctx.save();
      ctx.font = fontCss(SIZE.small);
      ctx.fillStyle = theme.muted;
      ctx.textAlign = 'right';
      ctx.textBaseline = 'middle';
      ctx.translate(x2, y2);
      ctx.rotate(angle);
      ctx.fillText(WORDS, place.along, place.across);
      ctx.restore();
    },
  };
}

interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** Half of the label's height, with some margin. */
const HALF = 9;

/** Position of the label below or above the line, from its end on: the first inside the plot with the fewest overlapping points. */
function wordsPlace(
  { x, y, angle }: Pixel & { readonly angle: number },
  length: number,
  points: readonly Pixel[],
  { left, top, bottom }: { readonly left: number; readonly top: number; readonly bottom: number },
): { readonly along: number; readonly across: number } {
  const width = fontOf('regular').width(WORDS, SIZE.small);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const turned = points.map((p) => ({
    along: (p.x - x) * cos + (p.y - y) * sin,
    across: (p.y - y) * cos - (p.x - x) * sin,
  }));
  const all = [10, (length - width) / 2, length - width - 10].flatMap((back) =>
    [HALF + 3, -HALF - 3].map((across) => {
      const along = -back;
      const corners = [along, along - width].flatMap((a) =>
        [across - HALF, across + HALF].map((c) => ({ x: x + a * cos - c * sin, y: y + a * sin + c * cos })),
      );
      const isInside = corners.every((corner) => corner.y > top && corner.y < bottom && corner.x > left);
      const met = turned.filter(
        (p) => Math.abs(p.across - across) < HALF + 3 && p.along < along + 4 && p.along > along - width - 4,
      ).length;
      return { along, across, cost: met + (isInside ? 0 : 1e6) };
    }),
  );
  return all.reduce((best, place) => (place.cost < best.cost ? place : best));
}
