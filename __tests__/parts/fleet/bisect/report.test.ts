// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Verdict } from '../../../../src/findings/comparison.ts';
import type { Bisection } from '../../../../src/parts/fleet/bisect/bisect.ts';
import { bisectMarkdown, bisectTerminal } from '../../../../src/parts/fleet/bisect/report.ts';
import { syntheticAnalysis } from '../../../report/synthetic/analysis.ts';
import { line } from '../../../simulate/bisect.ts';

function bisection(verdict: Verdict, given: Partial<Bisection> = {}): Bisection {
  const { findings } = syntheticAnalysis({ name: 'sort', traces: false });
  const range = line(4);
  const commits = range.commits.map(({ sha }) => ({
    sha: sha.repeat(40),
    subject: `commit *${sha}*`,
    committedAt: '',
  }));
  const suspects = { commits: [3], probability: 0.99, neighbors: [2, 3] as const };
  const posterior = { probability: Float64Array.from([0, 0, 0.01, 0.99, 0]), step: -0.02, scatter: 0.01 };
  return {
    outcome: 'found',
    range: { ...range, commits },
    steps: [],
    believed: { posterior, suspects, credible: [3, 2] },
    skipped: new Map(),
    observations: [
      { block: '1', commit: 0, logEnergy: 3 },
      { block: '1', commit: 3, logEnergy: 2.98 },
    ],
    findings: { ...findings, comparisons: findings.comparisons.map((one) => ({ ...one, verdict })) },
    evidence: '3-neighbors',
    untrusted: [],
    ...given,
  };
}

describe('the report of a bisection', () => {
  it('says which way the energy went by all runs, and where the comparison alone does not show it', () => {
    const clear = bisectMarkdown(bisection('decrease'), 'out');
    expect(clear).toContain('`333333333333` lowered the energy');
    expect(clear).not.toContain('do not differ clearly');
    expect(bisectMarkdown(bisection('inconclusive'), 'out')).toContain('do not differ clearly');
    // What others wrote is no markup.
    expect(clear).toContain('`commit *3*`');
  });

  it('names what is left where it is open, what was skipped, and checks that failed', () => {
    const open = bisection('increase', {
      outcome: 'open',
      skipped: new Map([[1, 'The hook before-all ended with exit code 2.\nmore']]),
      untrusted: ['1-ends'],
    });
    const text = bisectTerminal(open, 'out', { color: false });
    expect(text).toContain('not found yet');
    expect(text).toMatch(/one of 2 commits/);
    expect(text).toContain('--resume');
    expect(text).toMatch(/Skipped, since it could not be built or run/);
    expect(text).toContain('Checks failed in 1 of');
  });

  it('calls no interval one of 95 % that few blocks do not reach', () => {
    const observations = [1, 2, 3].flatMap((block) => [
      { block: String(block), commit: 0, logEnergy: 3 },
      { block: String(block), commit: 3, logEnergy: 3 - block / 100 },
    ]);
    const few = bisection('decrease', { observations });
    const [comparison] = few.findings.comparisons;
    const percent = { ...comparison!.percent, estimate: -5, ci95: [-6, -4] as const, confidence: 0.75 };
    const findings = { ...few.findings, comparisons: [{ ...comparison!, percent }] };
    const text = bisectTerminal(
      { ...few, range: { ...few.range, commits: few.range.commits.slice(0, 4) }, findings },
      'out',
      { color: false },
    ).replace(/\s+/g, ' ');
    expect(text).toContain('−2.0 % (−3.0 to −1.0, at 75 %)');
    expect(text).toContain('lowered the energy: −5.0 % (−6.0 to −4.0, at 75 %)');
    expect(text).not.toContain('this commit alone does not explain');
  });

  it('says that nothing was searched where the ends do not differ', () => {
    const none = bisection('equivalent', { outcome: 'no-step', believed: null, evidence: '1-ends' });
    expect(bisectTerminal(none, 'out', { color: false })).toMatch(/No step was found[\s\S]*ends are\s+equivalent/);
  });
});
