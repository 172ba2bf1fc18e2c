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
    expect(said(few)).toContain('Mind the mean (+40.04 %): run 22 of container (1001 J)');
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
