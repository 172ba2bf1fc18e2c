// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { commentMarkdown } from '../../../src/report/comment.ts';
import { plainText } from '../../../src/report/document/text.ts';
import { reportHtml } from '../../../src/report/html.ts';
import { summaryMarkdown } from '../../../src/report/summary.ts';
import { terminalReport } from '../../../src/report/terminal.ts';
import { interactionText, mainText } from '../../../src/report/words/factorial.ts';
import { verdictText } from '../../../src/report/words/verdict.ts';
import { checkNaming, hostileNames } from '../fixtures.ts';
import { golden } from '../golden.ts';
import { elements, render, visible } from '../render.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';
import { factors, fourVariants, withFactors } from '../synthetic/factorial.ts';

const analysis = withFactors(syntheticAnalysis({ variants: fourVariants() }));
const factorial = analysis.findings.factorial!;
const interaction = plainText(interactionText(factorial, 1));
const others = [
  mainText(factorial, 0, 1),
  mainText(factorial, 1, 1),
  ...factorial.simple.map((c) => verdictText(c, 1)),
];

describe('two factors', () => {
  it('of a comment are the text that was read and found good', () => {
    const made = commentMarkdown(analysis.findings);
    expect(made).toBe(golden('comment-factors.golden.md', made));
  });

  it('of a terminal are the text that was read and found good', () => {
    const made = terminalReport(analysis, { color: false });
    expect(made).toBe(golden('terminal-factors.golden.txt', made));
  });

  it('are told in words where there is room, and always with the interaction', () => {
    const comment = visible(render(commentMarkdown(analysis.findings)));
    const summary = visible(render(summaryMarkdown(analysis.findings, analysis.runs)));
    const page = visible(reportHtml(analysis).replace(/<script.*<\/script>/s, ''));
    const terminal = terminalReport(analysis, { color: false }).replace(/\s+/g, ' ');
    for (const text of [comment, summary, page, terminal]) {
      expect(text.replace(/\u00a0|\u2060/g, ' ').replace(/ +/g, ' ')).toContain(interaction);
    }
    for (const sentence of others.map(plainText)) {
      for (const text of [summary, page, terminal])
        expect(text.replace(/\u00a0|\u2060/g, ' ').replace(/ +/g, ' ')).toContain(sentence);
    }
  });

  it('say that they are secondary', () => {
    for (const text of [commentMarkdown(analysis.findings), reportHtml(analysis)]) {
      expect(text).toContain('Secondary: the verdict rests on the comparisons.');
    }
  });

  it.each(['modelled', 'emulated'] as const)('never have the mark of a measured change where they are %s', (source) => {
    const { findings } = withFactors(syntheticAnalysis({ source, variants: fourVariants() }));
    const text = commentMarkdown(findings);
    expect(text).toMatch(/^\| `revision` \|.*↑/m);
    expect(text).not.toMatch(/🔺|🔽/u);
  });

  it('are told at face value where a check failed', () => {
    const { findings, runs } = analysis;
    const failed = { ...findings, quality: { ...findings.quality, checks: [checkNaming('base/native', 'fail')] } };
    for (const text of [
      visible(render(commentMarkdown(failed))),
      visible(render(summaryMarkdown(failed, runs))),
      terminalReport({ findings: failed }, { color: false }),
    ]) {
      expect(text.replace(/[\s\u2060]+/g, ' ')).toMatch(
        /Two factors\. The result can't be trusted: [^.]+\. The following ignores failed checks\. /,
      );
    }
  });

  it('leave no trace where there are none', () => {
    const plain = syntheticAnalysis();
    for (const text of [
      commentMarkdown(plain.findings),
      summaryMarkdown(plain.findings, plain.runs),
      terminalReport(plain, { color: false }),
    ]) {
      expect(text).not.toMatch(/two factors|interaction/i);
    }
    expect(reportHtml(plain)).not.toContain('id="factorial"');
  });

  it('show the revision of each variant among the conditions', () => {
    const comment = visible(render(commentMarkdown(analysis.findings)));
    expect(comment).toContain(`base, commit ${'0'.repeat(40)}`);
    expect(comment).toContain('Revision of head/container');
  });

  it.each(hostileNames)('with the name %j stay inside their places', (name) => {
    const hostile = {
      first: { name, levels: [name, 'head'] as const },
      second: { ...factors.second, name: `${name}2` },
    };
    const evil = withFactors(syntheticAnalysis({ variants: fourVariants(hostile), traces: false }), hostile);
    const rendered = render(commentMarkdown(evil.findings));
    const known = [...elements(render(commentMarkdown(analysis.findings))), 'span'];
    expect(elements(rendered).filter((element) => !known.includes(element))).toEqual([]);
    expect(rendered).not.toMatch(/href="http:\/\/evil|<!-- joulediff/);
    expect(terminalReport(evil, { color: false })).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });
});
