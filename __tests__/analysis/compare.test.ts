// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { type ComparedRun, type CompareOptions, compare } from '../../src/analysis/compare.ts';
import type { Comparison } from '../../src/findings/comparison.ts';
import { plainText } from '../../src/report/document/text.ts';
import { verdictText } from '../../src/report/words/verdict.ts';
import { createRandom } from '../simulate/random.ts';
import { expected, pairedCases } from '../stats/expected.ts';
import { expectNear } from '../stats/near.ts';

const options: CompareOptions = {
  baseline: 'native',
  variant: 'container',
  channel: 'wall',
  marginPercent: 1,
  seed: 20261120,
};

/** Runs of one arm, one a block, or without blocks. */
function arm(energies: readonly number[], durations: readonly number[] | null, blocked: boolean): ComparedRun[] {
  return energies.map((energyJ, i) => ({
    run: i + 1,
    block: blocked ? i + 1 : null,
    energyJ,
    durationS: durations?.[i] ?? null,
  }));
}

/** Every number that isn't finite, and everything undefined, by its path. */
function unwritable(value: unknown, path = 'comparison'): string[] {
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return [path];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => unwritable(inner, `${path}.${key}`));
}

describe.each(pairedCases)('compared in blocks: $name', ({ x, y, tx, ty, expected: wanted }) => {
  const result = compare(arm(x, tx, true), arm(y, ty, true), options);

  it('has the Hodges–Lehmann percent with its exact interval as its headline', () => {
    const { percent, ci95, ci90, confidence } = wanted.paired.walsh;
    const headline = { estimate: percent, ci95, ci90, confidence, mean_log: wanted.paired.meanPercent };
    // Where steps are large beside the scatter the headline has room for them, and no interval where nothing varies.
    const asTested = result.coarse === null && result.reason !== 'no-variation';
    const { ci95: exact95, ci90: exact90 } = result.alternatives?.walsh ?? { ci95: null, ci90: null };
    const exact = { ci95: exact95?.interval, ci90: exact90?.interval, confidence: exact95?.confidence };
    expectNear(asTested ? result.percent : { ...result.percent, ...exact }, headline, 1e-9, 1e-13);
    expect(result).toMatchObject({ blocks: x.length, n_baseline: x.length, n_variant: y.length, metric: 'energy_j' });
  });

  it('has every test alternatives it', () => {
    const { signedRank, t, tost } = wanted.paired;
    const { welch, mannWhitney, brunnerMunzel, kruskalWallis } = wanted.two;
    expectNear(result.tests, {
      wilcoxon_signed_rank: {
        w_plus: signedRank.wPlus,
        p: signedRank.p,
        n_nonzero: signedRank.nNonzero,
        n_zero: signedRank.nZero,
      },
      paired_t_log: t && { t: t.t, df: t.df, p: t.p },
      welch_t: welch && { t: welch.t, df: welch.df, p: welch.p },
      mann_whitney: mannWhitney,
      brunner_munzel: brunnerMunzel,
      kruskal_wallis: kruskalWallis && { ...kruskalWallis, df: 1 },
      tost: tost === null ? null : { margin_percent: 1, p: tost },
    });
  });

  it('has the differences of the arms and their effect sizes', () => {
    const { of_means, welch, shift, cliff, cohen, hedges } = wanted.two;
    expectNear(result.difference, { of_means, welch_ci95: welch?.ci95 ?? null, hodges_lehmann: shift.estimate }, 1e-9);
    expectNear(result.effect.cliffs_delta, { value: cliff.delta, ci95: cliff.ci95 });
    expectNear(result.effect.vargha_delaney_a, (cliff.delta + 1) / 2, 1e-12);
    expectNear(result.effect.cohens_d, cohen);
    expectNear(result.effect.hedges_g?.value ?? null, hedges);
  });

  it('takes the change apart into time and power, exactly', () => {
    const [energy, time] = wanted.why ?? [0, 0];
    const { log_energy, log_time, log_power } = result.why;
    expectNear(log_energy?.mean, energy, 1e-9, 1e-15);
    expectNear(log_time?.mean, time, 1e-9, 1e-15);
    expectNear((log_time?.mean ?? 0) + (log_power?.mean ?? 0), energy, 1e-9, 1e-14);
  });

  it('holds nothing that JSON cannot', () => {
    expect(unwritable(result)).toEqual([]);
  });
});

