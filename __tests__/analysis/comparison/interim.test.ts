// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { endsAt, type InterimState, nominalLevels } from '../../../src/analysis/analyze-interim.ts';
import { compare, compareAll } from '../../../src/analysis/compare.ts';
import { repeatedIntervals, repeatedP } from '../../../src/analysis/comparison/interim.ts';
import type { ComparedRun } from '../../../src/analysis/comparison/pairing.ts';
import type { Comparison } from '../../../src/findings/comparison.ts';
import { plainText } from '../../../src/report/document/text.ts';
import { verdictText } from '../../../src/report/words/verdict.ts';
import type { InterimPlan } from '../../../src/schedule/interims.ts';
import { walshEstimate } from '../../../src/stats/hodges-lehmann.ts';
import { lanDeMets } from '../../../src/stats/lan-demets.ts';
import { signedRank } from '../../../src/stats/signed-rank.ts';
import { createRandom } from '../../simulate/random.ts';

const planned = [20, 30, 40];
const plan: InterimPlan = { planned, spending: 'obrien-fleming', endsWhen: 'changed' };
const looksAt = (through: number) => ({ ...plan, through, stoppedBecause: null });
const options = { baseline: 'native', variant: 'container', channel: 'wall', marginPercent: 1, seed: 1 };

function arms(blocks: number, change: number, seed: number): [ComparedRun[], ComparedRun[]] {
  const random = createRandom(seed);
  const arm = (factor: number) =>
    Array.from({ length: blocks }, (_, i) => ({
      run: i + 1,
      block: i + 1,
      energyJ: 200 * factor * Math.exp(0.01 * random.normal()),
      durationS: null,
    }));
  return [arm(1), arm(1 + change)];
}

const at = (blocks: number, change: number, seed: number, through = blocks) =>
  compare(...arms(blocks, change, seed), { ...options, looks: looksAt(through) });

describe('the levels of a plan with looks', () => {
  it('are those of the published plan', () => {
    const levels = nominalLevels(plan);
    [0.00305, 0.01832, 0.044].forEach((level, i) => {
      expect(levels[i]).toBeCloseTo(level, 4);
    });
  });

  it('give a p that allows for the looks: 0.05 at each bound', () => {
    for (const [i, level] of nominalLevels(plan).entries()) {
      const shares = planned.slice(0, i + 1).map((blocks) => blocks / 40);
      expect(repeatedP(level, shares, 'obrien-fleming')).toBeCloseTo(0.05, 6);
      expect(repeatedP(level / 2, shares, 'obrien-fleming')).toBeLessThan(0.05);
      expect(repeatedP(1, shares, 'obrien-fleming')).toBe(1);
    }
  });
});

describe('repeated intervals', () => {
  /** Log ratios around a change, with a spread of 1 % and no pattern. */
  function ratios(count: number, change: number): number[] {
    const random = createRandom(count);
    return Array.from({ length: count }, () => change + 0.01 * random.normal());
  }
  const intervals = (logs: readonly number[], blocks: readonly number[] = planned) =>
    repeatedIntervals(logs, { planned: blocks, spending: 'obrien-fleming', through: logs.length })!;

  it('have the levels of the plan', () => {
    expect([20, 30, 40, 45].map((n) => intervals(ratios(n, 0.004)).nominalP)).toEqual([
      ...nominalLevels(plan),
      nominalLevels(plan).at(-1),
    ]);
  });

  it('are wider than without looks', () => {
    const d = ratios(20, 0.03);
    const { percent, nominalP } = intervals(d);
    expect(percent.confidence).toBe(1 - nominalP);
    const [low, high] = percent.ci95 as [number, number];
    const [low95, high95] = walshEstimate(d)?.ci95?.interval as [number, number];
    expect(low).toBeLessThan(100 * Math.expm1(low95));
    expect(high).toBeGreaterThan(100 * Math.expm1(high95));
    expect(low).toBeGreaterThan(0);
    const [least, most] = percent.ci90 as [number, number];
    expect([least > low, most < high]).toEqual([true, true]);
  });

  it('count a stop between the looks as one of its own', () => {
    expect(intervals(ratios(31, 0.004)).nominalP).toBe(lanDeMets([20 / 40, 30 / 40, 31 / 40]).at(-1)?.nominalP);
  });

  it('are none where so few blocks can’t reach the level', () => {
    const { nominalP, percent } = intervals(ratios(8, 0.2), [8, 60]);
    expect(percent).toEqual({ ci95: null, ci90: null, confidence: null });
    expect(nominalP).toBeLessThan(2 / 2 ** 8);
  });

  it('with one look are those without looks', () => {
    const d = ratios(30, 0.01);
    const { nominalP, percent } = intervals(d, [30]);
    expect(nominalP).toBeCloseTo(0.05, 12);
    const fixed = [walshEstimate(d)?.ci95, walshEstimate(d)?.ci90].map((found) =>
      found?.interval.map((end) => 100 * Math.expm1(end)),
    );
    expect([percent.ci95, percent.ci90]).toEqual(fixed);
  });
});

