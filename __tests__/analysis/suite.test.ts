// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { compareAll } from '../../src/analysis/compare.ts';
import { comparedSuite, settledBenchmarks, suiteFindings } from '../../src/analysis/suite.ts';
import { judgeThresholds } from '../../src/analysis/thresholds.ts';
import type { Threshold } from '../../src/experiment/experiment.ts';
import type { Suite } from '../../src/experiment/suite.ts';
import { createRandom } from '../simulate/random.ts';
import { suites } from '../simulate/suite.ts';
import { bareRun } from './bare-run.ts';

const SUITE: Suite = {
  variants: ['base', 'head'],
  benchmarks: [
    { name: 'a', on: ['base', 'head'] },
    { name: 'b', on: ['base', 'head'] },
    { name: 'new', on: ['head'] },
    { name: 'gone', on: ['base'] },
    { name: 'bad', on: ['base', 'head'] },
    { name: 'gaps', on: ['base', 'head'] },
  ],
};
const DROPPED = new Map([
  ['bad', 'failed'],
  ['gaps', 'invalid'],
] as const);
const LOOPS = new Set(['a/base', 'a/head', 'b/base', 'b/head']);
const PRIMARY = { integration: 'counter', samplingPeriodS: 0.1 } as const;

/** Energies by block of `a/base`, `a/head`, `b/base`, `b/head`. */
const runsOf = (blocks: readonly (readonly number[])[], durationS = 1, executions = 1) =>
  blocks.flatMap((energies, block) =>
    energies.map((energyJ, i) =>
      bareRun({
        run: 1 + 4 * block + i,
        block: block + 1,
        position: i + 1,
        variant: ['a/base', 'a/head', 'b/base', 'b/head'][i]!,
        energyJ,
        durationS,
        executions,
      }),
    ),
  );