describe.each(expected.cases)('compared without blocks: $name', ({ x, y, tx, ty, expected: { two } }) => {
  const result = compare(arm(x, tx, false), arm(y, ty, false), options);

  it('has the middle of all ratios as its headline, between such ratios', () => {
    const { estimate, ci95, ci90 } = result.percent;
    if ([...x, ...y].some((energy) => energy <= 0)) return expect(estimate).toBeNull();
    const tied = new Set([...x, ...y]).size < x.length + y.length;
    const ratios = x.flatMap((base) => y.map((energy) => 100 * (energy / base - 1))).sort((a, b) => a - b);
    const middle = ratios.length / 2;
    const logs = [ratios[Math.ceil(middle) - 1] ?? 0, ratios[Math.floor(middle)] ?? 0].map((r) => Math.log1p(r / 100));
    // Where readings are equal they are spread over their step.
    if (!tied) expectNear(estimate, 100 * Math.expm1(((logs[0] ?? 0) + (logs[1] ?? 0)) / 2), 1e-9, 1e-12);
    for (const end of [...(ci95 ?? []), ...(ci90 ?? [])]) {
      expect(end).toBeGreaterThan(-100);
      if (!tied) expect(Math.min(...ratios.map((ratio) => Math.abs(ratio - end)))).toBeLessThan(1e-9 * (100 + end));
    }
    const inOrder = [ci95?.[0], ci90?.[0], estimate, ci90?.[1], ci95?.[1]].filter((end) => end !== undefined);
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
  });

  it('has the shift of the arms in joules, with its exact interval', () => {
    expectNear(result.difference.hodges_lehmann, two.shift.estimate);
    const { ci95 } = result.alternatives?.shift_joules ?? { ci95: null };
    if (two.shift.ci) expectNear(ci95?.interval ?? null, two.shift.ci);
    expect(result.blocks).toBeNull();
    expect(result.tests).toMatchObject({ wilcoxon_signed_rank: null, paired_t_log: null, sign_flip: null });
    expectNear(result.tests.tost, two.tost === null ? null : { margin_percent: 1, p: two.tost });
  });

  it('holds nothing that JSON cannot', () => {
    expect(unwritable(result)).toEqual([]);
  });
});

describe('a large change without blocks', () => {
  // Log-normal noise of 40 %, as of short runs on a busy machine.
  const random = createRandom(3);
  const noisy = (n: number, joules: number): number[] =>
    Array.from({ length: n }, () => joules * Math.exp(0.4 * random.normal()));
  const [x, y] = [noisy(8, 250), noisy(8, 40)];

  it('has an interval that ends above −100 %', () => {
    const { percent, verdict } = compare(arm(x, null, false), arm(y, null, false), options);
    expect(percent.estimate).toBeCloseTo(-83, -1);
    expect(percent.ci95?.[0]).toBeGreaterThan(-95);
    expect(percent.ci95?.[1]).toBeLessThan(-65);
    expect(verdict).toBe('decrease');
  });

  it('is the same change seen from either side', () => {
    const there = compare(arm(x, null, false), arm(y, null, false), options).percent;
    const back = compare(arm(y, null, false), arm(x, null, false), options).percent;
    const inverse = (percent: number | undefined): number => 100 / (1 + (percent ?? 0) / 100) - 100;
    expectNear(back.estimate, inverse(there.estimate ?? 0), 1e-9);
    expectNear(back.ci95, [inverse(there.ci95?.[1]), inverse(there.ci95?.[0])], 1e-9);
  });
});

