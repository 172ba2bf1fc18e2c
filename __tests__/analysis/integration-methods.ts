import type { SampleColumns } from '../../src/store/records.ts';

// The ways of making an energy of block means that are not used, for comparison with the one that is. Readings are stamped at the end of
// their block; seconds, watts, joules.

export interface Window {
  readonly startS: number;
  readonly endS: number;
}

const endsS = ({ tNs }: SampleColumns): number[] => Array.from(tNs, (t) => t / 1e9);

/** Readings stamped inside the window, each a whole period. */
export function countSamples(columns: SampleColumns, { startS, endS }: Window, periodS: number): number {
  return sum(endsS(columns).map((t, i) => (t >= startS && t <= endS ? (columns.powerW[i] as number) * periodS : 0)));
}

/** Every reading with the part of its block that lies in the window; `latencyS` is what the stamps are believed to be late. */
export function partialBlocks(columns: SampleColumns, { startS, endS }: Window, periodS: number, latencyS = 0): number {
  return sum(
    endsS(columns).map((t, i) => {
      const blockEndS = t - latencyS;
      const inside = Math.min(blockEndS, endS) - Math.max(blockEndS - periodS, startS);
      return (columns.powerW[i] as number) * Math.max(0, inside);
    }),
  );
}

/** Linear between readings that are placed `shiftS` before their stamps: 0 for the end of the block, half a period for its middle. */
export function trapezoid(columns: SampleColumns, { startS, endS }: Window, shiftS: number): number {
  const at = endsS(columns).map((t) => t - shiftS);
  const power = (s: number): number => {
    const i = at.findIndex((t) => t >= s);
    const [t0, t1] = [at[i - 1] as number, at[i] as number];
    const [p0, p1] = [columns.powerW[i - 1] as number, columns.powerW[i] as number];
    return p0 + ((p1 - p0) * (s - t0)) / (t1 - t0);
  };
  const points = [startS, ...at.filter((t) => t > startS && t < endS), endS];
  return sum(
    points.slice(1).map((s, i) => ((power(points[i] as number) + power(s)) / 2) * (s - (points[i] as number))),
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
