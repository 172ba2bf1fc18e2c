// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { changeOf } from '../../../src/analysis/comparison/change.ts';
import { takeSample } from '../../../src/analysis/comparison/sample.ts';
import type { Comparison } from '../../../src/findings/comparison.ts';
import { syntheticAnalysis } from '../../report/synthetic/analysis.ts';

const [whole] = syntheticAnalysis().findings.comparisons as [Comparison];
const { joules: _, ...template } = whole;

const run = (energyJ: number, block: number) => ({ run: block, block, energyJ, durationS: 1 });

/** Twelve blocks whose differences are 1 to 12 J. */
const sample = takeSample(
  Array.from({ length: 12 }, (_, i) => run(100, i + 1)),
  Array.from({ length: 12 }, (_, i) => run(101 + i, i + 1)),
);

const look: Comparison['look'] = {
  number: 1,
  of: 2,
  most_blocks: 24,
  nominal_p: 0.003,
  repeated_p: 0.03,
  stopped_because: null,
};

describe('changeOf', () => {
  it('in joules is the middle of the blocks’ differences, with the interval of the signed-rank test', () => {
    const change = changeOf(template, sample, { metric: 'joules', limit: 0 }, null);
    // 14th smallest and largest of the 78 Walsh averages (exact signed-rank, n = 12, 0.025).
    expect(change).toEqual({ estimate: 6.5, ci95: [4, 9], p: 2 / 2 ** 12 });
  });

  it('in joules has the interval of the comparison, which may allow for a selection', () => {
    const { joules } = whole;
    expect(changeOf(whole, sample, { metric: 'joules', limit: 0 }, null)).toMatchObject(joules!);
  });

  it('tests against the limit, not against zero', () => {
    const p = (limit: number) => changeOf(template, sample, { metric: 'joules', limit }, null).p ?? Number.NaN;
    expect(p(6.5)).toBe(1);
    expect(p(3)).toBeGreaterThan(p(0));
    expect(p(13)).toBe(2 / 2 ** 12);
  });

  it('in percent has the numbers of the comparison, and none where they reach less than 95 %', () => {
    const { estimate, ci95 } = template.percent;
    expect(changeOf(template, sample, { metric: 'percent', limit: 1 }, null)).toMatchObject({ estimate, ci95 });
    const few = { ...template, percent: { ...template.percent, confidence: 0.9375 } };
    expect(changeOf(few, sample, { metric: 'percent', limit: 1 }, null).ci95).toBeNull();
  });

  it('of an experiment that could end early allows for its looks: a wider interval and a larger p', () => {
    const looks = { planned: [12, 24], spending: 'obrien-fleming' as const, through: 12, stoppedBecause: null };
    const asked = { metric: 'joules', limit: 0 } as const;
    const fixed = changeOf(template, sample, asked, null);
    const early = changeOf({ ...template, look }, sample, asked, looks);
    expect(early.ci95![0]).toBeLessThan(fixed.ci95![0]);
    expect(early.ci95![1]).toBeGreaterThan(fixed.ci95![1]);
    expect(early.p).toBeGreaterThan(fixed.p!);
  });
});
