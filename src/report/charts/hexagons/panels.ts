import type { RunTrace } from '../../../analysis/results.ts';
import { quantileOfSorted } from '../../../stats/quantiles.ts';

/** One hexagon: its center, and the number of points in it. */
export interface Bin {
  readonly x: number;
  readonly y: number;
  readonly count: number;
}

/** Size of the hexagons in units of the axes: `dx` from flat side to flat side, `dy` from a center to that of the next row but one. */
export interface BinSize {
  readonly dx: number;
  readonly dy: number;
}

/**
 * Counts points in hexagons with a corner at the top: two interleaved grids, each point to the nearer center (Carr et al. 1987,
 * JASA 82:424). Regular if `dy` is √3 `dx` on the screen. The hexagons come from left to right, from low to high.
 */
export function countInHexagons(points: Iterable<readonly [x: number, y: number]>, { dx, dy }: BinSize): Bin[] {
  const bins = new Map<string, { x: number; y: number; count: number }>();
  for (const [x, y] of points) {
    const [u, v] = [x / dx, y / dy];
    const even = [Math.round(u), Math.round(v)] as const;
    const odd = [Math.floor(u) + 0.5, Math.floor(v) + 0.5] as const;
    const far = ([i, j]: readonly [number, number]): number => (u - i) ** 2 + 3 * (v - j) ** 2;
    const [i, j] = far(even) <= far(odd) ? even : odd;
    const key = `${i} ${j}`;
    const bin = bins.get(key);
    if (bin === undefined) bins.set(key, { x: i * dx, y: j * dy, count: 1 });
    else bin.count++;
  }
  return [...bins.values()].sort((a, b) => a.x - b.x || a.y - b.y);
}

export interface HexagonPanel {
  readonly label: string;
  readonly runs: number;
  readonly readings: number;
  readonly bins: readonly Bin[];
}

export interface PowerRange {
  readonly low: number;
  readonly high: number;
  /** Number of readings outside of the range, which are counted at its ends. */
  readonly beyond: number;
}

/**
 * All powers; or if a few outliers would compress the others, the range of the middle 99 %, extended by its own width
 * on both sides.
 */
export function powerRange(traces: readonly RunTrace[]): PowerRange {
  const values = new Float64Array(traces.reduce((sum, t) => sum + t.powerW.length, 0));
  let at = 0;
  for (const { powerW } of traces) {
    values.set(powerW, at);
    at += powerW.length;
  }
  values.sort();
  const [lowest, from, to, highest] = [0, 0.005, 0.995, 1].map((q) => quantileOfSorted(values, q)) as [
    number,
    number,
    number,
    number,
  ];
  const room = to - from;
  if (!(room > 0)) return { low: lowest, high: highest, beyond: 0 };
  const low = Math.max(lowest, from - room);
  const high = Math.min(highest, to + room);
  return { low, high, beyond: values.reduce((count, v) => count + (v < low || v > high ? 1 : 0), 0) };
}

export function hexagonPanel(
  label: string,
  traces: readonly RunTrace[],
  size: BinSize,
  { low, high }: PowerRange,
): HexagonPanel {
  function* points() {
    for (const { tS, powerW } of traces) {
      for (const [i, t] of tS.entries()) yield [t, Math.min(Math.max(powerW[i]!, low), high)] as const;
    }
  }
  const readings = traces.reduce((sum, { tS }) => sum + tS.length, 0);
  return { label, runs: traces.length, readings, bins: countInHexagons(points(), size) };
}
