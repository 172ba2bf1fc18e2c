// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { blockSeconds } from '../../../src/analysis/assemble.ts';
import { type ComparedRun, compare } from '../../../src/analysis/compare.ts';
import { percentChange } from '../../../src/analysis/comparison/percent.ts';
import { takeSample } from '../../../src/analysis/comparison/sample.ts';
import { blocksToSettle, chanceToSettle, openFamily, settledBy } from '../../../src/analysis/comparison/to-settle.ts';
import { decide } from '../../../src/analysis/verdict.ts';
import { plainText } from '../../../src/report/document/text.ts';
import { verdictText } from '../../../src/report/words/verdict.ts';
import { simulatedRuns } from '../../simulate/experiment.ts';
import { MACHINES } from '../../simulate/machine.ts';
import { createRandom, type Random } from '../../simulate/random.ts';

const open = {
  blocks: 20,
  estimate: 0.005,
  half95: 0.008,
  half90: 0.0066,
  confidence: 0.95,
  margin: Math.log(1.01),
  family: 1,
};

/** Blocks with normal noise: each variant run 100 J, and `change` of its logarithm. */
function drawn(random: Random, blocks: number, change: number, sd: number): [ComparedRun[], ComparedRun[]] {
  const arm = (of: (block: number) => number, first: number): ComparedRun[] =>
    Array.from({ length: blocks }, (_, i) => ({ run: 2 * i + first, block: i + 1, energyJ: of(i), durationS: 10 }));
  const base = arm(() => 100 * Math.exp((sd / Math.SQRT2) * random.normal()), 1);
  return [base, arm(() => 100 * Math.exp(change + (sd / Math.SQRT2) * random.normal()), 2)];
}

const options = { baseline: 'native', variant: 'container', channel: 'wall', marginPercent: 1, seed: 1 };

describe('what would settle an open comparison', () => {
  it('counts only those that its p is still judged with', () => {
    const three = [0.001, 0.2, null];
    expect(openFamily(3, three, false)).toBe(2);
    // Benjamini and Hochberg: the second smallest of three needs 0.05 · 2/3.
    expect(openFamily(3, three, true)).toBe(1.5);
    expect(openFamily(1, [0.01], false)).toBe(1);
  });

  it('asks for the blocks without which no p can be small enough among several', () => {
    const nearly = { ...open, blocks: 6, estimate: 0.3, half95: 0.1, half90: 0.08 };
    expect([1, 5].map((family) => blocksToSettle({ ...nearly, family }))).toEqual([1, 2]);
  });

  it('asks for more blocks the noisier they are', () => {
    const ofNoise = [0.008, 0.012, 0.02].map((half) =>
      blocksToSettle({ ...open, half95: half, half90: 0.83 * half }),
    ) as number[];
    expect(ofNoise).toEqual([...ofNoise].sort((a, b) => a - b));
    expect(new Set(ofNoise).size).toBe(3);
  });

  it('is certain where both intervals together are narrower than the margin', () => {
    expect(chanceToSettle(open, 20 * 4)).toBe(1);
    expect(chanceToSettle(open, 21)).toBeLessThan(0.8);
  });

  it('needs more where several comparisons are judged together', () => {
    const clear = { ...open, estimate: 0.0078 };
    expect(chanceToSettle({ ...clear, family: 10 }, 30)).toBeLessThan(chanceToSettle(clear, 30));
  });

  it('names no number where the noise is far larger than the margin', () => {
    expect(blocksToSettle({ ...open, half95: 0.2, half90: 0.16 })).toBeNull();
  });

  it('is told in the sentence, with the time that the blocks took here', () => {
    const [base, other] = drawn(createRandom(7), 20, 0.002, 0.03);
    const reported = compare(base, other, { ...options, blockS: 90 });
    expect(reported.verdict).toBe('inconclusive');
    expect(reported.to_settle?.minutes).toBeCloseTo((reported.to_settle?.blocks ?? 0) * 1.5);
    expect(plainText(verdictText(reported, 1))).toContain(`About ${reported.to_settle?.blocks} more blocks (`);
    expect(plainText(verdictText(reported, 1))).toContain('projected from this estimate and its noise');
    expect(compare(base, other, options).to_settle?.minutes).toBeNull();
  });

  it('says when no sensible number of blocks would do', () => {
    const [base, other] = drawn(createRandom(2), 20, 0, 0.4);
    const reported = compare(base, other, options);
    expect(reported).toMatchObject({ verdict: 'inconclusive', to_settle: null });
    expect(plainText(verdictText(reported, 1))).toContain('Even 500 more blocks would probably not settle it');
  });

  it('has nothing to say of a verdict that is there', () => {
    const [base, other] = drawn(createRandom(2), 20, 0.05, 0.01);
    expect(compare(base, other, options).to_settle).toBeUndefined();
  });

  it('settles about as many experiments as it says: at least three in four that get just so many more', () => {
    const random = createRandom(20261121);
    let asked = 0;
    let settled = 0;
    while (asked < 300) {
      const [base, other] = drawn(random, 200, 0.03 * (2 * random.uniform() - 1), 0.025);
      const judged = (blocks: number) => {
        const percent = percentChange(takeSample(base.slice(0, blocks), other.slice(0, blocks)));
        return { percent, ...decide(percent, 1, null) };
      };
      const first = judged(15);
      const more = first.reason === 'open' ? settledBy(15, first.percent, 1, 1) : null;
      if (more === null || 15 + more > 200) continue;
      asked++;
      if (judged(15 + more).verdict !== 'inconclusive') settled++;
    }

    expect(settled / asked).toBeGreaterThan(0.73);
    expect(settled / asked).toBeLessThan(0.93);
  });
});

describe('what a block takes', () => {
  const runs = simulatedRuns(createRandom(1), MACHINES.iid, 4, [0]);
  const at = (s: number) => BigInt(s) * 1_000_000_000n;

  it('is the time from block to block, rests included', () => {
    expect(blockSeconds(runs.map((run, i) => ({ ...run, startNs: at(1000 + 30 * i) })))).toBe(60);
  });

  it('does not count across sessions, and is unknown without times', () => {
    const resumed = runs.map((run, i) => ({ ...run, startNs: at((i < 4 ? 90_000 : 5) + 30 * i) }));
    expect(blockSeconds(resumed)).toBe(60);
    expect(blockSeconds(runs)).toBeNull();
  });
});
