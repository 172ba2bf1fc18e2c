import { describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../src/analysis/results.ts';
import { SUMMARY_BUDGET, summaryMarkdown } from '../../src/report/summary.ts';
import { everyAnalysis, fakeAnalysis } from './fixtures.ts';
import { golden } from './golden.ts';

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
    const checks = [
      { name: 'drift', state: 'ok' as const, detail: 'No drift | to be seen.', advice: null },
      { name: 'order effect', state: 'warn' as const, detail: 'It <b>matters</b>.', advice: 'Rest longer.' },
    ];
    const text = summaryOf(fakeAnalysis({ checks }));
    expect(text).toContain('| drift | ok | No drift &#124; to be seen. |  |');
    expect(text).toContain('| order effect | warning | It &lt;b&gt;matters&lt;/b&gt;. | Rest longer. |');
  });

  it('fits, with fewer runs where there are too many', () => {
    const variants = Array.from({ length: 120 }, (_, i) => ({ name: `${'long-'.repeat(30)}${i}` }));
    const text = summaryOf(fakeAnalysis({ variants, runs: 60, traces: false }));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(SUMMARY_BUDGET);
    expect(text).toMatch(/\d+ more runs are in runs\.csv/);
  });
});
