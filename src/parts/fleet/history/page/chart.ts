import type { ChartConfiguration, ChartDataset } from 'chart.js';
import { type SeriesStyle, seriesStyle, type Theme } from '../../../../report/charts/canvas/theme.ts';
import type { ChartSpec } from '../../../../report/charts/chart.ts';
import {
  type Axis,
  axisAround,
  axisStartNote,
  computeExtent,
  linearScale,
} from '../../../../report/charts/parts/axis.ts';
import { chartWidth, isNarrow } from '../../../../report/charts/parts/frame.ts';
import { pointsDataset } from '../../../../report/charts/parts/points.ts';
import {
  type SideLabel,
  sideLabels,
  sideLabelsHeight,
  sideLabelsRoom,
} from '../../../../report/charts/parts/side-labels.ts';
import { distinctLabels, plain, plural } from '../../../../text/plain.ts';
import type { TrendLine, TrendSeries } from '../trend.ts';
import { failureMarks, intervals, levels, rebuiltMarks, STEP_ROOM, stepMarks, zeroLine } from './plugins.ts';
import {
  type Drawn,
  type DrawnLine,
  drawnPoints,
  firstShown,
  groupSize,
  inUnit,
  isLookedThrough,
  lineName,
  MAX_LINES,
  mostMoved,
  shortStep,
  type View,
  valueText,
} from './view.ts';

/** Minimum distance of points, pixels, so that intervals can be distinguished. */
const PIXELS_A_POINT = 5;
const HEIGHT = 320;
/** Height of what is above and below the plot: with it, the labels of twelve lines fit beside the plot. */
const AXIS_ROOM = STEP_ROOM + 80;
const DAY_MS = 86_400_000;
/** Minimum share of the plot's height for the data; 0 is included for differences only if this much is left. */
const MIN_PART = 0.2;

/** What a chart of a place shows. */
export type Measure = 'differences' | 'energies';

/** Differences or energies over the experiments of a place. `null`: nothing is left to be drawn. `id` must be unique on the page. */
export function trendChart(
  id: string,
  series: TrendSeries,
  measure: Measure,
  view: View,
  theme: Theme,
): ChartSpec | null {
  const width = chartWidth(theme);
  const { lines, from, size } = drawnLines(series, measure, view, width);
  const points = lines.flatMap((line) => line.points);
  if (points.length === 0) return null;
  const x = experimentAxis(from, series.startedAt.length - 1, isNarrow(theme) ? 2 : 6);
  const y = valueAxis(points, measure);
  const labels = lines.map(makeSideLabel);
  const room = sideLabelsRoom(labels, theme);
  const stepped = lines.some(({ line }) => line.steps.some(({ at }) => at > from));

  const config: ChartConfiguration<'scatter'> = {
    type: 'scatter',
    data: { datasets: lines.map((line) => dataset(line, theme, size)) },
    options: {
      layout: { padding: { top: 10 + room.top + (stepped ? STEP_ROOM : 0), bottom: 4, left: 8, right: room.right } },
      scales: {
        x: experimentScale(x, series, theme),
        y: linearScale(y, axisTitle(lines, measure, view), theme),
      },
    },
    plugins: [
      ...(measure === 'differences' ? [zeroLine(theme)] : []),
      rebuiltMarks(lines, from, theme),
      intervals(lines),
      levels(lines, from),
      stepMarks(lines, from, room.top, theme),
      failureMarks(lines, from),
      sideLabels(labels, theme),
    ],
  };
  return {
    id,
    title: measure === 'differences' ? 'Difference over the commits' : 'Energy over the commits',
    description: describe(series, lines, from, size),
    width,
    height: Math.max(HEIGHT, isNarrow(theme) ? 0 : sideLabelsHeight(labels) + AXIS_ROOM) + room.top,
    config,
  };
}

/** Points of untrusted experiments are drawn as outlines. */
function dataset({ points, style }: DrawnLine, theme: Theme, size: number): ChartDataset<'scatter'> {
  const full = pointsDataset(points, style, theme, size > 1 ? 'full' : 'haloed');
  if (!points.some(({ untrusted }) => untrusted)) return full;
  const open = pointsDataset(points, style, theme, 'open');
  const each = (of: 'pointBackgroundColor' | 'pointBorderColor' | 'pointBorderWidth') =>
    points.map(({ untrusted }) => (untrusted ? open : full)[of]) as never;
  return {
    ...full,
    pointBackgroundColor: each('pointBackgroundColor'),
    pointBorderColor: each('pointBorderColor'),
    pointBorderWidth: each('pointBorderWidth'),
  };
}

/** For its caption. Of energies in percent, 0 is the first level and not the absence of energy. */
export function axisNote(spec: ChartSpec, measure: Measure, { unit }: Pick<View, 'unit'>): string {
  if (measure === 'energies') return unit === 'percent' ? '' : axisStartNote(spec, 'energy axis');
  const { min, max } = spec.config.options?.scales?.y ?? {};
  return Number(min) > 0 || Number(max) < 0 ? 'The axis does not reach 0.' : '';
}

function valueAxis(points: readonly Drawn[], measure: Measure): Axis {
  const ends = points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]);
  const [low, high] = computeExtent(ends);
  if (measure === 'energies') return axisAround(low, high);
  const [from, to] = [Math.min(low, 0), Math.max(high, 0)];
  return high - low >= MIN_PART * (to - from) ? axisAround(from, to) : axisAround(low, high);
}

