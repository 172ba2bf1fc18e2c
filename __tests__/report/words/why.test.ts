// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { PhaseComparison } from '../../../src/findings/comparison.ts';
import { commentMarkdown } from '../../../src/report/comment.ts';
import { phaseText, whyText } from '../../../src/report/words/why.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';

function phase(name: string, share: number | null): PhaseComparison {
  return {
    phase: name,
    blocks: 30,
    mean_energy_j: { baseline: 100, variant: 105 },
    percent: { estimate: 5, ci95: [4, 6] },
    difference_j: 5,
    share,
    short: false,
    outside: false,
  };
}

describe('whyText', () => {
  it('explains no change that was not shown, whatever the means say', () => {
    const [comparison] = syntheticAnalysis().findings.comparisons;
    const contributions = (['package', 'everything-else'] as const).map((part, i) => {
      return { part, channel: part, difference_j: 9 - 8 * i, share: 0.9 - 0.8 * i, ci95: [0.01, 9] as const };
    });
    const shown = { ...comparison!, phases: [phase('sort', 0.78)], contributions };
    expect(whyText(shown)).toMatch(
      /almost all of the change is power, not time; .*carries.*; the phase “sort” carries 78 %/,
    );
    for (const verdict of ['equivalent', 'inconclusive'] as const) {
      expect(whyText({ ...shown, verdict })).toMatch(/^time \S+ %, power \S+ % \(no clear difference to explain\)$/);
    }
  });

  it('names the start of a container where that is much of its windows, and the baseline starts none', () => {
    const started = (...names: string[]): string | undefined => {
      const seen = names.map((variant) => ({
        variant,
        executions: 1,
        starts: 1,
        start_s: 0.4,
        window_s: 0.55,
        percent: 72,
      }));
      const facts = { asked: false, seen };
      const checks = [{ name: 'start-up', state: 'warn', reason: 'large', facts } as const];
      return /^Why: .*$/m.exec(commentMarkdown(syntheticAnalysis({ checks }).findings))?.[0];
    };
    expect(started('container')).toMatch(/; starting its container takes 72\u00a0% of a window\.$/);
    expect(started('native', 'container')).not.toContain('container');
  });

  it('names only what differs by its own interval', () => {
    const [shown] = syntheticAnalysis().findings.comparisons;
    const why = (time: readonly number[], power: readonly number[], shares: readonly number[]): string | null =>
      whyText({
        ...shown!,
        why: {
          ...shown!.why,
          log_time: { mean: (time[0]! + time[1]!) / 2, ci95: [time[0]!, time[1]!] },
          log_power: { mean: (power[0]! + power[1]!) / 2, ci95: [power[0]!, power[1]!] },
          time_share: shares[0]!,
          power_share: shares[1]!,
        },
      });
    expect(why([-0.04, 0.02], [-0.01, 0.05], [-1, 2])).toMatch(/\(neither differs clearly by itself\)$/);
    expect(why([-0.04, 0.02], [0.01, 0.05], [-0.5, 1.5])).toMatch(/: only power differs clearly by itself$/);
    expect(why([-0.04, -0.02], [0.03, 0.05], [-3, 4])).toBe('it ran 3.0 % shorter at 4.1 % higher power');
    expect(why([0.01, 0.02], [-0.01, 0.05], [0.5, 0.5])).toMatch(/: only time differs clearly by itself$/);
  });
});

describe('phaseText', () => {
  it('names the phases that carry the difference, the largest first', () => {
    const phases = [phase('read', 0.05), phase('sort', 0.8), phase('write', 0.15)];
    expect(phaseText({ phases })).toBe('the phase “sort” carries 80 % of it, “write” 15 %');
  });

  it('tells a phase that goes the other way', () => {
    expect(phaseText({ phases: [phase('sort', 1.3), phase('read', -0.3)] })).toContain('“read” −30 %');
  });

  it('explains nothing by a phase whose energy is rough', () => {
    const rough = { ...phase('sort', 0.8), short: true };
    expect(phaseText({ phases: [rough, phase('write', 0.2)] })).toBe('the phase “write” carries 20 % of it');
    expect(phaseText({ phases: [rough] })).toBeNull();
  });

  it('says nothing of a phase whose own interval holds zero', () => {
    expect(phaseText({ phases: [{ ...phase('sort', 0.8), percent: { estimate: 5, ci95: [-1, 11] } }] })).toBeNull();
  });

  it('says nothing without phases or without a clear difference', () => {
    expect([phaseText({}), phaseText({ phases: [] }), phaseText({ phases: [phase('sort', null)] })]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('stands in the reason of the comment, escaped', () => {
    const { findings } = syntheticAnalysis();
    const [first] = findings.comparisons;
    const phases = [phase('@octo <b>', 0.9)];
    const text = commentMarkdown({ ...findings, comparisons: [{ ...first!, phases }] });
    expect(text).toMatch(
      /^Why: almost all of the change is power, not time; the phase “@\u2060octo &lt;b&gt;” carries 90\u00a0% of it\.$/m,
    );
  });
});
