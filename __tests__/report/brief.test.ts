import { describe, expect, it } from '@jest/globals';
import { briefs } from '../../src/report/brief.ts';
import { commentMarkdown } from '../../src/report/comment.ts';
import { reportHtml } from '../../src/report/html.ts';
import { summaryMarkdown } from '../../src/report/summary.ts';
import { terminalReport } from '../../src/report/terminal.ts';
import { everyAnalysis, fakeAnalysis, twoVariants } from './fixtures.ts';

const noiseFloor = {
  percent: 0.9,
  ci95: [-0.3, 0.9],
  blocks: 30,
  source: 'stored',
  measured_at: '2026-11-02T09:00:00.000Z',
} as const;
const all = everyAnalysis();

describe('the result in one line', () => {
  it('has the change with its interval, the noise floor and what could have been seen', () => {
    expect(briefs(fakeAnalysis({ noiseFloor }).findings)).toEqual([
      {
        variant: 'container',
        numbers: expect.stringMatching(
          /^\+3\.2 % \(95 % CI 2\.7 … 3\.7\); noise floor ±0\.90 %; smallest visible change 0\.\d+ %$/,
        ),
      },
    ]);
  });

  it('has only what is known', () => {
    expect(briefs(fakeAnalysis().findings)[0]?.numbers).not.toContain('noise floor');
    expect(briefs(all.few!.findings)[0]?.numbers).toMatch(/^\S+ % \(93\.7 % CI \S+ … \S+\)$/);
    expect(briefs(all.bare!.findings)).toEqual([]);
    expect(briefs(all.lone!.findings)).toEqual([]);
  });

  it('is a line for each of a few comparisons, and left to the table where there are many', () => {
    const third = { name: 'alpine', meanJ: 251, durationS: 12 };
    const few = briefs(fakeAnalysis({ variants: [...twoVariants, third] }).findings);
    expect(few.map((b) => b.variant)).toEqual(['container', 'alpine']);
    expect(briefs(all.twelve!.findings)).toEqual([]);
  });

  it('stands in the terminal and on the page, and is the heading of comment and summary', () => {
    const analysis = fakeAnalysis({ noiseFloor });
    const { numbers } = briefs(analysis.findings)[0]!;
    expect(terminalReport(analysis, { colour: false, width: 120 })).toContain(`\ncontainer ${numbers}\n`);
    expect(reportHtml(analysis)).toContain(`<p class="brief"><bdi>container</bdi> ${numbers}</p>`);
    for (const text of [commentMarkdown(analysis.findings), summaryMarkdown(analysis.findings, analysis.runs)]) {
      const [open = ''] = text.split('<details>');
      expect(open.split('\n')[0]).toBe(`### 🔺 \`sort\`: \`container\` ${numbers}`);
      expect(open.match(/smallest visible change 0\.67 %/g)).toHaveLength(1);
    }
  });

  it('names in a heading the verdict of what is no change', () => {
    const [first] = commentMarkdown(all.equivalent!.findings).split('\n');
    expect(first).toMatch(/^### ≈ `sort`: equivalent within ±1 %: `container` \S+ % \(95 % CI /);
  });
});
