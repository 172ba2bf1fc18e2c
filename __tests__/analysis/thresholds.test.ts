// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { percentChange } from '../../src/analysis/comparison/percent.ts';
import { takeSample } from '../../src/analysis/comparison/sample.ts';
import type { RunResult } from '../../src/analysis/results.ts';
import { judgeThresholds } from '../../src/analysis/thresholds.ts';
import { decide } from '../../src/analysis/verdict.ts';
import type { Threshold } from '../../src/experiment/experiment.ts';
import type { Comparison } from '../../src/findings/comparison.ts';
import type { Findings } from '../../src/findings/findings.ts';
import type { ThresholdResult } from '../../src/findings/goals.ts';
import { analyzeCsv } from '../../src/parts/fleet/analysis/csv/analyze.ts';
import { plainText } from '../../src/report/document/text.ts';
import { thresholdText } from '../../src/report/words/threshold.ts';
import { gaussian } from '../report/synthetic/random.ts';

const BLOCKS = 12;

function limit(text: string, more: Partial<Threshold> = {}): Threshold {
  const value = Number.parseFloat(text);
  return {
    text,
    metric: text.endsWith('%') ? 'percent' : 'joules',
    direction: value < 0 ? 'below' : 'above',
    limit: value,
    variant: null,
    channel: null,
    evenIfInconclusive: false,
    ...more,
  };
}

type Variants = Readonly<Record<string, readonly number[]>>;

/** Energies that differ from `mean` by up to `spread` percent, the same every time. */
function energies(mean: number, spread: number, blocks = BLOCKS): number[] {
  const shifts = [0.3, -0.7, 0.9, -0.1, -0.9, 0.6, 1, -0.4, 0.2, -1, 0.5, -0.3];
  return Array.from({ length: blocks }, (_, i) => mean * (1 + (spread * (shifts[i % 12] as number)) / 100));
}

const native = Array.from({ length: BLOCKS }, () => 100);

function judged(variants: Variants, failOn: readonly Threshold[], blocks = true): readonly ThresholdResult[] {
  const rows = Object.entries(variants).flatMap(([name, values]) =>
    values.map((energy, i) => `${name},${blocks ? i + 1 : ''},${energy}`),
  );
  const options = { file: 'f.csv', name: 'f', baseline: 'native', marginPercent: 1, goals: { failOn } };
  return analyzeCsv(`variant,block,energy_j\n${rows.join('\n')}\n`, options).findings.thresholds ?? [];
}

const words = (result: ThresholdResult | undefined): string =>
  plainText(thresholdText({ meter: { channels: ['energy'] } as unknown as Findings['meter'] }, result!));

const one = (variants: Variants, threshold: Threshold): ThresholdResult => judged(variants, [threshold])[0]!;

