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
    expect(terminalReport({ findings }, { colour: false })).toContain('No threshold was judged (+2 %, +20 J)');
  });

  it('are gathered by their limit where many fail', () => {
    const text = overview(all.gates!.findings);
    expect(text).toContain('- The limit of +2 % is crossed by `image-11`, `image-9`, `image-7`, `image-5`, `image-3`.');
    expect(text).toContain('- The limit of +20 J is crossed by `image-11`, `image-9`.');
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
