// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { type Arms, type ComparedRun, compare, compareAll } from '../../src/analysis/compare.ts';
import type { Comparison } from '../../src/findings/comparison.ts';
import { plainText } from '../../src/report/document/text.ts';
import { verdictText } from '../../src/report/words/verdict.ts';

/** Ten blocks; the changes are percents of 100 J, in an order that is no trend. */
function against(variant: string, percents: readonly number[], blocked = true): Arms {
  const runs = (energies: readonly number[]): ComparedRun[] =>
    energies.map((energyJ, i) => ({ run: i + 1, block: blocked ? i + 1 : null, energyJ, durationS: null }));
  return {
    baseline: runs(percents.map((_, i) => 100 + 0.01 * i)),
    variant: runs(percents.map((percent, i) => (100 + 0.01 * i) * (1 + percent / 100))),
    options: { baseline: 'native', variant, channel: 'wall', marginPercent: 1, seed: 1 },
  };
}

const up = [-1, 4.1, 2, 3.2, -0.5, 2.5, 4.5, 3, -1.5, 5]; // p = 0.014
const flat = [-3, 3.1, 2, -2.2, 1.5, -1.6, 4.5, -4.4, 0.5, -0.6];
const clear = [3, 3.1, 2, 2.2, 2.5, 2.6, 4.5, 3.4, 1.5, 5]; // p = 0.002
const p = (arms: Arms) => compare(arms.baseline, arms.variant, arms.options).tests.wilcoxon_signed_rank?.p;

describe('several comparisons', () => {
  it('are each judged by Holm’s p, their own p and intervals standing beside it', () => {
    const family = [against('a', up), against('b', clear), against('c', flat), against('d', flat)];
    const judged = compareAll(family);
    const alone = family.map(({ baseline, variant, options }) => compare(baseline, variant, options));
    expect(judged.map(({ percent, tests }) => [percent, tests])).toEqual(
      alone.map(({ percent, tests }) => [percent, tests]),
    );
    expect(alone.map((c) => c.verdict)).toEqual(['increase', 'increase', 'inconclusive', 'inconclusive']);
    expect(judged.map((c) => c.verdict)).toEqual(['inconclusive', 'increase', 'inconclusive', 'inconclusive']);
    expect(judged[0]?.p_holm).toBeCloseTo(3 * (p(family[0] as Arms) as number), 12);
    expect(judged[1]?.p_holm).toBeCloseTo(4 * (p(family[1] as Arms) as number), 12);
  });

  it('would find their smallest detectable change by Holm’s method too', () => {
    const family = [against('a', up), against('b', flat), against('c', flat), against('d', flat)];
    const least = (c: Comparison | undefined): number => {
      const [low, high] = c!.percent.ci95!.map((end) => Math.log(1 + end / 100)) as [number, number];
      return Math.log(1 + c!.minimum_detectable_percent! / 100) / ((high - low) / 2);
    };
    // (z₀.₉₉₃₇₅ + z₀.₈₀)/z₀.₉₇₅ and (z₀.₉₇₅ + z₀.₈₀)/z₀.₉₇₅, by tables.
    expect(least(compareAll(family)[0])).toBeCloseTo((2.4977 + 0.8416) / 1.96, 2);
    expect(least(compareAll(family.slice(1, 2))[0])).toBeCloseTo((1.96 + 0.8416) / 1.96, 2);
    // A suite has a false-discovery rate, which is no such level.
    const suite = family.map((arms, i) => ({ ...arms, benchmark: `b${i}` }));
    expect(least(compareAll(suite)[1])).toBeCloseTo((1.96 + 0.8416) / 1.96, 2);
  });

  it('in a suite, would find the same change whether or not they found one', () => {
    const blocks = Array.from({ length: 4 }, () => up).flat();
    const alone = against('a', blocks);
    const members = [alone, ...Array.from({ length: 9 }, (_, i) => against(`b${i}`, flat))];
    const [found] = compareAll(members.map((arms, i) => ({ ...arms, benchmark: `b${i}` })));
    const own = compare(alone.baseline, alone.variant, alone.options);
    expect(found?.verdict).toBe('increase');
    // The intervals of what is found are wider, which is no matter of the noise.
    expect(found!.percent.confidence).toBeGreaterThan(own.percent.confidence!);
    const [wide, usual] = [found, own].map((c) => c!.joules!.ci95!);
    expect(wide![0]).toBeLessThan(usual![0]);
    expect(wide![1]).toBeGreaterThan(usual![1]);
    expect(found!.typical!.energy_j!.percent.ci95).toEqual(found!.percent.ci95);
    expect(found!.joules!.estimate).toBe(own.joules!.estimate);
    expect(found?.minimum_detectable_percent).toBe(own.minimum_detectable_percent);
  });

  it('say in words what their number did', () => {
    const [a, b, c] = compareAll([against('a', up), against('b', clear), against('c', flat), against('d', flat)]);
    expect(plainText(verdictText(b!, 1))).toContain(
      '10 blocks, exact signed-rank p = 0.002, p = 0.008 for 4 comparisons (Holm))',
    );
    expect(plainText(verdictText(a!, 1))).toMatch(
      /^Inconclusive: by itself, a would have used \d\.\d % more energy than native \(95 % CI 0\.\d+ to \d\.\d+ %; 10 blocks, exact signed-rank p = 0\.0\d+\), but one of 4 comparisons could too easily be due to chance \(p = 0\.0\d+ by Holm’s method\)\. About \d+ more blocks \(\d+ in all\) would probably settle it/,
    );
    expect(plainText(verdictText(c!, 1))).toContain(', p = 1.00 for 4 comparisons (Holm))');
  });

  it('count only those that can be tested', () => {
    const [a, none] = compareAll([against('a', up), against('b', [])]);
    expect(a).toMatchObject({ p_holm: null, verdict: 'increase' });
    expect(none).toMatchObject({ p_holm: null, verdict: 'inconclusive' });
    expect(compareAll([])).toEqual([]);
  });

  it('without blocks, are adjusted from Mann–Whitney’s p', () => {
    const family = [against('a', up, false), against('b', clear, false)];
    const own = compareAll(family).map((c) => c.tests.mann_whitney?.p as number);
    const adjusted = compareAll(family).map((c) => c.p_holm as number);
    expect(Math.min(...adjusted)).toBeCloseTo(2 * Math.min(...own), 12);
  });
});