describe('a threshold', () => {
  it.each([
    ['well beyond', 107, 'crossed', true],
    ['well within', 102, 'kept', false],
    ['around the limit', 105.1, 'open', false],
    ['far less', 80, 'kept', false],
  ])('with the whole interval %s is %s', (_, mean, state, fails) => {
    const result = one({ native, container: energies(mean as number, 1) }, limit('5%'));
    expect(result).toMatchObject({ threshold: '5%', variant: 'container', metric: 'percent', limit: 5, state, fails });
  });

  it('is not crossed by an estimate beyond it whose interval reaches across', () => {
    const result = one({ native, container: energies(106, 8) }, limit('5%'));
    expect(result.estimate).toBeGreaterThan(5);
    expect(result.ci95![0]).toBeLessThan(5);
    expect(result).toMatchObject({ state: 'open', fails: false });
    expect(words(result)).toMatch(/^The limit of \+5 % is open\. .*which includes the limit\.$/);
  });

  it('fails an open result only where that was asked for, and says so', () => {
    const asked = limit('5%', { evenIfInconclusive: true });
    const open = one({ native, container: energies(105.1, 1) }, asked);
    expect(open).toMatchObject({ state: 'open', fails: true });
    expect(words(open)).toContain('fails anyway, as configured');
    expect(one({ native, container: energies(102, 1) }, asked)).toMatchObject({ state: 'kept', fails: false });
  });

  it('in joules is held against the blocks’ differences', () => {
    const variants = { native: [100, 500, 900, 300, 700, 200, 600], container: [121, 522, 921, 323, 722, 221, 622] };
    expect(one(variants, limit('20 J'))).toMatchObject({ state: 'crossed', metric: 'joules', estimate: 21.5 });
    expect(one(variants, limit('23.5 J'))).toMatchObject({ state: 'kept' });
    expect(one(variants, limit('22 J'))).toMatchObject({ state: 'open' });
    expect(words(one(variants, limit('20 J')))).toContain('container against native: +21.5 J (95 % CI +21.0 to +22.5)');
  });

  it('in joules is of one execution where a run is several', () => {
    const rows = (['native', 'container'] as const).flatMap((name) =>
      native.map((joules, i) => `${name},${i + 1},${name === 'native' ? joules : joules + 21 + (i % 3)},10`),
    );
    const csv = `variant,block,energy_j,executions\n${rows.join('\n')}\n`;
    const of = (text: string) => {
      const options = {
        file: 'f.csv',
        name: 'f',
        baseline: 'native',
        marginPercent: 1,
        goals: { failOn: [limit(text)] },
      };
      return analyzeCsv(csv, options).findings.thresholds?.[0];
    };
    expect(of('2 J')).toMatchObject({ state: 'crossed', limit: 2, estimate: expect.closeTo(2.2, 1) });
    expect(of('2.35 J')).toMatchObject({ state: 'kept' });
    expect(of('20 J')).toMatchObject({ state: 'kept' });
  });

  it('below zero gates a decrease, and only then', () => {
    const less = { native, container: energies(90, 1) };
    expect(one(less, limit('5%'))).toMatchObject({ state: 'kept' });
    expect(one(less, limit('-5%'))).toMatchObject({ state: 'crossed', direction: 'below' });
    expect(one({ native, container: energies(97, 1) }, limit('-5%'))).toMatchObject({ state: 'kept' });
    expect(words(one(less, limit('-5%')))).toMatch(/^The limit of −5 % is crossed/);
  });

  it('of a result that is inconclusive by itself is open, however far it lies', () => {
    const few = one({ native: native.slice(0, 5), container: energies(150, 1, 5) }, limit('5%'));
    expect(few).toMatchObject({ state: 'open', ci95: null, fails: false });
    expect(words(few)).toContain('too little data for a 95 % interval');
    const constant = one({ native, container: native.map(() => 150) }, limit('5%'));
    expect(constant).toMatchObject({ state: 'open' });
    expect(words(constant)).toContain('the verdict is inconclusive');
  });

  it.each([
    ['with blocks', true],
    ['without blocks', false],
  ])('is open in every unit where nothing varies, %s', (_, blocks) => {
    const constant = { native, container: native.map(() => 110) };
    for (const text of ['20%', '20 J', '5%', '5 J']) {
      const [result] = judged(constant, [limit(text)], blocks);
      expect(result).toMatchObject({ state: 'open', obstacle: 'inconclusive', ci95: null, fails: false });
    }
  });

  it('works without blocks', () => {
    const variants = { native: energies(100, 1), container: energies(107, 1) };
    const results = judged(variants, [limit('5%'), limit('5 J'), limit('9%')], false);
    expect(results.map(({ state }) => state)).toEqual(['crossed', 'crossed', 'kept']);
  });

  it('is for the variants and the channel that it names', () => {
    const variants = { native, a: energies(107, 1), b: energies(107, 1) };
    expect(judged(variants, [limit('5%')]).map(({ variant }) => variant)).toEqual(['a', 'b']);
    expect(judged(variants, [limit('5%', { variant: 'b' })]).map(({ variant }) => variant)).toEqual(['b']);
  });

  it.each([
    ['variant', { variant: 'native' }],
    ['channel', { channel: 'dram' }],
  ])('for a %s that is not compared says so, and can fail for it', (_, more) => {
    const variants = { native, container: energies(107, 1) };
    expect(one(variants, limit('5%', more))).toMatchObject({ state: 'open', fails: false, ci95: null });
    expect(words(one(variants, limit('5%', more)))).toContain('nothing to compare with the limit');
    expect(one(variants, limit('5%', { ...more, evenIfInconclusive: true })).fails).toBe(true);
  });

  it('of an experiment that was cut short is not judged, nor does it fail', () => {
    const { findings, runs } = analyzed({ native, container: energies(150, 1) });
    const partial = { ...findings, experiment: { ...findings.experiment, complete: false } };
    const [result] = judgeThresholds(partial, runs, [limit('5%', { evenIfInconclusive: true })]);
    expect(result).toMatchObject({ state: 'open', fails: false });
    expect(words(result)).toContain('cut short');
  });
});

function analyzed(variants: Variants): { findings: Findings; runs: readonly RunResult[] } {
  const rows = Object.entries(variants).flatMap(([name, values]) => values.map((e, i) => `${name},${i + 1},${e}`));
  const options = { file: 'f.csv', name: 'f', baseline: 'native', marginPercent: 1 };
  return analyzeCsv(`variant,block,energy_j\n${rows.join('\n')}\n`, options);
}

