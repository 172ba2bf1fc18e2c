// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../../src/analysis/results.ts';
import { commentMarkdown } from '../../../src/report/comment.ts';
import { reportHtml } from '../../../src/report/html.ts';
import { summaryMarkdown } from '../../../src/report/summary.ts';
import { terminalReport } from '../../../src/report/terminal.ts';
import { everyAnalysis } from '../fixtures.ts';
import { render, visible } from '../render.ts';
import { syntheticAnalysis, twoVariants } from '../synthetic/analysis.ts';

const noiseFloor = {
  percent: 0.9,
  ci95: [-0.3, 0.9],
  blocks: 30,
  source: 'stored',
  measured_at: '2026-11-02T09:00:00.000Z',
} as const;
const all = everyAnalysis();
const VERDICT = 'container used 3.2 % more energy than native (95 % CI 2.7 to 3.7 %)';

/** Every document, as a reader sees it before anything is unfolded; a diagram is a picture, which has a title of its own. */
function documents({ findings, runs, traces }: Analysis): Record<string, string> {
  const unseen = /<script[\s\S]*?<\/script>|xychart-beta[\s\S]*?bar \[[^\]]*\]/g;
  const open = (html: string): string => visible(html.replace(unseen, '').split('<details')[0]!);
  const page = /<header>[\s\S]*?<\/header>/.exec(reportHtml({ findings, runs, traces }))![0];
  const texts = {
    comment: open(render(commentMarkdown(findings))),
    summary: open(render(summaryMarkdown(findings, runs))),
    page: open(page),
    terminal: terminalReport({ findings }, { color: false }),
  };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.replace(/\s+/g, ' ')]));
}

const count = (text: string, words: string): number => text.split(words).length - 1;

describe('the commit', () => {
  it.each([
    [false, 'commit 4f2a9c1 ·'],
    [true, 'commit 4f2a9c1, with changes that are not committed ·'],
  ])('is named in each document, and whether files differed from it (%s)', (dirty, words) => {
    for (const text of Object.values(documents(syntheticAnalysis({ dirty })))) {
      expect(count(text.replace(/[“”]/g, ''), words)).toBe(1);
    }
  });

  it('is not where it is not known', () => {
    for (const text of Object.values(documents(syntheticAnalysis({ bare: true })))) expect(text).not.toMatch(/commit/);
  });
});

describe('the verdict', () => {
  it('is told once in each document, in words with its interval', () => {
    for (const text of Object.values(documents(syntheticAnalysis({ noiseFloor })))) {
      expect(count(text, VERDICT)).toBe(1);
      expect(count(text, 'more energy than')).toBe(1);
    }
  });

  it('has beside it, once, the noise floor and what could have been seen', () => {
    for (const [name, text] of Object.entries(documents(syntheticAnalysis({ noiseFloor })))) {
      expect(text).toContain('noise floor ±0.90 % (measured on 2026-11-02)');
      // The comment has it under Evidence.
      expect(text.match(/smallest detectable change 0\.\d+ %/g) ?? []).toHaveLength(name === 'comment' ? 0 : 1);
    }
    const { comment: _, ...others } = documents(syntheticAnalysis());
    for (const text of Object.values(others)) expect(text).toContain('noise floor not measured');
  });

  it('has the confidence that few blocks reach', () => {
    for (const text of Object.values(documents(all.few!))) expect(text).toMatch(/\(93\.7 % CI \S+ to \S+ %\)/);
  });

  it('of a few comparisons is one sentence, of many a count', () => {
    const third = { name: 'alpine', meanJ: 251, durationS: 12 };
    for (const text of Object.values(documents(syntheticAnalysis({ variants: [...twoVariants, third] })))) {
      expect(text).toMatch(/container uses \S+ % more energy than native(, alpine|; alpine)/);
    }
    for (const text of Object.values(documents(all.twelve!))) {
      expect(text).toMatch(/[Oo]f 1\d comparisons against native, \d+/);
    }
  });

  it('of what is no change is named in the heading', () => {
    const [first] = commentMarkdown(all.equivalent!.findings).split('\n');
    expect(first).toMatch(
      /^### ≈ `sort`: `container` and `native` are equivalent within ±1\u00a0% \(difference \S+\u00a0%, 90\u00a0% CI /,
    );
  });

  it('of nothing says so', () => {
    for (const text of Object.values(documents(all.lone!))) expect(text).toMatch(/[Oo]nly native has an energy/);
  });
});

describe('where the numbers come from', () => {
  it.each([
    ['modelled', 'estimated by a model'],
    ['emulated', 'emulated meter'],
  ])('is told of %s ones in a box, and not again in every line', (name, words) => {
    for (const text of Object.values(documents(all[name]!)))
      expect(count(text.toLowerCase(), words)).toBeLessThanOrEqual(2);
  });
});
