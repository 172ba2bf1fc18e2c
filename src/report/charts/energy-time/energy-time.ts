import type { Plugin } from 'chart.js';
import type { Analysis, RunResult } from '../../../analysis/results.ts';
import { median } from '../../../stats/quantiles.ts';
import { fixed, quantity } from '../../../text/numbers.ts';
import { unitOfWork } from '../../per-execution.ts';
import { fontOf } from '../canvas/font.ts';
import { drawLines, drawText } from '../canvas/pen.ts';
import { SIZE, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { type Axis, axisAround, computeExtent, linearScale, startNotes } from '../parts/axis.ts';
import { frameText } from '../parts/frame.ts';
import { pointsDataset, thin, thinnedNote } from '../parts/points.ts';
import { rings } from '../parts/rings.ts';
import { labeledChart, type SideLabel } from '../parts/side-labels.ts';
import { notDrawn, type VariantRuns, variantRuns } from '../parts/variant-runs.ts';

const MAX_VARIANTS = 12;
/** Maximum points per variant. */
const MAX_POINTS = 500;

type Timed = RunResult & { readonly durationS: number; readonly energyJ: number };

interface Cloud extends VariantRuns {
  readonly all: number;
  readonly timed: readonly Timed[];
}

/** Energy against duration of every compared run, with lines of equal mean power. `null` when no run has both. */
export function energyTimeChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  const { findings } = analysis;
  const { variants, note } = variantRuns(analysis, MAX_VARIANTS);
  const clouds = variants.map(buildCloud).filter((c) => c.timed.length > 0);
  if (clouds.length === 0) return null;
  const points = clouds.flatMap((c) => c.timed);
  const x = axisAround(...computeExtent(points.map((r) => r.durationS)));
  const y = axisAround(...computeExtent(points.map((r) => r.energyJ)));
  const lines = isoPowerLines(x, y, computeExtent(points.map((r) => r.energyJ / r.durationS)));
  const flagged = clouds.flatMap((c) => c.timed.filter((r) => c.flagged.has(r.run)));
  const all = clouds.reduce((total, c) => total + c.all, 0);
  const left = notDrawn(variants, clouds, 'no run with both');
  const caption =
    `Each point is a run; right: the median of their mean powers. ${lines.length > 0 ? 'Dotted lines: equal mean power, so that a run above another’s line drew more. ' : ''}` +
    `${flagged.length > 0 ? 'Ringed: far from the variant’s other runs, and compared like them. ' : ''}` +
    `${thinnedNote(points.length, all, 'runs', flagged.length > 0 ? ', and those ringed' : '')}${note}${left}${startNotes([x, 'time axis'], [y, 'energy axis'])}`;
  const labels = clouds.map(labelOf);
  return labeledChart(
    {
      id: 'energy-against-time',
      text: frameText(findings, 'energy against duration', caption),
      description: clouds.map((c, i) => `${c.label}: ${labels[i]!.detail}, ${c.all} runs`).join('; '),
      labels,
      datasets: clouds.map((c) =>
        pointsDataset(
          c.timed.map((r) => ({ x: r.durationS, y: r.energyJ, run: r.run })),
          c.style,
          theme,
        ),
      ),
      scales: {
        x: linearScale(x, `Duration per ${unitOfWork(findings)} (s)`, theme),
        y: linearScale(y, `Energy per ${unitOfWork(findings)} (J)`, theme),
      },
      above: 16,
      beside: isoPowerWidth(lines),
      height: 320,
      plugins: [isoPower(lines, theme)],
      over: [
        rings(
          flagged.map((r) => ({ x: r.durationS, y: r.energyJ, text: `run ${r.run}` })),
          theme,
        ),
      ],
    },
    theme,
  );
}

function buildCloud(variant: VariantRuns): Cloud {
  const timed = variant.runs.filter(
    (r): r is Timed => r.status === 'ok' && r.energyJ !== null && r.durationS !== null && r.durationS > 0,
  );
  return { ...variant, all: timed.length, timed: thin(timed, MAX_POINTS, (r) => variant.flagged.has(r.run)) };
}

/** Label at the height of the variant's median run, with its mean power. */
function labelOf({ label, style, timed, all }: Cloud): SideLabel {
  const powerW = median(timed.map((r) => r.energyJ / r.durationS));
  return { label, detail: `${quantity(powerW, 'W')}, n = ${all}`, style, at: median(timed.map((r) => r.energyJ)) };
}

/** A line of equal mean power through the plot: energy = power · duration. */
export interface IsoPower {
  readonly powerW: number;
  readonly text: string;
}

/**
 * A handful of round powers whose lines cross a plot of these axes, around the mean powers of the runs in it, watts;
 * none where the energies are not positive.
 */
function isoPowerLines(seconds: Axis, joules: Axis, [least, most]: readonly [number, number]): IsoPower[] {
  if (seconds.min < 0 || joules.min < 0 || seconds.max <= 0 || joules.max <= 0) return [];
  // Near zero, lines of any power cross the plot: only those around the runs' powers are drawn.
  const lowest = Math.max(joules.min / seconds.max, 0.6 * least);
  const highest = Math.min(seconds.min > 0 ? joules.max / seconds.min : Number.POSITIVE_INFINITY, 1.6 * most);
  if (!(highest > lowest)) return [];
  const { ticks, decimals } = axisAround(lowest, highest, 8);
  return ticks
    .filter((powerW) => powerW > lowest && powerW < highest)
    .map((powerW) => ({ powerW, text: `${fixed(powerW, decimals)} W` }));
}

/** Width of the power labels at the right of the plot, pixels. */
function isoPowerWidth(lines: readonly IsoPower[]): number {
  return Math.max(0, ...lines.map(({ text }) => fontOf('regular').width(text, SIZE.small) + 8));
}

/** The lines, each with its power where it leaves the plot, at the top or at the right. */
function isoPower(lines: readonly IsoPower[], theme: Theme): Plugin {
  return {
    id: 'iso-power',
    beforeDatasetsDraw: ({ ctx, chartArea, scales }) => {
      const x = scales.x!;
      const y = scales.y!;
      // Steepest first: labels run from left to right along the top, then down the right side.
      let freeX = Number.NEGATIVE_INFINITY;
      let freeY = Number.NEGATIVE_INFINITY;
      for (const { powerW, text } of [...lines].sort((a, b) => b.powerW - a.powerW)) {
        const from = Math.max(x.min, y.min / powerW);
        const to = Math.min(x.max, y.max / powerW);
        if (!(to > from)) continue;
        const atTop = to < x.max;
        const [endX, endY] = [x.getPixelForValue(to), y.getPixelForValue(to * powerW)];
        const half = fontOf('regular').width(text, SIZE.small) / 2;
        const place = atTop
          ? { x: Math.max(endX - half, chartArea.left), y: chartArea.top - 9 }
          : { x: chartArea.right + 5, y: Math.max(endY, chartArea.top + 8) };
        if (atTop ? place.x < freeX : place.y < freeY || place.y > chartArea.bottom - 7) continue;
        if (atTop) freeX = place.x + 2 * half + 8;
        else freeY = place.y + 15;
        const start = [x.getPixelForValue(from), y.getPixelForValue(from * powerW)] as const;
        drawLines(ctx, [[start, [endX, endY]]], { color: theme.muted, width: 0.9, dash: [1.5, 3] });
        drawText(ctx, text, [place.x, place.y], { color: theme.muted });
      }
    },
  };
}
