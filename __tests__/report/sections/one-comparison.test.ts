import { describe, expect, it } from '@jest/globals';
import { changeOf } from '../../../src/analysis/comparison/change.ts';
import { takeSample } from '../../../src/analysis/comparison/sample.ts';
import { commentMarkdown } from '../../../src/report/comment.ts';
import { reportHtml } from '../../../src/report/html.ts';
import { summaryMarkdown } from '../../../src/report/summary.ts';
import { terminalReport } from '../../../src/report/terminal.ts';
import { visible } from '../render.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';

const analysis = syntheticAnalysis();
const { findings, runs } = analysis;
const [comparison] = findings.comparisons;

/** What is read before anything is unfolded or scrolled to. */
const open: Record<string, string> = {
  comment: commentMarkdown(findings).split('<details')[0]!,
  summary: summaryMarkdown(findings, runs).split('| Variant |')[0]!,
  terminal: terminalReport(analysis, { colour: false, width: 200 }),
  page: visible(/<header>[\s\S]*?<\/header>/.exec(reportHtml(analysis))![0]),
};

describe('one comparison by itself', () => {
  it.each(
    Object.entries(open),
  )('has the change in percent once in the %s, and once in joules with its interval', (_, shown) => {
    const text = shown.replaceAll('\u00a0', ' ');
    expect(text.match(/3\.2 %/g)).toHaveLength(1);
    expect(text.match(/\+7\.9 J/g)).toHaveLength(1);
    expect(text.match(/\+6\.8 to \+9\.2/g)).toHaveLength(1);
    expect(text.match(/2\.7 … 3\.7 %/g)).toHaveLength(1);
  });

  it('tells the change in joules by the estimate that a threshold in joules is held against', () => {
    const of = (name: string) =>
      runs.filter((run) => run.variant === name && run.status === 'ok' && run.energyJ !== null);
    const arm = (name: string) => of(name).map((run) => ({ ...run, energyJ: run.energyJ! }));
    const sample = takeSample(arm('native'), arm('container'));
    const { estimate, ci95 } = changeOf(comparison!, sample, { metric: 'joules', limit: 5 }, null);
    expect(comparison!.joules).toEqual({ estimate, ci95 });
    const baseline = findings.variants[0]!.energy_j!.median;
    expect((100 * estimate!) / baseline).toBeCloseTo(comparison!.percent.estimate!, 1);
  });

  it('says in a clause where the means tell another change than typical runs', () => {
    const energiesJ = Array.from({ length: 30 }, (_, i) => (i % 9 === 0 ? 340 : 250) + (i % 5));
    const variants = [
      { name: 'native', energiesJ: Array.from({ length: 30 }, (_, i) => 240 + (i % 4)) },
      { name: 'container', energiesJ },
    ];
    const text = terminalReport(syntheticAnalysis({ variants }), { colour: false, width: 500 });
    expect(text).toMatch(/container used 4\.\d+ % more energy/);
    expect(text).toMatch(/Mind the mean \(\+9\.\d+ %\)/);
    // Nothing beside the median runs rests on the means.
    expect(text).toMatch(/^Mean power +\S+ W +\S+ W +–$/m);
  });
});
