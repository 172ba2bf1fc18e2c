import type { ChartConfiguration } from 'chart.js';
import type { Analysis } from '../../analysis/findings.ts';
import { confidenceText } from '../../analysis/numbers.ts';
import { plain } from '../escape.ts';
import { percent, percentInterval, quantity } from '../format.ts';
import { primaryChannel, primaryComparisons } from '../verdict.ts';
import { axisAround } from './axis.ts';
import type { ChartSpec } from './chart.ts';
import { chosenVariants } from './chosen.ts';
import { type Density, densityAt, densityOf } from './density.ts';
import { fontOf, variantLabels } from './font.ts';
import { makeFrame } from './frame.ts';
import { linearScale } from './scale.ts';
import { frameText } from './subtitle.ts';
import { SIZE, seriesStyle, type Theme } from './theme.ts';
import { violinPlugin } from './violin-plugin.ts';

export interface ViolinRow {
  readonly name: string;
  readonly count: string;
  readonly colour: string;
  readonly valuesJ: readonly number[];
  readonly density: Density | null;
  readonly medianJ: number;
  /** To the right of the row: the median, and the difference to the baseline where there is one. */
  readonly notes: readonly string[];
}

const WIDTH = 760;
const ROW = 62;

/** Energy of every compared run by variant. `null` when no run has an energy. */
export function violinChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  const rows = rowsOf(analysis);
  if (rows.length === 0) return null;
  const { findings } = analysis;
  const caption =
    'Each point is a run; the shape is their Gaussian kernel density (five runs or more); the bar is the median. ' +
    `Right: median${findings.comparisons.length > 0 ? `, and difference to ${plain(findings.experiment.baseline, 40)} with its 95 % interval` : ''}. ` +
    `${chosenVariants(analysis).note}The axis does not start at 0.`;
  const frame = makeFrame(frameText(findings, 'energy per run', caption), WIDTH, theme);
  const names = Math.max(...rows.map((r) => fontOf('bold').width(r.name, SIZE.text)), 56);
  const notes = Math.max(...rows.flatMap((r) => r.notes.map((t) => fontOf('bold').width(t, SIZE.small))));

  const shown = rows.flatMap((r) => [
    ...r.valuesJ,
    ...(r.density === null ? [] : [r.density.at[0]!, r.density.at.at(-1)!]),
  ]);
  const lowest = Math.min(...rows.flatMap((r) => r.valuesJ));
  const low = Math.min(...shown);
  const axis = axisAround(lowest >= 0 ? Math.max(low, 0) : low, Math.max(...shown));
  const config: ChartConfiguration<'scatter'> = {
    type: 'scatter',
    data: { datasets: rows.map((row, i) => ({ data: pointsOf(row, i), ...pointStyle(row, theme) })) },
    options: {
      layout: { padding: { top: frame.top, bottom: frame.bottom, left: names + 30, right: notes + 28 } },
      scales: {
        x: linearScale(axis, 'Energy per run (J)', theme),
        y: { type: 'linear', min: -0.5, max: rows.length - 0.5, reverse: true, display: false },
      },
    },
    plugins: [frame.plugin, violinPlugin(rows, theme)],
  };
  return {
    id: 'energy-violin',
    title: `${plain(findings.experiment.name, 200)}: energy per run`,
    description: rows.map((r) => `${r.name} (${r.count}): median ${r.notes.join(', ')}`).join('; '),
    width: WIDTH,
    height: frame.top + frame.bottom + rows.length * ROW + 46,
    config: config as ChartConfiguration,
  };
}

function rowsOf(analysis: Analysis): ViolinRow[] {
  const channel = primaryChannel(analysis.findings);
  const comparisons = primaryComparisons(analysis.findings);
  const rows: ViolinRow[] = [];
  const labels = variantLabels(analysis.findings.variants.map((v) => v.name));
  for (const index of chosenVariants(analysis).places) {
    const variant = analysis.findings.variants[index]!;
    const valuesJ = analysis.runs
      .filter((r) => r.variant === variant.name && r.status === 'ok' && (channel === null || r.channel === channel))
      .flatMap((r) => (r.energyJ === null ? [] : [r.energyJ]));
    if (valuesJ.length === 0) continue;
    const sorted = [...valuesJ].sort((a, b) => a - b);
    const medianJ = (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
    const comparison = comparisons.find((c) => c.variant === variant.name);
    const estimate = comparison?.percent.estimate ?? null;
    const interval = comparison?.percent.ci95 ?? null;
    const confidence = comparison?.percent.confidence ?? null;
    rows.push({
      name: labels[index]!,
      count: `n = ${valuesJ.length}`,
      colour: seriesStyle(index).colour,
      valuesJ,
      density: densityOf(valuesJ),
      medianJ,
      notes: [
        quantity(medianJ, 'J'),
        ...(estimate === null ? [] : [percent(estimate, interval)]),
        ...(interval === null ? [] : [`(${percentInterval(interval)})`]),
        ...(confidence === null || confidence >= 0.95 ? [] : [`at ${confidenceText(confidence, 0.95)}`]),
      ],
    });
  }
  return rows;
}

/** Points are spread inside their shape by the van der Corput sequence along their ranks: neighbours stand apart, the same every time. */
function pointsOf(row: ViolinRow, index: number): { x: number; y: number }[] {
  return [...row.valuesJ]
    .sort((a, b) => a - b)
    .map((x, rank) => {
      const room = row.density === null ? 0.5 : densityAt(row.density, x);
      return { x, y: index + (vanDerCorput(rank + 1) - 0.5) * 0.66 * room };
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

function pointStyle(row: ViolinRow, theme: Theme): Record<string, unknown> {
  const many = row.valuesJ.length > 150;
  return {
    pointRadius: many ? 1.6 : 2.6,
    pointBackgroundColor: row.colour,
    pointBorderColor: theme.background ?? row.colour,
    pointBorderWidth: theme.background === null ? 0 : 0.6,
    clip: false,
  };
}
