import type { LevelPoint } from '../../src/parts/fleet/history/steps/level.ts';
import type { Random } from './random.ts';

/** Lines of experiments without any step, in standard deviations of one experiment. */
export type Scatter = (random: Random, n: number) => number[];

/** Neighbors correlate by `phi` (first-order autoregression). */
export const correlated =
  (phi: number): Scatter =>
  (random, n) => {
    const line = [random.normal()];
    while (line.length < n) line.push(phi * line.at(-1)! + Math.sqrt(1 - phi * phi) * random.normal());
    return line;
  };

/** So many experiments a day share this part of their variance. */
export const inDays =
  (perDay: number, share: number): Scatter =>
  (random, n) => {
    const line: number[] = [];
    while (line.length < n) {
      const day = Math.sqrt(share) * random.normal();
      for (let i = 0; i < perDay; i++) line.push(day + Math.sqrt(1 - share) * random.normal());
    }
    return line.slice(0, n);
  };

/** Student's t with 3 degrees of freedom. */
export const heavyTails: Scatter = (random, n) =>
  Array.from({ length: n }, () => {
    const square = random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2;
    return random.normal() / Math.sqrt(square / 3);
  });

/** One experiment in twenty lies 20 standard deviations off. */
export const outliers: Scatter = (random, n) => {
  const line = correlated(0.3)(random, n);
  for (let i = 0; i < n / 20; i++) line[Math.floor(random.uniform() * n)]! += random.uniform() < 0.5 ? -20 : 20;
  return line;
};

export const SCATTERS: Readonly<Record<string, Scatter>> = {
  independent: correlated(0),
  'neighbors correlated by 0.3': correlated(0.3),
  'neighbors correlated by 0.5': correlated(0.5),
  'three a day that share half of their variance': inDays(3, 0.5),
  'six a day that share half of their variance': inDays(6, 0.5),
  'heavy tails (t, 3 df)': heavyTails,
  'single outliers of 20 sd': outliers,
};

/** Beyond what the threshold was made for. */
export const HARDER: Readonly<Record<string, Scatter>> = {
  'neighbors correlated by 0.7': correlated(0.7),
  'ten a day that share half of their variance': inDays(10, 0.5),
};

/** With a standard deviation of `sdPercent`, the step of `stepPercent` lying before the point `at`. */
export function pointsOf(line: readonly number[], sdPercent: number, stepPercent = 0, at = 0): LevelPoint[] {
  const up = Math.log1p(stepPercent / 100);
  return line.map((value, i) => ({
    logEnergy: Math.log(250) + (sdPercent / 100) * value + (i >= at ? up : 0),
    se: (0.4 * sdPercent) / 100,
  }));
}
