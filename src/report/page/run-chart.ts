import type { Chart, ChartConfiguration, ChartDataset, Plugin } from 'chart.js';
import { useSteps } from '../../analysis/processor-use.ts';
import type { RunResult } from '../../analysis/results.ts';
import { quantity } from '../../text/numbers.ts';
import { plain } from '../../text/plain.ts';
import { shortenToWidth } from '../charts/canvas/font.ts';
import { drawLines, drawText } from '../charts/canvas/pen.ts';
import { type SeriesStyle, SIZE, type Theme } from '../charts/canvas/theme.ts';
import type { ChartSpec } from '../charts/chart.ts';
import { axisAround, computeExtent, linearScale } from '../charts/parts/axis.ts';
import { chartWidth } from '../charts/parts/frame.ts';
import { panelAxes } from '../charts/parts/panels.ts';
import { points } from '../charts/parts/points.ts';
import { type PowerBand, wholePlaces } from '../charts/power/resample.ts';
import { usePanel } from '../charts/power/use-panel.ts';
import type { PageTrace } from '../data/traces.ts';

export interface RunPicture {
  readonly trace: PageTrace;
  readonly run: RunResult | null;
  readonly band: PowerBand | null;
  readonly style: SeriesStyle;
}

const HEIGHT = 320;
const PHASES = 18;

/** Power over one run: its readings, its window, its phases, and the band of its variant behind them. */
export function runChart({ trace, run, band, style }: RunPicture, theme: Theme): ChartSpec {
  const { tS, powerW, lowW, highW, durationS } = trace;
  const inside = wholeReadings(trace);
  const drawn = [powerW, lowW ?? [], highW ?? []].flatMap((watts) => inside.map((i) => watts[i] ?? Number.NaN));
  const finite = [...drawn, ...(band?.lowW ?? []), ...(band?.highW ?? [])].filter(Number.isFinite);
  const x = axisAround(...computeExtent([0, durationS, ...tS]), 7);
  const y = axisAround(...computeExtent(finite), 5);
  const phases = run?.phases ?? [];
  const steps = trace.use === undefined ? [] : useSteps(trace.use);
  const use = usePanel(steps.map((step) => step.y));
  const power = { id: 'y', height: HEIGHT - 60, axis: y, title: 'Power (W)' };
  const datasets: ChartDataset<'line'>[] = [
    ...(band === null ? [] : bandDatasets(band, theme)),
    ...(lowW && highW ? envelope(tS, lowW, highW, style.color) : []),
    {
      label: `run ${trace.run}`,
      data: points(tS, powerW),
      borderColor: style.color,
      borderWidth: 1.6,
      backgroundColor: style.color,
      pointRadius: tS.length > 200 ? 0 : 2,
      fill: false,
      order: 0,
    },
    ...(use === null ? [] : [useDataset(trace, steps, style.color)]),
  ];
  const config: ChartConfiguration<'line'> = {
    type: 'line',
    // chart.js would take the lowest axis, that of the processors, where none is named.
    data: { datasets: datasets.map((one) => ({ yAxisID: 'y', ...one })) },
    options: {
      parsing: false,
      layout: { padding: { top: phases.length > 0 ? PHASES + 8 : 12, right: 16, left: 4 } },
      elements: { point: { radius: 0 }, line: { tension: 0 } },
      scales: {
        x: linearScale(x, 'Time since the start of the run (s)', theme),
        ...(use === null ? { y: linearScale(y, 'Power (W)', theme) } : panelAxes([power, use], theme)),
      },
    },
    plugins: [windowAndPhases(durationS, phases, theme)],
  };
  const of = plain(trace.variant, 80);
  const [least, most] = computeExtent(powerW).map((watts) => quantity(watts, 'W'));
  return {
    id: 'single-run-plot',
    title: `Power over run ${trace.run} (${of})`,
    description: `${tS.length} readings over ${quantity(durationS, 's')}, from ${least} to ${most}`,
    width: chartWidth(theme),
    height: HEIGHT + (use?.height ?? 0),
    config: config as ChartConfiguration,
  };
}

/** Indices of readings completely inside the window: one across its end includes idle and would compress the others. For a short run, all. */
function wholeReadings({ tS, durationS }: PageTrace): number[] {
  const period = tS.length < 2 ? 0 : (tS.at(-1)! - tS[0]!) / (tS.length - 1);
  const whole = wholePlaces({ tS, durationS }, period);
  return whole.length < 2 ? [...tS.keys()] : whole;
}

const EDGE = {
  borderWidth: 0,
  borderColor: 'transparent',
  pointRadius: 0,
  pointHitRadius: 0,
  showLine: false,
} as const;

function useDataset({ run }: PageTrace, data: ReturnType<typeof useSteps>, color: string): ChartDataset<'line'> {
  const fill = { fill: 'origin', backgroundColor: `${color}38` };
  return { yAxisID: 'u', label: `run ${run}`, data, stepped: 'after', borderColor: color, borderWidth: 1.6, ...fill };
}

function bandDatasets(band: PowerBand, theme: Theme): ChartDataset<'line'>[] {
  return [
    { ...EDGE, data: points(band.tS, band.lowW), fill: false, order: 3 },
    { ...EDGE, data: points(band.tS, band.highW), fill: '-1', backgroundColor: `${theme.muted}2e`, order: 3 },
    {
      data: points(band.tS, band.medianW),
      borderColor: theme.muted,
      borderWidth: 1.2,
      borderDash: [2, 3],
      fill: false,
      order: 2,
    },
  ];
}

function envelope(tS: Float64Array, lowW: Float64Array, highW: Float64Array, color: string): ChartDataset<'line'>[] {
  return [
    { ...EDGE, data: points(tS, lowW), fill: false, order: 1 },
    { ...EDGE, data: points(tS, highW), fill: '-1', backgroundColor: `${color}40`, order: 1 },
  ];
}

/** The window's ends as lines, and the phases as stretches with their names above the plot. */
function windowAndPhases(durationS: number, phases: NonNullable<RunResult['phases']>, theme: Theme): Plugin {
  return {
    id: 'window',
    beforeDatasetsDraw: (chart) => {
      for (const [i, phase] of phases.entries()) drawPhase(chart, phase, i, theme);
      const { top, bottom } = chart.chartArea;
      const ends = [0, durationS].map((end) => {
        const x = chart.scales.x!.getPixelForValue(end);
        return [[x, top] as const, [x, bottom] as const];
      });
      drawLines(chart.ctx, ends, { color: theme.ink, width: 1, dash: [4, 3] });
    },
  };
}

function drawPhase(
  { ctx, chartArea, scales }: Chart,
  { phase, startS, endS }: NonNullable<RunResult['phases']>[number],
  index: number,
  theme: Theme,
): void {
  const from = scales.x!.getPixelForValue(startS);
  const to = scales.x!.getPixelForValue(endS);
  ctx.fillStyle = `${theme.muted}${index % 2 === 0 ? '1c' : '36'}`;
  ctx.fillRect(from, chartArea.top - PHASES, to - from, chartArea.bottom - chartArea.top + PHASES);
  const name = shortenToWidth(plain(phase, 80), to - from - 6, SIZE.small, 'regular');
  if (to - from < 24) return;
  drawText(ctx, name, [(from + to) / 2, chartArea.top - PHASES / 2], { color: theme.ink, align: 'center' });
}
