import type { RunTrace } from '../../../analysis/results.ts';
import { quantileOfSorted } from '../../../stats/quantiles.ts';
import { type Bin, type BinSize, HexagonBins } from './bins.ts';

export interface HexagonPanel {
  readonly label: string;
  readonly runs: number;
  readonly readings: number;
  readonly bins: readonly Bin[];
}

export interface PowerRange {
  readonly low: number;
  readonly high: number;
  /** Readings beyond, which are counted at its ends. */
  readonly beyond: number;
}

/**
 * All powers, or, where a few readings lie so far out that they would press the others flat, those within once the width of
 * the middle 99 % of that middle.
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
  const bins = new HexagonBins(size);
  let readings = 0;
  for (const { tS, powerW } of traces) {
    for (let i = 0; i < tS.length; i++) bins.add(tS[i]!, Math.min(Math.max(powerW[i]!, low), high));
    readings += tS.length;
  }
  return { label, runs: traces.length, readings, bins: bins.all() };
}