describe('a comparison at a look', () => {
  it('gives durations and powers the repeated interval, and durations a p that allows for several comparisons', () => {
    const random = createRandom(3);
    const timed = (factor: number): ComparedRun[] =>
      arms(20, 0, 5)[0].map((run) => ({ ...run, durationS: 5 * factor * Math.exp(0.01 * random.normal()) }));
    const [native, a, b] = [timed(1), timed(1.008), timed(1.0001)];
    const fixed = compare(native, a, options).typical!;
    const early = compare(native, a, { ...options, looks: looksAt(20) }).typical!;
    for (const quantity of ['duration_s', 'mean_power_w'] as const) {
      const width = (of: typeof fixed): number => of[quantity]!.percent.ci95![1] - of[quantity]!.percent.ci95![0];
      expect(width(early)).toBeGreaterThan(1.2 * width(fixed));
      expect(early[quantity]!.percent.estimate).toBe(fixed[quantity]!.percent.estimate);
    }
    expect(early.duration_s!.percent).not.toHaveProperty('p_holm');
    const ratios = (of: ComparedRun[]) => of.map(({ durationS }, i) => Math.log(durationS! / native[i]!.durationS!));
    const ps = [a, b].map((of) => signedRank(ratios(of))!.p);
    const two = compareAll([a, b].map((variant) => ({ baseline: native, variant, options })));
    expect(two.map(({ typical }) => typical!.duration_s!.percent.p_holm)).toEqual([
      expect.closeTo(2 * ps[0]!, 9),
      expect.closeTo(Math.max(2 * ps[0]!, ps[1]!), 9),
    ]);
    const looked = compareAll(
      [a, b].map((variant) => ({ baseline: native, variant, options: { ...options, looks: looksAt(20) } })),
    );
    expect(looked[0]!.typical!.duration_s!.percent.p_holm).toBeGreaterThan(4 * ps[0]!);
  });

  it('has no interval where nothing varies, so that no limit is kept by it', () => {
    const arm = (energyJ: number): ComparedRun[] =>
      Array.from({ length: 20 }, (_, i) => ({ run: i + 1, block: i + 1, energyJ, durationS: null }));
    const { percent, reason } = compare(arm(5), arm(6), { ...options, looks: looksAt(20) });
    expect(percent).toMatchObject({ estimate: expect.closeTo(20, 9), ci95: null, ci90: null, confidence: null });
    expect(reason).toBe('no-variation');
  });

  it('ends nothing by its p where the interval, which knows the steps of the meter, has zero in it', () => {
    const arm = (energyOf: (i: number) => number): ComparedRun[] =>
      Array.from({ length: 20 }, (_, i) => ({ run: i + 1, block: i + 1, energyJ: energyOf(i), durationS: null }));
    const looks = looksAt(20);
    const coarse = compare(
      arm(() => 250),
      arm((i) => (i < 14 ? 250.5 : 250)),
      { ...options, looks },
    );
    expect(coarse.tests.wilcoxon_signed_rank?.p).toBeLessThan(coarse.look?.nominal_p as number);
    expect(coarse.percent.ci95?.[0]).toBeLessThan(0);
    const ends = (look: number, one: Comparison) => endsAt(look, plan, { judged: [one], open: [], marginPercent: 1 });
    expect(ends(1, coarse)).toBeNull();
    expect(ends(1, at(20, 0.03, 1))).toBe('changed');
    expect(ends(3, coarse)).toBe('complete');
  });

  it('never takes a p below 0.05 alone for a change', () => {
    // A change whose p lies between the level of the first look and 0.05.
    const seed = Array.from({ length: 200 }, (_, i) => i).find((s) => {
      const p = compare(...arms(20, 0.006, s), options).tests.wilcoxon_signed_rank?.p ?? 1;
      return p > 0.01 && p < 0.03;
    }) as number;
    const fixed = compare(...arms(20, 0.006, seed), options);
    expect(fixed.verdict).not.toBe('inconclusive');
    expect(fixed.look).toBeUndefined();
    const looked = at(20, 0.006, seed);
    expect(looked.verdict).toBe('inconclusive');
    expect(looked.tests.wilcoxon_signed_rank).toEqual(fixed.tests.wilcoxon_signed_rank);
    expect(looked.percent.ci95?.[0]).toBeLessThan(fixed.percent.ci95?.[0] as number);
    expect(looked.percent.ci95?.[1]).toBeGreaterThan(fixed.percent.ci95?.[1] as number);
    expect(plainText(verdictText(looked, 1))).toContain('at most 0.0031 needed at this interim analysis');
  });

  it('keeps the level of its look where blocks were lost, and spends more where somebody stopped between looks', () => {
    expect(at(19, 0.03, 1, 20).look).toMatchObject({ number: 1, nominal_p: nominalLevels(plan)[0] });
    const between = at(33, 0.03, 1).look;
    expect(between).toMatchObject({ number: 2, of: 3, most_blocks: 40 });
    expect(between?.nominal_p).toBeLessThan(nominalLevels({ ...plan, planned: [20, 33, 40] })[1] as number);
  });

  it('so early that no p can reach the level says why', () => {
    expect(at(7, 0.2, 1)).toMatchObject({ verdict: 'inconclusive', percent: { ci95: null, confidence: null } });
    expect(plainText(verdictText(at(7, 0.2, 1), 1))).toContain('which so few blocks can’t reach');
  });

  it('adjusts several by the p that allows for the looks', () => {
    const [baseline, variant] = arms(20, 0.03, 5);
    const looks = looksAt(20);
    const family = ['a', 'b'].map((name) => ({ baseline, variant, options: { ...options, variant: name, looks } }));
    for (const { look, p_holm, tests } of compareAll(family)) {
      expect(look?.repeated_p).toBeGreaterThan(tests.wilcoxon_signed_rank?.p as number);
      expect(p_holm).toBeCloseTo(2 * (look?.repeated_p as number), 12);
    }
  });
});