describe('a threshold of another channel', () => {
  it('names it, and what its numbers are where they are of another kind', () => {
    const lines = ['wall', 'estimate'].flatMap((on) =>
      [100, 107].flatMap((mean, v) =>
        energies(mean, 1).map((e, i) => `${v === 0 ? 'native' : 'container'},${i + 1},${2 * i + v},${e},${on}`),
      ),
    );
    const options = { file: 'f.csv', name: 'f', baseline: 'native', marginPercent: 1 };
    const { findings, runs } = analyzeCsv(`variant,block,run,energy_j,channel\n${lines.join('\n')}\n`, options);
    const failOn = [limit('5%'), limit('5%', { channel: 'estimate' })];
    const sentences = (meter: Findings['meter']): string[] =>
      judgeThresholds({ ...findings, meter }, runs, failOn).map((result) =>
        plainText(thresholdText({ meter }, result)),
      );
    const [ofWall, beside] = sentences(findings.meter);
    expect(ofWall).toContain('container against native: +7.0 %');
    expect(beside).toContain('container against native on the channel estimate: +7.0 %');
    const [, modelled] = sentences({ ...findings.meter, channel_sources: { estimate: 'modelled' } });
    expect(modelled).toContain('on the channel estimate (modelled): +7.0 %');
  });
});

describe('several thresholds', () => {
  it('share the chance of a false alarm by Holm’s method, and one alone keeps it', () => {
    // Six blocks that all lie beyond: two-sided p = 2/2⁶ = 0.031, which two of them at once don't bear.
    const six = { native: native.slice(0, 6), a: energies(107, 1, 6) };
    expect(judged(six, [limit('5%')])[0]).toMatchObject({ state: 'crossed', p_holm: null });
    const both = judged(six, [limit('5%'), limit('5 J')]);
    expect(both.map(({ state }) => state)).toEqual(['open', 'open']);
    expect(both[0]?.p_holm).toBeCloseTo(0.0625, 12);
    expect(words(both[0])).toContain('by Holm’s method');
  });

  it('that are kept take nothing from one that is crossed', () => {
    const variants = { native, a: energies(107, 1), b: energies(100, 1), c: energies(101, 1) };
    expect(judged(variants, [limit('5%')]).map(({ state }) => state)).toEqual(['crossed', 'kept', 'kept']);
  });
});

describe('the chance of a false alarm', () => {
  /** How often a threshold of 5 % is crossed of so many simulated experiments, whose true change is `percent`. */
  function crossed(percent: number, experiments: number, variants: number): number {
    const random = gaussian(20261121);
    const draw = (mean: number): number[] => Array.from({ length: 10 }, () => mean * Math.exp(0.02 * random()));
    const { findings } = analyzedOnce;
    const [template] = findings.comparisons as [Comparison];
    let count = 0;
    for (let i = 0; i < experiments; i++) {
      const base = runsOf('native', draw(100));
      const others = Array.from({ length: variants }, (_, k) => runsOf(`v${k}`, draw(100 + percent)));
      const comparisons = others.map((runs): Comparison => {
        const found = percentChange(takeSample(base, runs));
        const { verdict } = decide(found, 1, null);
        return { ...template, variant: runs[0]!.variant, percent: found, verdict };
      });
      const results = judgeThresholds({ ...findings, comparisons }, [base, ...others].flat(), [limit('5%')]);
      if (results.some(({ fails }) => fails)) count++;
    }
    return count / experiments;
  }

  const runsOf = (variant: string, joules: readonly number[]): (RunResult & { readonly energyJ: number })[] => {
    const [run] = analyzedOnce.runs as [RunResult];
    return joules.map((energyJ, i) => ({ ...run, run: i + 1, block: i + 1, variant, energyJ }));
  };
  const analyzedOnce = analyzed({ native, v: energies(101, 1) });

  it('is 2.5 % at most where the change is the limit itself, and next to none where there is no change', () => {
    // Of 1000 at 2.5 % more than 40 come out in one of a thousand; seeded, so always the same.
    expect(crossed(5, 1000, 1)).toBeLessThanOrEqual(40 / 1000);
    expect(crossed(5, 1000, 1)).toBeGreaterThan(0);
    expect(crossed(0, 200, 1)).toBe(0);
    expect(crossed(15, 50, 1)).toBe(1);
  });

  it('is not multiplied by the variants that are judged', () => {
    expect(crossed(5, 1000, 4)).toBeLessThanOrEqual(40 / 1000);
  });
});
