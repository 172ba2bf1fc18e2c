import type { ChartConfiguration } from 'chart.js';
import { seriesStyle, type Theme } from '../../report/charts/canvas/theme.ts';
import type { ChartSpec } from '../../report/charts/chart.ts';
import { type Axis, axisAround, linearScale, startNoteOf } from '../../report/charts/parts/axis.ts';
import { chartWidth, isNarrow } from '../../report/charts/parts/frame.ts';
import { pointsDataset } from '../../report/charts/parts/points.ts';
import { type SideLabel, sideLabels, sideLabelsRoom } from '../../report/charts/parts/side-labels.ts';
import { quantity } from '../../text/numbers.ts';
import { distinctLabels, plain, plural } from '../../text/plain.ts';
import type { TrendSeries } from '../trend.ts';
import { intervals, levels, rebuiltMarks, STEP_ROOM, stepMarks } from './plugins.ts';
import { type DrawnLine, drawnPoints, firstShown, groupSize, inUnit, shortStep, type View } from './view.ts';

/** Pixels that a drawn point needs, so that its interval can be told from its neighbours'. */
const PIXELS_A_POINT = 5;
const HEIGHT = 360;
const DAY_MS = 86_400_000;

/** Energy over the experiments of a place. `null`: nothing is left to be drawn. `id` must be unique on the page. */
export function trendChart(id: string, series: TrendSeries, view: View, theme: Theme): ChartSpec | null {
  const width = chartWidth(theme);
  const { lines, from, size } = drawnLines(series, view, width);
  const points = lines.flatMap((line) => line.points);
  if (points.length === 0) return null;
  const x = experimentAxis(from, series.startedAt.length - 1, isNarrow(theme) ? 3 : 6);
  const ends = points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]);
  const y = axisAround(
    ends.reduce((a, b) => Math.min(a, b)),
    ends.reduce((a, b) => Math.max(a, b)),
  );
  const labels = lines.map(sideLabelOf);
  const room = sideLabelsRoom(labels, theme);
  const stepped = lines.some(({ line }) => line.steps.some(({ at }) => at > from));
  const title = view.unit === 'joules' ? 'Mean energy of an execution (J)' : 'Mean energy against the first level (%)';

  const config: ChartConfiguration<'scatter'> = {
    type: 'scatter',
    data: {
      datasets: lines.map(({ points: data, style }) =>
        pointsDataset([...data], style, theme, size > 1 ? 'full' : 'haloed'),
      ),
    },
    options: {
      layout: { padding: { top: 10 + room.top + (stepped ? STEP_ROOM : 0), bottom: 4, left: 8, right: room.right } },
      scales: {
        x: dated(x, series, theme),
        y: linearScale(y, title, theme),
      },
    },
    plugins: [
      rebuiltMarks(lines, from, theme),
      intervals(lines),
      levels(lines, from),
      stepMarks(lines, from, room.top, theme),
      sideLabels(labels, theme),
    ],
  };
  return {
    id,
    title: 'Energy over the commits',
    description: describe(series, lines, from, size),
    width,
    height: HEIGHT + room.top,
    config,
  };
}

/** For its caption. In percent, 0 is the first level and not the absence of energy. */
export function axisNote(spec: ChartSpec, unit: View['unit']): string {
  return unit === 'percent' ? '' : startNoteOf(spec, 'energy axis');
}

/** What is drawn of a place, and how many experiments each point stands for. */
export function drawnLines(
  series: TrendSeries,
  view: View,
  width: number,
): { readonly lines: DrawnLine[]; readonly from: number; readonly size: number } {
  const from = firstShown(series, view);
  const size = groupSize(series.startedAt.length - from, Math.floor(width / PIXELS_A_POINT));
  const names = distinctLabels(
    series.lines.map(({ variant }) => variant),
    (name) => plain(name, 24),
  );
  const lines = series.lines.flatMap((line, i): DrawnLine[] => {
    if (view.variants !== null && !view.variants.has(line.variant)) return [];
    const points = drawnPoints(series, line, from, size, view.unit);
    if (points.length === 0) return [];
    return [{ line, style: seriesStyle(i), label: names[i]!, points, toUnit: inUnit(line, view.unit) }];
  });
  return { lines, from, size };
}

function sideLabelOf({ line, style, label, points }: DrawnLine): SideLabel {
  const last = line.levels.at(-1)!;
  return { label, detail: `now ${quantity(last.energyJ, 'J')}`, style, at: points.at(-1)!.y };
}

function experimentAxis(from: number, to: number, most: number): Axis {
  const room = Math.max(0.5, (to - from) * 0.02);
  const step = Math.max(1, Math.ceil((to - from) / most));
  const ticks: number[] = [];
  for (let at = from; at <= to; at += step) ticks.push(at);
  return { min: from - room, max: to + room, ticks, decimals: 0 };
}

/** Dates at the ticks, with the time of day where many lie within a day. */
function dated(axis: Axis, { startedAt }: TrendSeries, theme: Theme): ReturnType<typeof linearScale> {
  const options = linearScale(axis, 'Experiments in the order of measuring (date, UTC)', theme);
  const times = axis.ticks.map((at) => Date.parse(startedAt[at]!));
  const close = times.some((time, i) => i > 0 && time - times[i - 1]! < DAY_MS);
  const callback = (value: string | number): string => {
    const iso = new Date(startedAt[Number(value)]!).toISOString();
    return close ? iso.slice(5, 16).replace('T', ' ') : iso.slice(0, 10);
  };
  return { ...options, ticks: { ...options.ticks, callback } } as ReturnType<typeof linearScale>;
}

function describe(series: TrendSeries, lines: readonly DrawnLine[], from: number, size: number): string {
  const shown = series.startedAt.length - from;
  const grouped = size > 1 ? `, each point standing for ${size}` : '';
  const each = lines.map(({ line, label }) => {
    const steps = line.steps.filter(({ at }) => at > from).map(shortStep);
    const told = steps.length === 0 ? 'no step' : `${plural(steps.length, 'step')}: ${steps.slice(-10).join(', ')}`;
    return `${label}: now ${quantity(line.levels.at(-1)!.energyJ, 'J')}, ${told}`;
  });
  return `${plural(shown, 'experiment')}${grouped}. ${each.join('. ')}.`;
}