describe('the end of an experiment whose repetitions follow from what is seen', () => {
  const auto: InterimPlan = { planned: [10, 20, 32, 60], spending: 'pocock', endsWhen: 'settled' };
  const seen = (blocks: number, change: number, plan: InterimPlan = auto, scatter = 1, seed = 3) => {
    const wide = (runs: ComparedRun[]) =>
      runs.map((run) => ({ ...run, energyJ: 200 * (run.energyJ / 200) ** scatter }));
    const [baseline, variant] = arms(blocks, change, seed).map(wide) as [ComparedRun[], ComparedRun[]];
    return compare(baseline, variant, { ...options, looks: { ...plan, through: blocks, stoppedBecause: null } });
  };
  const ends = (look: number, judged: Comparison[], plan: InterimPlan = auto, open: InterimState['open'] = []) =>
    endsAt(look, plan, { judged, open, marginPercent: 1 });

  const limitOf = ({ percent }: Comparison, limit: number) => ({ ...percent, metric: 'percent' as const, limit });

  it('comes with the last comparison that is settled, as a change or as equivalent', () => {
    const [change, same, open] = [seen(10, 0.05), seen(20, 0, auto, 0.2), seen(10, 0.004)];
    expect([change.verdict, same.verdict, open.verdict]).toEqual(['increase', 'equivalent', 'inconclusive']);
    expect(ends(1, [change])).toBe('settled');
    expect(ends(2, [change, same])).toBe('settled');
    expect(ends(1, [change, open])).toBeNull();
    expect(ends(1, [])).toBeNull();
  });

  it('waits for thresholds that are open', () => {
    expect(ends(1, [seen(10, 0.05)], auto, [limitOf(seen(10, 0.05), 5)])).toBeNull();
    const noisy = seen(32, 0, auto, 12, 4);
    const [, high] = noisy.percent.ci95!;
    expect(ends(3, [noisy], auto, [limitOf(noisy, 0.95 * high)])).toBeNull();
    expect(ends(3, [noisy], auto, [limitOf(noisy, noisy.percent.estimate!)])).toBe('futile');
  });

  it('comes where the blocks that are left would hardly settle it, and only there', () => {
    const hopeless = seen(32, 0, auto, 12, 4);
    expect(hopeless).toMatchObject({ verdict: 'inconclusive', reason: 'open' });
    expect(ends(3, [hopeless])).toBe('futile');
    expect(ends(3, [hopeless, seen(10, 0.004)])).toBeNull();
    expect(ends(4, [hopeless])).toBe('complete');
  });

  it('comes at the width that is wanted, whatever the verdict', () => {
    const wanted = (wantPercent: number): InterimPlan => ({ ...auto, endsWhen: 'precise', wantPercent });
    const open = seen(10, 0.004, wanted(5));
    const half = (open.percent.ci95![1] - open.percent.ci95![0]) / 2;
    expect(open.verdict).toBe('inconclusive');
    expect(ends(1, [open], wanted(1.01 * half))).toBe('precise');
    expect(ends(1, [open], wanted(0.99 * half))).toBeNull();
  });
});

describe('looking again and again', () => {
  it('calls about 5 % of identical pairs a change, where peeking at p < 0.05 calls more than 8 %', () => {
    const levels = nominalLevels(plan);
    const experiments = 1000;
    let called = 0;
    let peeked = 0;
    for (let seed = 1; seed <= experiments; seed++) {
      const random = createRandom(seed);
      const logRatios = Array.from({ length: 40 }, () => 0.01 * random.normal());
      const ps = planned.map((blocks) => signedRank(logRatios.slice(0, blocks))?.p ?? 1);
      if (ps.some((p, i) => p <= (levels[i] as number))) called++;
      if (ps.some((p) => p < 0.05)) peeked++;
    }
    // Three standard errors of 5 % in 1000.
    expect(called / experiments).toBeLessThan(0.071);
    expect(called / experiments).toBeGreaterThan(0.029);
    expect(peeked / experiments).toBeGreaterThan(0.08);
  });
});
