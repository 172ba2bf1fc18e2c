// Class: unit, long.
import { describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../src/analysis/results.ts';
import type { Check } from '../../src/findings/checks.ts';
import { SUMMARY_BUDGET, summaryMarkdown } from '../../src/report/summary.ts';
import { checkNaming, everyAnalysis } from './fixtures.ts';
import { golden } from './golden.ts';
import { syntheticAnalysis } from './synthetic/analysis.ts';

const all = everyAnalysis();
const summaryOf = ({ findings, runs }: Analysis): string => summaryMarkdown(findings, runs);

describe('summaryMarkdown', () => {
  it.each(['measured', 'modelled', 'bare'])('of %s is the one that was read and found good', (name) => {
    const made = summaryOf(all[name]!);
    expect(made).toBe(golden(`summary-${name}.golden.md`, made));
  });

  it('has every variant and every run', () => {
    const text = summaryOf(all.measured!);
    expect(text).toContain('#### Variants');
    expect(text).toContain('All 60 runs');
    expect(text.match(/^\| \d+ \| \d+ \| `(native|container)` /gm)).toHaveLength(60);
  });

  it('has every check, those that found nothing too', () => {
    const facts = { blocked: true, fixed_order: false, change_percent: 0, p: 1, lag1: 0 };
    const drift: Check = { name: 'drift', state: 'ok', reason: 'none', facts };
    const checks = [drift, checkNaming('It <b>matters</b> | .', 'warn')];
    const text = summaryOf(syntheticAnalysis({ checks }));
    expect(text).toContain('| drift | ok | No drift of the machine was found. |  |');
    expect(text).toMatch(
      /^\| second arm \| warning \| `It <b>matters<\/b> ¦ \.` is used as .* \| If it is a separate variant.* \|$/m,
    );
  });

  it('fits, with fewer runs where there are too many', () => {
    const variants = Array.from({ length: 120 }, (_, i) => ({ name: `${'long-'.repeat(30)}${i}` }));
    const text = summaryOf(syntheticAnalysis({ variants, runs: 60, traces: false }));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(SUMMARY_BUDGET);
    expect(text).toMatch(/\d+ more lines are in runs\.csv/);
  });
});