describe('a suite', () => {
  it('tells of each benchmark whether it was compared, and why not', () => {
    const { states, pairs } = comparedSuite(SUITE, runsOf([[1, 2, 3, 4]]), PRIMARY, DROPPED, LOOPS);
    expect(Object.fromEntries(states)).toEqual({
      a: 'compared',
      b: 'compared',
      new: 'new',
      gone: 'gone',
      bad: 'failed',
      gaps: 'invalid',
    });
    expect(pairs.map(({ variant }) => variant)).toEqual(['a/head', 'b/head']);
  });

  it.each([
    ['the meter can’t see', 0.05, 1, []],
    ['a plug reads only a few times', 5, 1, [], { integration: 'guard', samplingPeriodS: 1 } as const],
    ['the start of its harness fills', 1.2, 1000, [{ variant: 'a/head', durationS: 1 }]],
  ])('calls a benchmark too short whose window %s', (_, durationS, executions, starts, primary:
    | typeof PRIMARY
    | { integration: 'guard'; samplingPeriodS: number } = PRIMARY) => {
    const warmups = starts.map((one) =>
      bareRun({ run: 99, block: 0, status: 'warmup', energyJ: 1, executions: 1, ...one }),
    );
    const runs = [...runsOf([[1, 2, 3, 4]], durationS, executions), ...warmups];
    const { states } = comparedSuite(SUITE, runs, primary, new Map(), LOOPS);
    expect(states.get('a')).toBe('too-short');
    expect(states.get('b')).toBe(starts.length === 0 ? 'too-short' : 'compared');
  });

  it('has the geometric mean of its ratios, block by block', () => {
    const blocks = Array.from({ length: 10 }, (_, i) => [10 + i, 11 + 1.1 * i, 100, 100 * 1.2 * (1 + i / 1e4)]);
    const compared = comparedSuite(SUITE, runsOf(blocks), PRIMARY, DROPPED, LOOPS);
    const { means } = suiteFindings(compared, runsOf(blocks), 1);
    expect(means).toMatchObject([
      { baseline: 'base', variant: 'head', benchmarks: 2, blocks: 10, verdict: 'increase' },
    ]);
    expect(means[0]!.percent.estimate).toBeCloseTo(100 * (Math.sqrt(1.1 * 1.2) - 1), 1);
    // A block that lacks one of them has no mean.
    expect(suiteFindings(compared, runsOf(blocks).slice(1), 1).means[0]).toMatchObject({ blocks: 9 });
  });

  it('has a mean whose interval and limit allow for the interim analyses', () => {
    const random = createRandom(7);
    const noisy = () => 1 + 0.01 * random.normal();
    const blocks = Array.from({ length: 12 }, () => [10 * noisy(), 10.4 * noisy(), 100 * noisy(), 104 * noisy()]);
    const runs = runsOf(blocks);
    const compared = comparedSuite(SUITE, runs, PRIMARY, DROPPED, LOOPS);
    const looks = { planned: [8, 12, 16, 20], through: 12, spending: 'pocock', stoppedBecause: null } as const;
    const [fixed, repeated] = [null, looks].map((one) => suiteFindings(compared, runs, 1, one).means[0]!.percent);
    expect(fixed?.confidence).toBeLessThan(0.96);
    expect(repeated?.confidence).toBeGreaterThan(0.97);
    const width = (of: typeof fixed) => of!.ci95![1] - of!.ci95![0];
    expect(width(repeated)).toBeGreaterThan(1.1 * width(fixed));
    const suite = suiteFindings(compared, runs, 1, looks);
    const comparisons = ['a', 'b'].map((name) => ({
      benchmark: name,
      baseline: `${name}/base`,
      variant: `${name}/head`,
      channel: 'wall',
    })) as never;
    const found = {
      comparisons,
      suite,
      meter: { channels: ['wall'] },
      experiment: { baseline: 'a/base', complete: true },
    };
    const mean = { text: '', metric: 'percent', direction: 'above', limit: 3, variant: null, channel: null } as const;
    // Two limits, so that each has a p of Holm's method, which the analyses before this one make larger.
    const limits = [3, 3.1].map((limit) => ({ ...mean, limit, of: 'mean' as const, evenIfInconclusive: false }));
    const [once, again] = [null, looks].map((one) => judgeThresholds(found, runs, limits, one)[0]!.p_holm!);
    expect(again).toBeGreaterThan(1.5 * once!);
  });

  it('has a mean at the analysis of the benchmark that ended first, none before any, and no interval without variation', () => {
    const random = createRandom(7);
    const noisy = () => 1 + 0.01 * random.normal();
    const blocks = Array.from({ length: 8 }, () => [10 * noisy(), 10.4 * noisy(), 100 * noisy(), 104 * noisy()]);
    const looks = { planned: [8, 12, 16], spending: 'pocock', stoppedBecause: null, through: 12 } as const;
    const meanOf = (given: readonly (readonly number[])[], interims: Parameters<typeof suiteFindings>[3]) => {
      const runs = runsOf(given);
      const compared = comparedSuite(SUITE, runs, PRIMARY, DROPPED, LOOPS);
      return suiteFindings(compared, runs, 1, interims).means[0]!;
    };
    const ended = { ...looks, lastBlocks: new Map([['a/head', 8]]) };
    expect(meanOf(blocks, ended).percent).toEqual(meanOf(blocks, { ...looks, through: 8 }).percent);
    expect(meanOf(blocks, ended).percent).not.toEqual(meanOf(blocks, looks).percent);
    expect(meanOf([], { ...looks, through: 0 })).toMatchObject({ blocks: 0, percent: { ci95: null } });
    const same = Array.from({ length: 8 }, () => [10, 11, 100, 110]);
    expect(meanOf(same, looks)).toMatchObject({ reason: 'no-variation', percent: { ci95: null, ci90: null } });
  });

  it('has a mean that the steps of a coarse meter, or a drift within the margin, do not decide', () => {
    const random = createRandom(3);
    const meanOf = (blocks: readonly (readonly number[])[]) => {
      const runs = runsOf(blocks);
      return suiteFindings(comparedSuite(SUITE, runs, PRIMARY, DROPPED, LOOPS), runs, 1).means[0]!;
    };
    // Four of five blocks show one step more, which rounding alone may be.
    const coarse = Array.from({ length: 30 }, (_, i) => [3600, i % 5 ? 3960 : 3600, 3600, i % 5 ? 3960 : 3600]);
    expect(meanOf(coarse)).toMatchObject({ verdict: 'inconclusive', reason: 'coarse' });
    const drifting = Array.from({ length: 30 }, (_, i) =>
      [1, 1 + (i - 14.5) / 1000].flatMap((more) => [10, 10 * more * (1 + 0.0001 * random.normal())]),
    );
    expect(meanOf(drifting)).toMatchObject({ verdict: 'inconclusive', reason: 'drifts' });
  });

  it('judges a limit for the mean, and budgets by the uncertainty of the meter', () => {
    const random = createRandom(5);
    const noisy = () => 1 + 0.001 * random.normal();
    const blocks = Array.from({ length: 12 }, () => [10 * noisy(), 10.4 * noisy(), 100 * noisy(), 104 * noisy()]);
    const runs = runsOf(blocks);
    const suite = suiteFindings(comparedSuite(SUITE, runs, PRIMARY, DROPPED, LOOPS), runs, 1);
    const variants = [
      { name: 'a/head', executions_per_run: 2, energy_j: { mean: 20.8 }, energy_uncertainty_j: { of_mean: 0.4 } },
      { name: 'b/head', executions_per_run: 1, energy_j: { mean: 104 }, energy_uncertainty_j: null },
      { name: 'bad/head', executions_per_run: 1, energy_j: { mean: 1 }, energy_uncertainty_j: { of_mean: 0.1 } },
      { name: 'tiny/head', executions_per_run: 1, energy_j: { mean: 20 }, energy_uncertainty_j: { of_mean: 1 } },
    ] as never;
    const pairs = ['a', 'b'].map((name) => ({
      benchmark: name,
      baseline: `${name}/base`,
      variant: `${name}/head`,
      channel: 'wall',
    }));
    const found = {
      comparisons: pairs as never,
      suite: { ...suite, benchmarks: [...suite.benchmarks, { name: 'tiny', state: 'too-short' as const }] },
      variants,
      meter: { channels: ['wall'] },
      experiment: { baseline: 'a/base', complete: true },
    };
    const limit = (given: Partial<Threshold>): Threshold => ({
      text: '',
      metric: 'percent',
      direction: 'above',
      limit: 3,
      variant: null,
      channel: null,
      evenIfInconclusive: false,
      ...given,
    });
    const judged = judgeThresholds(found, runs, [
      limit({ of: 'mean' }),
      limit({ of: 'mean', limit: 5 }),
      limit({ of: { energy: 'a' }, metric: 'joules', limit: 10 }),
      limit({ of: { energy: 'a*' }, metric: 'joules', limit: 10.3 }),
      limit({ of: { energy: 'b' }, metric: 'joules', limit: 10 }),
      limit({ of: { energy: 'none' }, metric: 'joules', limit: 10 }),
      limit({ of: { energy: 'bad' }, metric: 'joules', limit: 10 }),
      limit({ of: { energy: 'tiny' }, metric: 'joules', limit: 10 }),
    ]);
    expect(judged.map(({ of, variant, state, fails, obstacle }) => [of, variant, state, fails, obstacle])).toEqual([
      ['mean', 'head', 'crossed', true, null],
      ['mean', 'head', 'kept', false, null],
      ['energy', 'a/head', 'crossed', true, null],
      ['energy', 'a/head', 'open', false, 'across'],
      ['energy', 'b/head', 'open', false, 'no-interval'],
      ['energy', null, 'open', false, 'no-comparison'],
      ['energy', 'bad/head', 'open', true, 'failed'],
      ['energy', 'tiny/head', 'open', false, 'too-short'],
    ]);
    expect(judged.slice(-2)).toMatchObject(Array(2).fill({ estimate: null, ci95: null }));
    expect(judged[2]!.estimate).toBe(10.4);
    expect(judged[2]!.ci95![0]).toBeCloseTo(10.2);
  });

  it('lets no benchmark that crashed pass a limit, and says of others without a number that they were not judged', () => {
    const limit = { text: '3%', metric: 'percent', direction: 'above', limit: 3, channel: null } as const;
    const states = { a: 'failed', 'a/8': 'too-short', c: 'new', d: 'invalid' } as const;
    const judged = (variant: string | null, complete = true) =>
      judgeThresholds(
        {
          comparisons: [],
          suite: {
            variants: ['base', 'head', 'next'],
            benchmarks: Object.entries(states).map(([name, state]) => ({ name, state })),
            means: [],
            false_discovery_rate: 0.05,
          },
          variants: ['a/base', 'a/head', 'a/8/base', 'a/8/next', 'a/next', 'd/head'].map((name) => ({ name })) as never,
          meter: { channels: ['wall'] },
          experiment: { baseline: 'a/base', complete },
        },
        [],
        [{ ...limit, variant, evenIfInconclusive: false }],
      ).map(({ baseline, variant, obstacle, fails }) => [baseline, variant, obstacle, fails]);
    expect(judged(null)).toEqual([
      ['a/base', 'a/head', 'failed', true],
      ['a/base', 'a/next', 'failed', true],
      ['a/8/base', 'a/8/next', 'too-short', false],
      ['d/base', 'd/head', 'invalid', false],
    ]);
    expect(judged('a/head')).toEqual([['a/base', 'a/head', 'failed', true]]);
    expect(judged('head')).toHaveLength(2);
    expect(judged('a/head', false)).toEqual([['a/base', 'a/head', 'partial', false]]);
  });

  it('widens the interval of what was found by how little of the suite it is', () => {
    const [alone, many] = [1, 20].map((others) => {
      const random = createRandom(3);
      const arm = (more: number) =>
        Array.from({ length: 30 }, (_, b) => ({
          run: b,
          block: b,
          energyJ: 100 * (1 + more + 0.01 * random.normal()),
          durationS: 1,
        }));
      const options = { baseline: 'x', variant: 'y', channel: 'wall', marginPercent: 1, seed: 1, verdictOnly: true };
      return compareAll([
        { benchmark: 'changed', baseline: arm(0), variant: arm(0.05), options },
        ...Array.from({ length: others - 1 }, (_, i) => ({
          benchmark: `b${i}`,
          baseline: arm(0),
          variant: arm(0),
          options,
        })),
      ])[0]!;
    });
    const intervalWidth = ({ percent: { ci95 } }: typeof alone & object) => ci95![1] - ci95![0];
    expect(intervalWidth(many!)).toBeGreaterThan(1.2 * intervalWidth(alone!));
    expect(many!.percent.confidence).toBeGreaterThan(0.997);
    expect(many).toMatchObject({ verdict: 'increase', benchmark: 'changed', p_holm: null, family_size: 20 });
  });

  it('rests no verdict on the steps of a meter', () => {
    // Half a step of true change, read in whole steps of a joule.
    const arm = (more: number) =>
      Array.from({ length: 20 }, (_, b) => ({
        run: b,
        block: b,
        energyJ: 100 + (b % 3) + (b % 4 === 0 ? 0 : more),
        durationS: 1,
      }));
    const options = { baseline: 'x', variant: 'y', channel: 'wall', marginPercent: 0.1, seed: 1, verdictOnly: true };
    const [found] = compareAll([{ benchmark: 'a', baseline: arm(0), variant: arm(1), options }]);
    expect(found!.coarse).not.toBeNull();
    expect(found!.p_benjamini_hochberg).toBeLessThan(0.05);
    expect(found!.percent.ci95![0]).toBeLessThanOrEqual(0);
    expect(found).toMatchObject({ verdict: 'inconclusive', reason: 'coarse' });
  });

  it('has no mean to hold a limit against where nothing was compared', () => {
    const threshold = {
      text: '3%',
      metric: 'percent',
      direction: 'above',
      limit: 3,
      variant: null,
      channel: null,
    } as const;
    const [result] = judgeThresholds(
      {
        comparisons: [],
        suite: { variants: ['base', 'head'], benchmarks: [], means: [], false_discovery_rate: 0.05 },
        meter: { channels: ['wall'] },
        experiment: { baseline: 'base', complete: true },
      },
      [],
      [{ ...threshold, evenIfInconclusive: true, of: 'mean' }],
    );
    expect(result).toMatchObject({ of: 'mean', state: 'open', obstacle: 'no-comparison', fails: true });
  });

  it('is settled in what stays as it is, whatever the others come to', () => {
    const of = (benchmark: string, verdict: string, p: number, within: number | null = null) => ({
      benchmark,
      verdict,
      family_size: 20,
      p_holm: within,
      tests: { wilcoxon_signed_rank: { p } },
      look: { repeated_p: p },
    });
    const found = [
      of('same', 'equivalent', 0.9),
      of('clear', 'increase', 0.002),
      of('weak', 'increase', 0.02),
      of('open', 'inconclusive', 0.001),
      of('half', 'equivalent', 0.9),
      of('half', 'inconclusive', 0.3),
      of('by Holm', 'decrease', 0.001, 0.004),
    ];
    expect(settledBenchmarks(found as never)).toEqual(['same', 'clear']);
  });

  it('finds changes in a simulated suite', () => {
    expect(suites(3, 1, [10], [3])[0]!.found).toBe(1);
  });
});
