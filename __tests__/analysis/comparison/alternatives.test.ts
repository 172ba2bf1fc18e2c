// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { type ComparedRun, compare } from '../../../src/analysis/compare.ts';
import type { Comparison } from '../../../src/findings/comparison.ts';
import { createRandom } from '../../simulate/random.ts';
import { type Case, expected } from '../../stats/expected.ts';
import { expectNear } from '../../stats/near.ts';

const options = { baseline: 'native', variant: 'container', channel: 'wall', marginPercent: 1, seed: 1 };

function ofCase({ x, y, tx, ty, expected: { paired } }: Case): Comparison {
  const arm = (energies: number[], times: number[], first: number): ComparedRun[] =>
    energies.map((energyJ, i) => ({
      run: 2 * i + first,
      block: paired === null ? null : i + 1,
      energyJ,
      durationS: times[i] as number,
    }));
  return compare(arm(x, tx, 1), arm(y, ty, 2), options);
}

describe.each(expected.cases)('alternatives the headline: $name', (sample) => {
  const { two, paired } = sample.expected;
  const { alternatives, descriptive, tests, percent, coarse } = ofCase(sample);

  it('stand the ratio of means, equivalence from both sides and what the arms could have seen', () => {
    expectNear(alternatives?.ratio_of_means.log_delta_ci95, two.logDelta, 1e-9, 1e-13);
    expectNear(alternatives?.ratio_of_means.fieller_ci95, two.fieller);
    expectNear(alternatives?.minimum_detectable.two_sample_percent, two.detectablePercent, 1e-8);
    const sides = paired === null ? two.tostSides : paired.tostSides;
    expectNear(alternatives?.tost && [alternatives.tost.p_lower, alternatives.tost.p_upper], sides, 1e-6);
    if (sides) expect(tests.tost?.p).toBe(Math.max(alternatives?.tost?.p_lower ?? 0, alternatives?.tost?.p_upper ?? 0));
  });

  it('stand the paired ones, where there are blocks', () => {
    if (paired === null) {
      expect([alternatives?.walsh, alternatives?.signed_rank_pratt, descriptive?.cohens_dz]).toEqual([
        null,
        null,
        null,
      ]);
      return;
    }
    expectNear(alternatives?.ratio_of_means.paired_fieller_ci95, paired.fieller);
    expectNear(alternatives?.minimum_detectable.paired_t_percent, paired.detectableT);
    if (coarse === null && percent.ci95 !== null) expectNear(alternatives?.walsh?.ci95?.interval, percent.ci95, 0);
    expectNear(descriptive?.cohens_dz, paired.dz, 1e-8);
    const { mean: _, ...joules } = descriptive?.paired_t_joules ?? { mean: 0 };
    expectNear(Object.keys(joules).length === 0 ? null : joules, paired.joules);
    expectNear(descriptive?.serial?.lag1, paired.lag1, 1e-9, 1e-14);
  });
});

/** Blocks of native and container with an order drawn by chance; `energy` gives ln E. */
function blocks(n: number, energy: (variant: 'native' | 'container', later: boolean, block: number) => number) {
  const random = createRandom(8);
  const arms: Record<'native' | 'container', ComparedRun[]> = { native: [], container: [] };
  for (let block = 1; block <= n; block++) {
    const nativeFirst = random.uniform() < 0.5;
    for (const variant of ['native', 'container'] as const) {
      const later = nativeFirst === (variant === 'container');
      const logE = energy(variant, later, block) + 0.003 * random.normal();
      const run = 2 * block + (later ? 1 : 0);
      arms[variant].push({ run, block, energyJ: 100 * Math.exp(logE), durationS: 10 * Math.exp(logE / 2) });
    }
  }
  return arms;
}

