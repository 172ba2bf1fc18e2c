// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { ComparedRun } from '../../src/analysis/comparison/pairing.ts';
import { percentChange } from '../../src/analysis/comparison/percent.ts';
import { takeSample } from '../../src/analysis/comparison/sample.ts';
import { decide } from '../../src/analysis/verdict.ts';
import type { Verdict } from '../../src/findings/comparison.ts';
import type { Interval } from '../../src/findings/numbers.ts';
import { normalQuantile } from '../../src/stats/normal.ts';
import { createPrng, type Prng } from '../../src/stats/prng.ts';

const rows: readonly (readonly [Interval, Interval, Verdict])[] = [
  [[2.6, 3.7], [2.7, 3.6], 'increase'],
  [[-3.7, -2.6], [-3.6, -2.7], 'decrease'],
  [[0.1, 0.7], [0.2, 0.6], 'changed-within-margin'],
  [[-0.7, -0.1], [-0.6, -0.2], 'changed-within-margin'],
  [[-0.2, 0.5], [-0.1, 0.4], 'equivalent'],
  // The 95 % interval may leave the margin: the two one-sided tests are the 90 % interval.
  [[-0.4, 1.1], [-0.3, 0.9], 'equivalent'],
  [[-1.9, 2.6], [-1.6, 2.3], 'inconclusive'],
  [[0.2, 1.4], [0.3, 1.2], 'increase'],
  // The lower margin of 1 % is 1/1.01: −0.990 %.
  [[-1.1, 0.1], [-0.995, 0.05], 'inconclusive'],
  [[-1.1, 0.1], [-0.985, 0.05], 'equivalent'],
  // An interval that touches zero shows no change.
  [[0, 2.5], [0.4, 2], 'inconclusive'],
  [[0, 0], [0, 0], 'equivalent'],
];

describe('the verdict at a margin of 1 %', () => {
  it.each(rows)('of 95 %% interval %j, 90 %% interval %j is %s', (ci95, ci90, verdict) => {
    expect(decide({ ci95, ci90, confidence: 0.9503 }, 1, null).verdict).toBe(verdict);
  });

  it.each<[Interval, Interval, number, Verdict, string | null]>([
    [[2.6, 3.7], [2.7, 3.6], 0.049, 'increase', null],
    [[2.6, 3.7], [2.7, 3.6], 0.05, 'inconclusive', 'several'],
    [[-3.7, -2.6], [-3.6, -2.7], 0.2, 'inconclusive', 'several'],
    [[0.1, 0.7], [0.2, 0.6], 0.01, 'changed-within-margin', null],
    [[0.1, 0.7], [0.2, 0.6], 0.06, 'equivalent', null],
    [[-1.9, 2.6], [-1.6, 2.3], 1, 'inconclusive', 'open'],
  ])('of 95 %% interval %j, 90 %% interval %j, with p = %d by Holm, is %s', (ci95, ci90, pHolm, verdict, reason) => {
    expect(decide({ ci95, ci90, confidence: 0.9503 }, 1, null, pHolm)).toEqual({ verdict, reason });
  });

  it('is inconclusive below 95 % of confidence, without an interval, and for an obstacle', () => {
    const clear = { ci95: [2, 3] as const, ci90: [2, 3] as const };
    expect(decide({ ...clear, confidence: 0.9375 }, 1, null)).toEqual({ verdict: 'inconclusive', reason: 'too-few' });
    expect(decide({ ci95: null, ci90: null, confidence: null }, 1, null).reason).toBe('too-few');
    expect(decide({ ...clear, confidence: 0.96 }, 1, 'no-variation')).toEqual({
      verdict: 'inconclusive',
      reason: 'no-variation',
    });
  });
});

describe('identical variants in random blocks, on a drifting machine with outliers', () => {
  it('are told apart in at most 6.5 % of 2,000 experiments', () => {
    const random = createPrng(5);
    let changed = 0;
    for (let experiment = 0; experiment < 2000; experiment++) {
      const { ci95 } = percentChange(takeSample(...identical(random, 20)));
      if (ci95 !== null && (ci95[0] > 0 || ci95[1] < 0)) changed++;
    }
    expect(changed / 2000).toBeLessThanOrEqual(0.065);
    expect(changed / 2000).toBeGreaterThan(0.03);
  });
});

/** A random walk of the machine, noise of 0.8 %, and every thirtieth run or so dearer by up to 15 %. */
function identical(random: Prng, blocks: number): [ComparedRun[], ComparedRun[]] {
  const uniform = (): number => (random.u32() + 0.5) / 2 ** 32;
  let drift = 0;
  let run = 0;
  const arms: [ComparedRun[], ComparedRun[]] = [[], []];
  for (let block = 1; block <= blocks; block++) {
    for (const at of random.shuffle([0, 1] as const)) {
      drift += 0.003 * normalQuantile(uniform());
      const outlier = uniform() < 0.03 ? 0.03 + 0.12 * uniform() : 0;
      const energyJ = 200 * Math.exp(drift + 0.008 * normalQuantile(uniform()) + outlier);
      run += 1;
      arms[at].push({ run, block, energyJ, durationS: null });
    }
  }
  return arms;
}
