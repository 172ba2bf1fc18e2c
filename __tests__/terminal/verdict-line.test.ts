// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Comparison } from '../../src/findings/comparison.ts';
import type { Findings } from '../../src/findings/findings.ts';
import { printVerdictLines } from '../../src/terminal/verdict-line.ts';
import { syntheticAnalysis } from '../report/synthetic/analysis.ts';

const { findings } = syntheticAnalysis({ name: 'sort', traces: false });
const [comparison] = findings.comparisons as [Comparison];

function printed(of: Findings, isTTY = false): string {
  const lines: string[] = [];
  const stdout = { isTTY, write: (part: string) => lines.push(part) };
  printVerdictLines({ stdout }, of);
  return lines.join('');
}

const of = (...changes: readonly object[]): Findings => ({
  ...findings,
  comparisons: changes.map((change) => ({ ...comparison, ...change })) as Comparison[],
});
const percent = (estimate: number | null, ci95: readonly [number, number] | null) => ({
  percent: { ...comparison.percent, estimate, ci95 },
});

describe('the verdict line', () => {
  it('tells verdict, change, interval, trust and source, for scripts alone', () => {
    const found = of({ verdict: 'increase', ...percent(3.14, [2.44, 3.86]) });
    expect(printed(found)).toBe('verdict=increase delta=+3.1% ci=[2.4,3.9] trusted=yes source=measured\n');
    expect(printed(found, true)).toBe('');
  });

  it('has plain digits for small changes and falls', () => {
    expect(printed(of({ verdict: 'equivalent', ...percent(-0.0000012, [-0.26, 0.31]) }))).toContain(
      'verdict=equivalent delta=0% ci=[-0.26,0.31] ',
    );
    expect(printed(of({ verdict: 'decrease', ...percent(-12.04, [-13, -11]) }))).toContain('delta=-12% ci=[-13,-11]');
  });

  it('keeps the sign of what lies beside zero', () => {
    expect(printed(of({ verdict: 'increase', ...percent(0.75, [0.004, 1.5]) }))).toContain(
      'delta=+0.75% ci=[0.004,1.5] ',
    );
    expect(printed(of({ verdict: 'decrease', ...percent(-0.004, [-0.006, -0.002]) }))).toContain(
      'delta=-0.004% ci=[-0.006,-0.002] ',
    );
  });

  it('has a line for each of several comparisons, with its variant as one word', () => {
    const several = of(
      { variant: 'alpine:3', verdict: 'failed', ...percent(null, null) },
      { variant: 'sort "file"\nx', verdict: 'inconclusive', ...percent(1, [-1, 3]) },
    );
    expect(printed(several).split('\n')).toEqual([
      'verdict=failed delta=none ci=none trusted=no source=measured variant=alpine:3',
      'verdict=inconclusive delta=+1% ci=[-1,3] trusted=yes source=measured variant="sort \\"file\\"\\nx"',
      '',
    ]);
  });

  it('names the baselines where there are several, and the confidence where it is not 95 %', () => {
    const few = { percent: { ...comparison.percent, estimate: 1, ci95: [-1, 3], confidence: 0.875 } };
    const several = of(
      { variant: 'b', baseline: 'a', ...few },
      { variant: 'c', baseline: 'b', ...percent(1, [-1, 3]) },
    );
    expect(
      printed(several)
        .split('\n')
        .map((line) => line.replace(/.*source=measured /, '')),
    ).toEqual(['variant=b baseline=a confidence=0.875', 'variant=c baseline=b', '']);
  });

  it('trusts nothing where no run was compared', () => {
    expect(printed(of({ verdict: 'inconclusive', reason: 'no-runs', ...percent(null, null) }))).toBe(
      'verdict=inconclusive delta=none ci=none trusted=no source=measured\n',
    );
  });

  it('does not trust what a check failed', () => {
    const check = { name: 'sample clock', state: 'fail', facts: { channel: null } };
    const failed = { ...of({}), quality: { ...findings.quality, checks: [check] } } as unknown as Findings;
    expect(printed({ ...failed, meter: { ...failed.meter, source: 'modelled' } })).toContain(
      'trusted=no source=modelled',
    );
  });
});