describe('the order inside the blocks', () => {
  const more = (variant: string, by: number): number => (variant === 'container' ? by : 0);

  it('is told by the surcharge of the later run, and taken off where it is material', () => {
    const { native, container } = blocks(30, (variant, later) => more(variant, 0.01) + (later ? 0.02 : 0));
    const { descriptive, alternatives, percent } = compare(native, container, options);
    expect(descriptive?.order_effect?.later_percent).toBeCloseTo(2, 0);
    expect(descriptive?.order_effect?.p).toBeLessThan(0.001);
    const width = ([low, high]: readonly [number, number]): number => high - low;
    expect(alternatives?.order_adjusted?.estimate).toBeCloseTo(1, 0);
    expect(width(alternatives?.order_adjusted?.ci95 ?? [0, 9])).toBeLessThan(width(percent.ci95 ?? [0, 0]) / 2);
  });

  it('is left alone where it makes no difference, and unknown where the order is', () => {
    const { native, container } = blocks(30, (variant) => more(variant, 0.01));
    expect(compare(native, container, options).alternatives?.order_adjusted).toBeNull();
    const unordered = compare(native, container, { ...options, ordered: false });
    expect(unordered.descriptive).toMatchObject({ order_effect: null, serial: null });
    expect(unordered.undefined_because?.['descriptive.serial']).toBe('no-order');
  });
});

describe('what describes a comparison', () => {
  it('has the correlation of energy and time that a difference of the arms can’t make up', () => {
    const { native, container } = blocks(30, (variant, _, block) => (variant === 'container' ? 0.2 : 0) + block / 100);
    const other = (runs: readonly ComparedRun[], by: number) =>
      runs.map((run, i) => ({ ...run, durationS: 10 + ((by * i) % 11) / 100 }));
    expect(compare(native, container, options).descriptive?.energy_time_pearson?.r).toBeGreaterThan(0.9);
    expect(
      Math.abs(compare(other(native, 3), other(container, 5), options).descriptive?.energy_time_pearson?.r ?? 1),
    ).toBeLessThan(0.7);
  });

  it('flags blocks far from the others, and says when it can’t', () => {
    const { native, container } = blocks(20, (variant, _, block) => (variant === 'container' && block === 7 ? 0.1 : 0));
    expect(compare(native, container, options).descriptive?.flagged_blocks?.map(({ block }) => block)).toEqual([7]);
    const flat = native.map((run, i) => ({ ...run, energyJ: i < 3 ? 100 + i : 100 }));
    const same = native.map((run) => ({ ...run, energyJ: 100 }));
    expect(compare(same, flat, options).descriptive).toMatchObject({
      flagged_blocks: null,
      flagged_blocks_note: 'no-spread',
    });
  });

  it('draws again with the seed of the plan, 10,000 times by block', () => {
    const { native, container } = blocks(20, (variant) => (variant === 'container' ? 0.02 : 0));
    const of = (seed: number) => compare(native, container, { ...options, seed }).descriptive?.bootstrap;
    expect(of(4)).toMatchObject({ by: 'block', seed: 4, resamples: 10_000 });
    expect(of(4)).toEqual(of(4));
    expect(of(5)?.of_means_percent_ci95).not.toEqual(of(4)?.of_means_percent_ci95);
  });
});

describe('what is undefined', () => {
  it('has its reason', () => {
    const { native, container } = blocks(4, () => 0);
    const few = compare(native, container, options).undefined_because;
    expect(few).toMatchObject({
      'sensitivity.without_first_quarter': 'too-few',
      'descriptive.order_effect': 'few-of-each-order',
    });
    const unblocked = (runs: readonly ComparedRun[]) => runs.map((run) => ({ ...run, block: null, durationS: null }));
    expect(compare(unblocked(native), unblocked(container), options).undefined_because).toMatchObject({
      'tests.wilcoxon_signed_rank': 'no-blocks',
      'alternatives.walsh': 'no-blocks',
      'why.log_time': 'no-durations',
    });
    expect(compare([], container, options).undefined_because?.['percent.estimate']).toBe('no-runs');
    const constant = native.map((run) => ({ ...run, energyJ: 5 }));
    expect(compare(constant, constant, options).undefined_because?.['tests.welch_t']).toBe('no-variation');
  });

  it('is nothing where all is defined', () => {
    const { native, container } = blocks(30, (variant) => (variant === 'container' ? 0.003 : 0));
    expect(compare(native, container, options).undefined_because).toEqual({});
  });

  it('is not looked at where only the verdict is asked for', () => {
    const { native, container } = blocks(30, (variant) => (variant === 'container' ? 0.003 : 0));
    const {
      alternatives,
      descriptive,
      undefined_because: because,
      joules,
      typical,
      ...verdict
    } = compare(native, container, options);
    const none = { alternatives: null, descriptive: null, undefined_because: {} };
    expect(compare(native, container, { ...options, verdictOnly: true })).toEqual({ ...verdict, ...none });
    expect([alternatives, descriptive, because, joules, typical]).not.toContain(undefined);
  });
});
