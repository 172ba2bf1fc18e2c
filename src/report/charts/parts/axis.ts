import type { ScaleOptionsByType } from 'chart.js';
import { fixed, unitFor } from '../../../text/numbers.ts';
import { SIZE, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';

export interface Axis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
  /** Decimals of the tick labels. */
  readonly decimals: number;
}

/** Relative difference below which data are equal, such as 10 and 9.999999999999998: it is rounding. */
const RESOLUTION = 1e-9;
/** Maximum magnitude of drawn data (and its reciprocal the minimum), so that no sum overflows and no step is zero. */
const LARGEST = 1e150;
const SMALLEST = 1e-150;

/**
 * Limits just outside the data, with about `ticks` round numbers. Zero is not forced in, because the interesting
 * differences are small; but the axis does not go below 0 for data that are not negative. Equal data get 1 % of room.
 */
export function axisAround(low: number, high: number, ticks = 6): Axis {
  const [from, to] = [drawable(low), drawable(high)];
  const largest = Math.max(Math.abs(from), Math.abs(to));
  const room = to - from > largest * RESOLUTION ? (to - from) * 0.05 : largest * 0.01 || 1;
  return axisOf(from >= 0 ? Math.max(from - room, 0) : from - room, to + room, (to - from + 2 * room) / ticks);
}

/** Axis from 0 to exactly `end`, with about `ticks` ticks; to 1 if `end` is not above 0. */
export function axisTo(end: number, ticks = 7): Axis {
  const to = Math.max(drawable(end), 0) || 1;
  return axisOf(0, to, to / ticks);
}

/** Axis from 0, or lower for negative data, to just beyond the data, with about `ticks` round numbers. */
export function axisFromZero(low: number, high: number, ticks = 6): Axis {
  const [from, to] = [Math.min(drawable(low), 0), Math.max(drawable(high), 0)];
  const room = to > from ? (to - from) * 0.05 : 1;
  return axisOf(from < 0 ? from - room : 0, to + room, (to - from + room) / ticks);
}

function drawable(value: number): number {
  return Math.abs(value) < SMALLEST ? 0 : Math.min(Math.max(value, -LARGEST), LARGEST);
}

/** Caption note that an axis does not start at 0, so lengths are not proportional. Empty if it does. */
export function startNote({ min }: Pick<Axis, 'min'>, what = 'axis'): string {
  return min === 0 ? '' : `The ${what} does not start at 0.`;
}

/** Note for both axes of a plot, x and y. */
export function startNotes([x, xName]: readonly [Axis, string], [y, yName]: readonly [Axis, string]): string {
  return x.min !== 0 && y.min !== 0 ? 'The axes do not start at 0.' : startNote(x, xName) + startNote(y, yName);
}

/** Note for the y axis of a finished chart. */
export function axisStartNote({ config }: ChartSpec, what?: string): string {
  return startNote({ min: Number(config.options?.scales?.y?.min) }, what);
}

/** Every multiple of a round step between the limits. */
function axisOf(min: number, max: number, leastStep: number): Axis {
  const step = roundStep(leastStep);
  const first = Math.ceil(min / step - 1e-9);
  const count = Math.floor(max / step + 1e-9) - first + 1;
  const ticks = Array.from({ length: count }, (_, i) => (first + i) * step || 0);
  return { min, max, ticks, decimals: decimalsOf(step) };
}

/** The smallest of 1, 2, 2.5, 5 × 10^k that is at least `raw`. */
function roundStep(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  const factor = [1, 2, 2.5, 5, 10].find((f) => f * power >= raw * (1 - 1e-9)) ?? 10;
  return factor * power;
}

function decimalsOf(step: number): number {
  for (let decimals = 0; decimals < 12; decimals++) {
    if (Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) < 1e-6) return decimals;
  }
  return 12;
}

/** Minimum and maximum of many values; [Infinity, −Infinity] for none. `Math.min(...values)` fails above some 100,000. */
export function computeExtent(values: Iterable<number>): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

export type LinearOptions = Partial<ScaleOptionsByType<'linear'>>;

/** A chart.js scale with our limits, ticks and style. Small values get a prefixed unit: `(J)` becomes `(mJ)`. */
export function linearScale(axis: Axis, title: string, theme: Theme): LinearOptions {
  const [, words = title, given = ''] = /^(.*) \((J|W|s)\)$/.exec(title) ?? [];
  const { unit, size } = unitFor(Math.max(Math.abs(axis.min), Math.abs(axis.max)), given);
  const decimals = Math.max(0, axis.decimals + Math.round(Math.log10(size)));
  const options = {
    type: 'linear',
    min: axis.min,
    max: axis.max,
    title: {
      display: true,
      text: size === 1 ? title : `${words} (${unit})`,
      color: theme.ink,
      font: { size: SIZE.text },
    },
    // If the range is a whole number of steps, chart.js starts its own ticks at `min` and so labels odd numbers.
    afterBuildTicks: (scale: { ticks: { value: number }[] }) => {
      scale.ticks = axis.ticks.map((value) => ({ value }));
    },
    ticks: {
      maxRotation: 0,
      autoSkip: false,
      color: theme.muted,
      font: { size: SIZE.small },
      callback: (value: string | number) => fixed(Number(value) / size, decimals),
    },
    grid: { color: theme.grid, tickLength: 5 },
    border: { color: theme.muted },
    unitSize: size,
  };
  return options as unknown as LinearOptions;
}