describe('coarse readings in blocks', () => {
  const random = createRandom(21);
  const readings = (joules: number, step: number): ComparedRun[] =>
    arm(
      Array.from({ length: 30 }, () => step * Math.round((joules + 0.5 * random.normal()) / step)),
      null,
      true,
    );

  it('are not called equivalent where rounding could hide the margin', () => {
    const nearly = (other: number): number[] => Array.from({ length: 30 }, (_, i) => (i % 14 === 3 ? other : 252));
    const arms = [arm(nearly(248), null, true), arm(nearly(256).reverse(), null, true)] as const;
    const result = compare(...arms, { ...options, marginPercent: 0.5 });
    expect(result).toMatchObject({ verdict: 'inconclusive', reason: 'coarse', coarse: { step_j: 4 } });
    expect(plainText(verdictText(result, 0.5))).toMatch(
      /^Inconclusive: \d+ of 30 blocks show the same difference, because the energies come in steps of 4\.000 J \(1\.6 %\); rounding by one step either way could change the answer\. A finer meter/,
    );
  });

  it('have an interval that holds the change, however large the steps', () => {
    let held = 0;
    for (let i = 0; i < 200; i++) {
      const [middle, more] = [250 + 4 * random.uniform(), 2 * random.uniform()];
      const { percent, joules } = compare(readings(middle, 4), readings(middle + more, 4), options);
      const [low, high] = percent.ci95 ?? [-100, 100];
      const [lowJ, highJ] = joules?.ci95 ?? [-100, 100];
      const change = (100 * more) / middle;
      if (low <= change && change <= high && lowJ <= more && more <= highJ) held++;
    }
    expect(held).toBeGreaterThanOrEqual(186);
  });

  it('have no interval where nothing varies', () => {
    for (const blocked of [true, false]) {
      const { percent, joules, reason } = compare(
        arm([5, 5, 5, 5, 5, 5, 5], null, blocked),
        arm([6, 6, 6, 6, 6, 6, 6], null, blocked),
        options,
      );
      expect(joules?.estimate).toBe(1);
      expect([percent.ci95, percent.ci90, joules?.ci95, reason]).toEqual([null, null, null, 'no-variation']);
    }
  });

  it('are where the steps are smaller than the margin, or than the scatter', () => {
    expect(compare(readings(250, 4), readings(250, 4), { ...options, marginPercent: 3 }).verdict).toBe('equivalent');
    const fine = compare(readings(250, 0.1), readings(250.1, 0.1), options);
    expect(fine).toMatchObject({ verdict: 'equivalent', coarse: null });
  });
});

describe('coarse readings without blocks', () => {
  const random = createRandom(8);
  const readings = (joules: number, step: number): ComparedRun[] =>
    arm(
      Array.from({ length: 30 }, () => step * Math.round((joules + 0.5 * random.normal()) / step)),
      null,
      false,
    );

  it.each([0.25, 0.5, 1])('are not exact because they are equal, in steps of %d J', (step) => {
    const { percent } = compare(readings(250, step), readings(250.1, step), options);
    const [low, high] = percent.ci90 ?? [0, 0];
    expect(high - low).toBeGreaterThan(0.1);
    expect(high - low).toBeLessThan(1);
  });

  it('are not called equivalent where a step is larger than the margin', () => {
    // All but one round to the same step of 2 %: both may be anywhere in it.
    const [x, y] = [Array.from({ length: 30 }, () => 250), Array.from({ length: 30 }, (_, i) => (i === 3 ? 255 : 250))];
    expect(compare(arm(x, null, false), arm(y, null, false), options)).toMatchObject({ verdict: 'inconclusive' });
  });

  it('are the same where the last digits are of the arithmetic', () => {
    const readingsOf = (off: number): number[] =>
      [250, 251, 250, 249, 250, 251, 250, 250, 249, 250].map((e) => e + off);
    const wobbling = readingsOf(0).map((energy, i) => (i % 2 === 0 ? energy : energy * (1 + 2 ** -52)));
    const reported = (x: readonly number[]) =>
      compare(arm(x, null, false), arm(readingsOf(0), null, false), options).percent;
    expectNear(reported(wobbling).ci95, reported(readingsOf(0)).ci95 as [number, number], 1e-6);
  });
});

