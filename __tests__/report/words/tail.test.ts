// Class: unit, long.
import { describe, expect, it } from '@jest/globals';
import { gatheredComment } from '../../../src/parts/fleet/report/gathered/gathered.ts';
import { commentMarkdown } from '../../../src/report/comment.ts';
import { reportHtml } from '../../../src/report/html.ts';
import { summaryMarkdown } from '../../../src/report/summary.ts';
import { terminalReport } from '../../../src/report/terminal.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';

const wave = (percent: number, odd: number): number[] =>
  Array.from(
    { length: 10 },
    (_, i) => 250 * (1 + percent / 100 + 0.002 * Math.sin(i * i + 9 * percent)) * (i === 4 ? odd : 1),
  );
const [native, container] = [
  { name: 'native', energiesJ: wave(0, 1) },
  { name: 'container', energiesJ: wave(0.1, 1000) },
];
const one = syntheticAnalysis({ variants: [native, container], runs: 10, traces: false });
const others = [
  { name: 'alpine', energiesJ: wave(4, 1) },
  { name: 'debian', energiesJ: wave(2, 3) },
];
const several = syntheticAnalysis({ variants: [native, container, ...others], runs: 10, traces: false });

/** What is said of means, without markup, in one line. */
const words = (document: string): string =>
  document
    .replace(/<[^>]*>|[`*]/g, '')
    .replace(/\s+/g, ' ')
    .match(/\S+ The mean (?:of \S+ )?changed.{0,300}/g)?.[0] ?? 'nothing';
const documents = ({ findings, runs, traces }: typeof one): [string, string][] => [
  ['the comment', commentMarkdown(findings)],
  ['the summary', summaryMarkdown(findings, runs)],
  ['the page', reportHtml({ findings, runs, traces })],
  ['the terminal', terminalReport({ findings }, { color: false })],
];

describe('a mean that tells another story than most runs', () => {
  it.each(documents(one))('is told in %s of one comparison, with the run', (_, document) => {
    expect(one.findings.comparisons[0]).toMatchObject({
      verdict: 'changed-within-margin',
      sensitivity: { tail_effect: true },
    });
    expect(words(document)).toMatch(
      /The mean changed by \+99\d\d.* %: run \d+ of container \(24\d,\d+ J\) is far from/,
    );
  });

  it.each(documents(several))('is told in %s of several comparisons, with the runs', (_, document) => {
    expect(words(document)).toMatch(
      /The mean of debian changed by \+2\d\.\d+ %: run \d+ of debian \(7\d\d\.\d J\) is far/,
    );
    expect(words(document)).toMatch(/The mean of container changed by \+99\d\d.* %: run \d+ of container/);
    expect(words(document)).not.toContain('The mean of alpine');
  });

  it('is told beside the table of several experiments', () => {
    const results = ['a', 'b'].map((name, i) => ({
      name,
      findings: syntheticAnalysis({
        name,
        variants: [native, i === 0 ? container : { ...others[0]! }],
        runs: 10,
        traces: false,
      }).findings,
    }));
    const [open] = gatheredComment(results).split('<details>');
    expect(words(open!)).toMatch(/a: The mean of container changed by \+99\d\d/);
    expect(words(open!)).not.toContain('b: The mean');
  });
});
