// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Findings } from '../../../src/findings/findings.ts';
import { commentMarkdown } from '../../../src/report/comment.ts';
import type { Part } from '../../../src/report/document/blocks.ts';
import { renderMarkdown } from '../../../src/report/document/markdown.ts';
import { thresholdDetails, thresholdOverview } from '../../../src/report/sections/thresholds.ts';
import { terminalReport } from '../../../src/report/terminal.ts';
import { everyAnalysis, limits } from '../fixtures.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';

const all = everyAnalysis();
const markdown = (part: Part): string => renderMarkdown([part]).trimEnd().replaceAll('\u00a0', ' ');
const overview = (findings: Findings): string => markdown(thresholdOverview(findings));
const title = (findings: Findings): string => commentMarkdown(findings).split('\n')[0]!;

describe('thresholds in the comment', () => {
  it('that are crossed stand in the heading and in a box with their numbers', () => {
    const { findings } = all.crossed!;
    expect(title(findings)).toMatch(/ — threshold crossed$/);
    expect(overview(findings)).toMatch(
      /^> \[!CAUTION\]\n> \*\*This fails the job:\*\*\n>\n> - The limit of \+2 % is crossed\. `container` against `native`: \+3\.2 % \(95 % CI \+2\.7 to \+3\.7\), all of it beyond the limit\.\n\nThreshold kept: \+20 J\.$/,
    );
  });

  it('that are all told in sentences have no table of them once more', () => {
    const { findings } = syntheticAnalysis({ goals: { failOn: [limits[0]!] } });
    expect(overview(findings)).toContain('The limit of');
    expect(thresholdDetails(findings, 10)).toBeNull();
    expect(markdown(thresholdDetails(all.crossed!.findings, 10))).toContain('1 kept');
  });

  it('that are kept take one line', () => {
    const { findings } = all.kept!;
    expect(title(findings)).not.toContain('threshold');
    expect(overview(findings)).toBe('Thresholds kept: +5 %, +20 J.');
  });

  it('that are open and fail, because that was asked, are not called crossed', () => {
    const asked = [{ ...limits[0]!, text: '3.2%', limit: 3.2, evenIfInconclusive: true }];
    const { findings } = syntheticAnalysis({ goals: { failOn: asked } });
    expect(findings.thresholds?.[0]).toMatchObject({ state: 'open', fails: true });
    expect(title(findings)).toMatch(/ — limit not kept$/);
    expect(overview(findings)).toContain('It fails anyway');
  });

  it('of a partial experiment are told once as not judged', () => {
    const { findings } = syntheticAnalysis({ complete: false, goals: { failOn: limits } });
    expect(title(findings)).not.toContain('threshold');
    expect(overview(findings)).toBe('No threshold was judged (+2 %, +20 J): the experiment was cut short.');
    expect(thresholdDetails(findings, 10)).toBeNull();
    expect(terminalReport({ findings }, { color: false })).toContain('No threshold was judged (+2 %, +20 J)');
  });

  it('are gathered by their limit where many fail', () => {
    const text = overview(all.gates!.findings);
    expect(text).toContain('- The limit of +2 % is crossed by `image-11`, `image-9`, `image-7`, `image-5`, `image-3`.');
    expect(text).toContain('- The limit of +20 J is crossed by `image-11`, `image-9`.');
  });

  it('of one variant against several baselines name these', () => {
    const { findings } = all.crossed!;
    const baselines = ['native', 'alpine', 'debian', 'busybox'];
    const crossed = baselines.map((baseline) => ({ ...findings.thresholds![0]!, baseline }));
    const comparisons = baselines.map((baseline) => ({ ...findings.comparisons[0]!, baseline }));
    expect(overview({ ...findings, comparisons, thresholds: crossed })).toContain(
      'is crossed by `container` against `native`, `container` against `alpine`, `container` against `debian`, ',
    );
  });

  it('of the same size are told apart by what they are for', () => {
    const [known] = all.crossed!.findings.thresholds!;
    const of = (variant: string, more: object = {}) => ({ ...known!, limit: 5, variant, ...more });
    const mean = of('head', { of: 'mean' });
    const crossed = [of('a/head'), of('b/head'), mean, of('a/head', { channel: 'cpu' })];
    const { findings } = all.crossed!;
    expect(overview({ ...findings, thresholds: crossed })).toContain(
      '- The limit of +5 % is crossed by `a/head`, `b/head`.\n> - The limit of +5 % for the geometric mean is crossed by `head`.\n> - The limit of +5 % on the channel cpu is crossed by `a/head`.',
    );
    const kept = crossed.map((one) => ({ ...one, state: 'kept' as const, fails: false }));
    expect(overview({ ...findings, thresholds: kept })).toBe(
      'Thresholds kept: +5 %, +5 % for the geometric mean, +5 % on the channel cpu (4 times).',
    );
    expect(overview({ ...findings, thresholds: [mean] })).toMatch(
      /The limit of \+5 % is crossed\. The geometric mean of `head` against `native`: /,
    );
  });

  it('of a benchmark that crashed fail the job, and say why', () => {
    const [known] = all.crossed!.findings.thresholds!;
    const open = { ...known!, variant: 'a/head', estimate: null, ci95: null, state: 'open' as const };
    const text = (obstacle: 'failed' | 'too-short' | 'invalid', more: object = {}) =>
      overview({
        ...all.crossed!.findings,
        thresholds: [{ ...open, obstacle, fails: obstacle === 'failed', ...more }],
      });
    expect(text('failed')).toMatch(/This fails the job.*`a\/head` was not judged, because its benchmark failed\./s);
    expect(text('too-short')).toMatch(/^Open thresholds:.*`a\/head` was not judged: it is too short to measure\.$/s);
    for (const more of [{}, { of: 'energy' }]) {
      expect(text('too-short', more)).toContain('`a/head` was not judged: it is too short to measure.');
      expect(text('invalid', more)).toContain('`a/head` was not judged: it could not be measured.');
    }
  });

  it('are all in a folded table, those that fail first', () => {
    const text = markdown(thresholdDetails(all.gates!.findings, 100));
    expect(text).toContain('<summary>22 thresholds: 7 crossed, 1 open, 14 kept</summary>');
    expect(text.match(/^\| .*\|$/gm)).toHaveLength(24);
    expect(text.split('\n')[4]).toContain('crossed, fails');
    expect(markdown(thresholdDetails(all.gates!.findings, 5))).toContain('17 more are in findings.json.');
  });

  it('are not mentioned where none were set', () => {
    expect(thresholdOverview(all.measured!.findings)).toBeNull();
    expect(commentMarkdown(all.measured!.findings)).not.toMatch(/threshold/i);
  });
});