describe('pairing', () => {
  const energies = [100, 101, 99, 100.5, 100.2, 99.7, 100.8, 101.2];
  const native = arm(energies, null, true);
  const container = arm(
    energies.map((energy) => energy * 1.05),
    null,
    true,
  );

  it('uses only the blocks with one valid run of each, and all runs for the arms', () => {
    const twice = [...native, { ...(native[0] as ComparedRun), run: 90, energyJ: 500 }];
    const result = compare(twice, container.slice(0, 7).reverse(), options);
    expect(result).toMatchObject({ blocks: 6, n_baseline: 9, n_variant: 7, verdict: 'increase' });
    expectNear(result.percent.estimate, 5, 1e-9);
  });

  it('says so when no block is complete', () => {
    const elsewhere = container.map((run) => ({ ...run, block: (run.block ?? 0) + 100 }));
    expect(compare(native, elsewhere, options)).toMatchObject({
      blocks: 0,
      percent: { estimate: null, ci95: null },
      verdict: 'inconclusive',
      reason: 'no-block',
    });
  });
});

describe('what must not matter', () => {
  const [sample] = pairedCases;
  const x = sample?.x ?? [];
  const y = sample?.y ?? [];
  const result = compare(arm(x, null, true), arm(y, null, true), options);

  it('the order of the runs, and doing it again', () => {
    const again = compare(arm(x, null, true).reverse(), arm(y, null, true), options);
    expect(JSON.stringify(compare(arm(x, null, true), arm(y, null, true), options))).toBe(JSON.stringify(result));
    expect(again.percent).toMatchObject({ estimate: result.percent.estimate, ci95: result.percent.ci95 });
    expect(again.tests.sign_flip).toEqual(result.tests.sign_flip);
  });

  it('the unit of energy', () => {
    const kilo = (energies: readonly number[]): ComparedRun[] =>
      arm(
        energies.map((energy) => energy * 1024),
        null,
        true,
      );
    expectNear(compare(kilo(x), kilo(y), options).percent.ci95, result.percent.ci95 as [number, number], 1e-12);
  });

  it('a huge offset: no digit of a small change is lost', () => {
    const energies = [1e9, 1e9 + 3, 1e9 + 1, 1e9 + 4, 1e9 + 2, 1e9 + 5, 1e9 + 6];
    const more = energies.map((energy) => energy + 0.5);
    for (const blocked of [true, false]) {
      const { percent } = compare(arm(energies, null, blocked), arm(more, null, blocked), options);
      expectNear(percent.of_means, 50 / (1e9 + 3), 1e-12);
      expectNear(percent.of_medians, 50 / (1e9 + 3), 1e-12);
      expectNear(percent.estimate, 50 / (1e9 + 3), 1e-12);
    }
  });

  it('a change so clear that no double holds its p: none is 0', () => {
    const many = Array.from({ length: 420 }, (_, i) => 100 + 1e-4 * Math.sin(i));
    const twice = many.map((energy, i) => 2 * energy + 1e-4 * Math.cos(3 * i));
    for (const blocked of [true, false]) {
      const { tests, alternatives } = compare(arm(many, null, blocked), arm(twice, null, blocked), options);
      const { wilcoxon_signed_rank, paired_t_log, sign_flip, welch_t, mann_whitney, kruskal_wallis } = tests;
      const all = [wilcoxon_signed_rank, paired_t_log, sign_flip, welch_t, mann_whitney, kruskal_wallis];
      for (const test of all) expect(test === null || test.p > 0).toBe(true);
      expect(welch_t!.p).toBeLessThan(1e-300);
      expect(alternatives!.tost!.p_lower).toBeGreaterThan(0);
    }
  });

  it('which arm is called the baseline, but for the sign', () => {
    const swapped = compare(arm(y, null, true), arm(x, null, true), options);
    const back = (percent: number | null | undefined): number => 100 / (1 + (percent ?? 0) / 100) - 100;
    expectNear(swapped.percent.estimate, back(result.percent.estimate), 1e-9);
    expectNear(swapped.percent.ci95, [back(result.percent.ci95?.[1]), back(result.percent.ci95?.[0])], 1e-9);
    expect([result.verdict, swapped.verdict]).toEqual(['increase', 'decrease']);
  });
});

