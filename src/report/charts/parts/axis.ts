export interface Axis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
  /** Decimals of the tick labels. */
  readonly decimals: number;
}

/**
 * Limits just outside the data, with about `ticks` round numbers between them; zero is not forced in, because the
 * differences that are looked for are small, and never crossed by data that are not negative. Equal data get 1 % of room.
 */
export function axisAround(low: number, high: number, ticks = 6): Axis {
  const room = high > low ? (high - low) * 0.05 : Math.abs(low) * 0.01 || 1;
  const step = roundStep((high - low + 2 * room) / ticks);
  const min = low >= 0 ? Math.max(low - room, 0) : low - room;
  return axisOf(min, high + room, step);
}

/** From 0 to exactly `end`, with about `ticks` ticks. */
export function axisTo(end: number, ticks = 7): Axis {
  return axisOf(0, end, roundStep(end / ticks));
}

/** From 0, or from below where there are negative data, to just beyond the data, with about `ticks` round numbers. */
export function axisFromZero(low: number, high: number, ticks = 6): Axis {
  const [from, to] = [Math.min(low, 0), Math.max(high, 0)];
  const room = to > from ? (to - from) * 0.05 : 1;
  return axisOf(from < 0 ? from - room : 0, to + room, roundStep((to - from + room) / ticks));
}

function axisOf(min: number, max: number, step: number): Axis {
  const ticks: number[] = [];
  for (let k = Math.ceil(min / step - 1e-9); k * step <= max + 1e-9 * step; k++) ticks.push(k * step || 0);
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

/** Least and greatest of any number of values; [Infinity, −Infinity] of none. `Math.min(...values)` fails beyond some 100,000. */
export function extentOf(values: Iterable<number>): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
