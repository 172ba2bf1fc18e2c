// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { type CompareOptions, compare } from '../../../src/analysis/compare.ts';
import type { Comparison } from '../../../src/findings/comparison.ts';
import { plainText } from '../../../src/report/document/text.ts';
import { verdictText } from '../../../src/report/words/verdict.ts';
import { createRandom } from '../../simulate/random.ts';

const options: CompareOptions = {
  baseline: 'native',
  variant: 'container',
  channel: 'wall',
  marginPercent: 1,
  seed: 7,
};

/** 30 blocks whose difference in percent is `change` of the block; noise of 0.2 %. `blocked`: false for two arms without blocks. */
function measured(change: (block: number) => number, blocked = true, more: Partial<CompareOptions> = {}): Comparison {
  const random = createRandom(5);
  const run = (i: number, percent: number, place: number) => ({
    run: 2 * i + place,
    block: blocked ? i : null,
    energyJ: 200 * (1 + percent / 100) * (1 + 0.002 * random.normal()),
    durationS: null,
  });
  const blocks = Array.from({ length: 30 }, (_, i) => i + 1);
  const first = blocks.map((i) => run(i, 0, 1));
  const second = blocks.map((i) => run(i, change(i), 2));
  return compare(first, second, { ...options, ...more });
}

const said = (comparison: Comparison): string => plainText(verdictText(comparison, 1));

describe('a change within the margin that the runs contradict', () => {
  it('is no equivalence where the difference turned round', () => {
    const turned = measured((i) => (i <= 15 ? 10 : -9));
    expect(turned).toMatchObject({ verdict: 'inconclusive', reason: 'drifts' });
    expect(said(turned)).toMatch(
      /^Inconclusive: the difference between container and native fell by \d\d\.\d % during the experiment \(Mann–Kendall p < 0\.001\), more than the margin of ±1 %/,
    );
  });

  it('is none within the margin where it drifts by more', () => {
    const drifting = measured((i) => 0.1 + (i - 15.5) / 8);
    expect(drifting).toMatchObject({ verdict: 'inconclusive', reason: 'drifts' });
  });

  it('is equivalent where the order in time is not known, and nothing else contradicts it', () => {
    expect(measured((i) => (i - 15.5) / 16, true, { ordered: false })).toMatchObject({ drift: null });
    expect(measured((i) => (i - 15.5) / 40).verdict).toBe('equivalent');
    expect(measured(() => 0).verdict).toBe('equivalent');
  });

  it.each([true, false])('is no equivalence of two groups, by turns (order known: %s)', (ordered) => {
    const groups = measured((i) => (i % 2 === 0 ? 10 : -9), true, { ordered });
    expect(groups).toMatchObject({ verdict: 'inconclusive', reason: 'groups' });
    expect(said(groups)).toMatch(
      /^Inconclusive: the blocks of container against native fall into two groups, 15 near −\d\.\d % and 15 near \+\d+\.\d %, which are farther apart/,
    );
  });

  it('is no equivalence where the mean is far from confirming it', () => {
    // Two fifths one way, two fifths the other: the readings are too coarse for the dip.
    const coarse = measured((i) => [8, -8, 8, -8, 0][i % 5] as number);
    expect(coarse.verdict).toBe('inconclusive');
    const arms = measured((i) => (i % 3 === 0 ? 30 : 0), false);
    expect(arms.verdict).not.toBe('equivalent');
  });

  it('keeps its verdict where only a few runs are far off, and names them', () => {
    const few = measured((i) => (i % 10 === 0 ? 400 : 0));
    expect(few).toMatchObject({ verdict: 'equivalent', groups: null });
    expect(said(few)).toContain('The mean changed by +40.04 %: run 22 of container (1001 J)');
  });
});

describe('a change of some blocks', () => {
  it('is described by its groups', () => {
    const third = measured((i) => (i % 3 === 0 ? 30 : 0.5));
    expect(third).toMatchObject({ verdict: 'increase', groups: [{ blocks: 20 }, { blocks: 10 }] });
    expect(said(third)).toContain(
      'The blocks fall into two groups: 20 near +0.5 % and 10 near +30.0 %. The estimate describes neither.',
    );
  });
});

describe('means', () => {
  it('are of the same blocks for both variants', () => {
    // The machine is dearer in the first half, in which the variant never ran.
    const run = (block: number, percent: number, at: number) => ({
      run: 2 * block + at,
      block,
      energyJ: (block <= 15 ? 250 : 200) * (1 + percent / 100) * (1 + 0.002 * Math.sin(block * block + at)),
      durationS: null,
    });
    const all = Array.from({ length: 30 }, (_, i) => i + 1);
    const native = all.map((i) => run(i, 0, 0));
    const container = all.filter((i) => i > 15).map((i) => run(i, 0, 1));
    const result = compare(native, container, options);
    expect(result).toMatchObject({ verdict: 'equivalent', sensitivity: { tail_effect: false } });
    expect(Math.abs(result.percent.of_means ?? 100)).toBeLessThan(0.3);
    expect(said(result)).not.toContain('The mean changed');
    expect(said(result)).toMatch(/Mean run: (199|200)\.\d J → (199|200)\.\d J/);
  });

  it('are told where they leave the margin, and the runs by how much they move them', () => {
    // Far runs of both: the cheap ones move the mean towards the estimate, or hardly.
    const random = createRandom(3);
    const arm = (at: number, far: ReadonlyMap<number, number>) =>
      Array.from({ length: 30 }, (_, i) => ({
        run: 2 * i + at,
        block: i + 1,
        energyJ: 200 * (1 + 0.002 * random.normal()) * (far.get(i) ?? 1),
        durationS: null,
      }));
    const result = compare(
      arm(0, new Map()),
      arm(
        1,
        new Map([
          [4, 0.2],
          [9, 3],
          [14, 2],
        ]),
      ),
      options,
    );
    expect(result.tail).toMatchObject({ means_leave_margin: true, far: [{ run: 19 }, { run: 29 }], far_count: 2 });
    expect(said(result)).toMatch(/The mean changed by \+7\.\d %: run 19 of container \(599\.5 J\)/);
  });
});