describe('sensitivity', () => {
  const quiet = Array.from({ length: 24 }, (_, i) => 100 + Math.sin(i * 2.4));

  it('shows the estimate without the flagged blocks, and never drops them from the headline', () => {
    const odd = quiet.map((energy, i) => (i === 5 ? 160 : energy * 1.02));
    const { sensitivity, blocks } = compare(arm(quiet, null, true), arm(odd, null, true), options);
    expect(blocks).toBe(24);
    expect(sensitivity.without_flagged).toMatchObject({ blocks: 23 });
    expectNear(sensitivity.without_flagged?.estimate, 2, 1e-9);
    expect(sensitivity.without_first_quarter).toMatchObject({ blocks: 18 });
  });

  it('gives notice when the mean sits in a few expensive runs', () => {
    const tail = quiet.map((energy, i) => (i % 8 === 3 ? energy * 1.4 : energy * (1 + 0.002 * Math.sin(i))));
    const comparison = compare(arm(quiet, null, true), arm(tail, null, true), options);
    expect(comparison.sensitivity.tail_effect).toBe(true);
    expect(plainText(verdictText(comparison, options.marginPercent))).toContain('The mean changed by +5.06 %');
    expect(
      compare(arm(quiet, null, true), arm([...quiet].reverse(), null, true), options).sensitivity.tail_effect,
    ).toBe(false);
  });
});

describe('energies and durations that are not numbers', () => {
  it.each([
    [{ energyJ: Number.NaN, durationS: 1 }, 'run 7 has the energy NaN'],
    [{ energyJ: 1, durationS: Infinity }, 'run 7 has the duration Infinity'],
  ])('are refused by name: %j', (bad, message) => {
    expect(() => compare([{ run: 7, block: 1, ...bad }], [], options)).toThrow(message);
  });
});

describe('undefined things', () => {
  const few: readonly (readonly [string, number[], number[]])[] = [
    ['no runs', [], []],
    ['one arm without runs', [5, 6], []],
    ['one run each', [5], [6]],
    ['two runs each', [5, 6], [6, 7]],
    ['zero energy', [5, 0, 5.1, 5.2, 5, 5.3, 5.1], [6, 6.1, 6, 6.2, 6.1, 6, 6]],
    ['negative energies', [-5, -6, -7, -5, -6, -7], [-1, -2, -3, -1, -2, -3]],
    ['constants', [5, 5, 5, 5, 5, 5, 5], [6, 6, 6, 6, 6, 6, 6]],
    ['five separated blocks', [5, 5.1, 5.2, 5, 5.1], [9, 9.1, 9.2, 9, 9.3]],
  ];

  it.each(few)('%s: null and inconclusive, with a reason', (_name, x, y) => {
    const blocked: Comparison = compare(arm(x, null, true), arm(y, null, true), options);
    expect(unwritable(blocked)).toEqual([]);
    expect(blocked.verdict).toBe('inconclusive');
    expect(blocked.minimum_detectable_percent).toBeNull();
    expect(blocked.reason).not.toBeNull();
    expect(plainText(verdictText(blocked, options.marginPercent))).toMatch(/^Inconclusive: ./);
    expect(unwritable(compare(arm(x, null, false), arm(y, null, false), options))).toEqual([]);
  });

  it('is an interval of joules from three runs each, which holds with 90 % and not with 95', () => {
    const { difference, alternatives, undefined_because } = compare(
      arm([5, 6, 7], null, false),
      arm([8, 9.5, 9], null, false),
      options,
    );
    expect(alternatives!.shift_joules!.ci95!.confidence).toBeCloseTo(0.9, 12);
    expect(difference.hodges_lehmann).toBe(3);
    expect(difference.hodges_lehmann_ci95).toBeNull();
    expect(undefined_because!['difference.hodges_lehmann_ci95']).toBe('too-few');
  });
});
