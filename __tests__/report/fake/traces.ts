import type { RunTrace } from '../../../src/analysis/results.ts';
import type { FakeVariant } from './variant.ts';

export function traces(
  variants: readonly FakeVariant[],
  count: number,
  random: () => number,
  period: number,
): RunTrace[] {
  const list: RunTrace[] = [];
  for (let i = 0; i < count; i++) {
    for (const [k, v] of variants.entries()) {
      const durationS = (v.durationS ?? 12) * (1 + 0.02 * random());
      const level = (v.energiesJ?.[0] ?? v.meanJ ?? 250) / (v.durationS ?? 12);
      const offset = ((i * 37 + k * 11) % 100) / 100;
      const tS: number[] = [];
      for (let t = (offset - 0.5) * period; t < durationS + 0.5 * period; t += period) tS.push(t);
      const shape = (t: number): number =>
        8 + (level - 8) * (t < 0 || t > durationS ? 0 : 1 + 0.15 * Math.sin(t / 1.7) - (t > 7 ? 0.1 : 0));
      list.push({
        run: list.length + 1,
        variant: v.name,
        durationS,
        tS: Float64Array.from(tS),
        powerW: Float64Array.from(
          tS,
          (t) => (shape(t - 0.45 * period) + shape(t) + shape(t + 0.45 * period)) / 3 + 0.3 * random(),
        ),
      });
    }
  }
  return list;
}