/** Where all have the same baseline, it stands here once. */
function axisTitle(lines: readonly DrawnLine[], measure: Measure, { unit }: View): string {
  if (measure === 'energies')
    return unit === 'joules' ? 'Mean energy of an execution (J)' : 'Mean energy against the first level (%)';
  const baseline = oneBaseline(lines.map(({ line }) => line));
  return baseline === null ? 'Difference in energy (%)' : `Difference from ${plain(baseline, 24)} (%)`;
}

/** The baseline of all these lines; null: there are several. */
function oneBaseline(lines: readonly TrendLine[]): string | null {
  const [first, ...others] = [...new Set(lines.map(({ baseline }) => baseline))];
  return others.length === 0 ? (first ?? null) : null;
}

/** What is drawn of a place, and how many experiments each point stands for. */
export function drawnLines(
  series: TrendSeries,
  measure: Measure,
  view: View,
  width: number,
): { readonly lines: DrawnLine[]; readonly from: number; readonly size: number } {
  const from = firstShown(series, view);
  const size = groupSize(series.startedAt.length - from, Math.floor(width / PIXELS_A_POINT));
  const all = measure === 'energies' ? series.lines : series.differences;
  const names = labelsOf(all);
  const drawn = mostMoved(all.filter(({ variant }) => view.variants?.has(variant) ?? true));
  const lines = drawn.flatMap((line, place): DrawnLine[] => {
    const i = all.indexOf(line);
    const points = drawnPoints(series, line, from, size, view.unit);
    if (points.length === 0) return [];
    const style = all.length > MAX_LINES ? seriesStyle(place) : chooseStyle(series, all, i);
    return [{ line, style, label: names[i]!, points, toUnit: inUnit(line, view.unit) }];
  });
  return { lines, from, size };
}

/** A variant has the same color in both charts, unless it is compared with several. */
function chooseStyle(series: TrendSeries, all: readonly TrendLine[], i: number): SeriesStyle {
  const { variant } = all[i]!;
  const alone = all.every((line, k) => k === i || line.variant !== variant);
  return seriesStyle(alone ? series.lines.findIndex((line) => line.variant === variant) : series.lines.length + i);
}

function labelsOf(lines: readonly TrendLine[]): string[] {
  const several = oneBaseline(lines) === null && lines.some(({ baseline }) => baseline !== null);
  const names = lines.map(({ variant, baseline }) => (several ? `${variant} / ${baseline}` : variant));
  return distinctLabels(names, (name) => plain(name, 24));
}

function makeSideLabel({ line, style, label, points }: DrawnLine): SideLabel {
  return { label, detail: latestText(line), style, at: points.at(-1)!.y };
}

/** The last experiment of a line, not its level: what a reader looks for in the table. */
function latestText(line: TrendLine): string {
  return `latest ${valueText(line, line.values.at(-1)!)}`;
}

/** The latest experiment has a tick of its own, and there are `most` stretches between ticks. */
function experimentAxis(from: number, to: number, most: number): Axis {
  const room = Math.max(0.5, (to - from) * 0.02);
  const step = Math.max(1, Math.ceil((to - from) / most));
  const ticks: number[] = [];
  for (let at = to; at >= from; at -= step) ticks.unshift(at);
  return { min: from - room, max: to + room, ticks, decimals: 0 };
}

/** Commits at the ticks, below each its date, with the time of day where many lie within a day. */
function experimentScale(
  axis: Axis,
  { startedAt, commits }: TrendSeries,
  theme: Theme,
): ReturnType<typeof linearScale> {
  const known = axis.ticks.some((at) => commits[at]);
  const what = known ? 'commit and date' : 'date';
  // Older commits that were measured later (backfill) are drawn where they belong.
  const isByTime = startedAt.every((at, i) => i === 0 || Date.parse(at) >= Date.parse(startedAt[i - 1]!));
  const title = isNarrow(theme)
    ? `Experiment (${what}, UTC)`
    : `Experiments in the order ${isByTime ? 'in which they were measured' : 'of their commits'} (${what}, UTC)`;
  const options = linearScale(axis, title, theme);
  const times = axis.ticks.map((at) => Date.parse(startedAt[at]!));
  const close = times.some((time, i) => i > 0 && Math.abs(time - times[i - 1]!) < DAY_MS);
  const callback = (value: string | number): string[] => {
    const iso = new Date(startedAt[Number(value)]!).toISOString();
    const date = close ? iso.slice(5, 16).replace('T', ' ') : iso.slice(0, 10);
    return known ? [commits[Number(value)]?.slice(0, 8) ?? 'no commit', date] : [date];
  };
  return { ...options, ticks: { ...options.ticks, callback } } as ReturnType<typeof linearScale>;
}

function describe(series: TrendSeries, lines: readonly DrawnLine[], from: number, size: number): string {
  const shown = series.startedAt.length - from;
  const grouped = size > 1 ? `, each point standing for ${size}` : '';
  const each = lines.map(({ line }) => {
    const steps = line.steps.filter(({ at }) => at > from).map(shortStep);
    const found = `${plural(steps.length, 'step')}: ${steps.slice(-10).join(', ')}`;
    const none = !isLookedThrough(line) ? 'too few experiments without failed checks to look for steps' : 'no step';
    const failures = line.failed.filter((at) => at >= from).length;
    const failed = failures === 0 ? '' : `, ${plural(failures, 'failure')}`;
    return `${lineName(line)}: ${latestText(line)}, ${steps.length === 0 ? none : found}${failed}`;
  });
  return `${plural(shown, 'experiment')}${grouped}. ${each.join('. ')}.`;
}
