// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../../src/analysis/results.ts';
import type { Effect } from '../../../src/findings/effects.ts';
import { commentMarkdown } from '../../../src/report/comment.ts';
import { plainText } from '../../../src/report/document/text.ts';
import { reportHtml } from '../../../src/report/html.ts';
import { summaryMarkdown } from '../../../src/report/summary.ts';
import { terminalReport } from '../../../src/report/terminal.ts';
import { effectsText } from '../../../src/report/words/effects.ts';
import { parse } from '../../experiment/support.ts';
import { checkNaming } from '../fixtures.ts';
import { render, visible } from '../render.ts';
import { withMatrix } from '../synthetic/effects.ts';

const MATRIX = '{ image: [debian, slim, alpine], network: [bridge, host], exclude: [{ image: slim, network: host }] }';

const analysis = withMatrix(MATRIX);
const spaced = (text: string) => text.replace(/\u00a0|\u2060/g, ' ').replace(/\s+/g, ' ');
const texts = (made: Analysis) => ({
  comment: spaced(visible(render(commentMarkdown(made.findings)))),
  summary: spaced(visible(render(summaryMarkdown(made.findings, made.runs)))),
  page: spaced(visible(reportHtml(made).replace(/<script.*<\/script>/s, ''))),
  terminal: spaced(terminalReport(made, { color: false })),
});

describe('the factors of a matrix', () => {
  it('are told in one paragraph everywhere, with what was left out', () => {
    const words = plainText(effectsText(analysis.findings.effects!));
    expect(words).toMatch(
      /^The energy depends on image \(p < 0\.001\), network \(p < 0\.001\), image × network \(p < 0\.001\); each p allows for 3 effects \(Holm\)\. The interaction is largest for \w+ with \w+: 0\.\d+ % (?:more|less) than their main effects predict\.$/,
    );
    for (const text of Object.values(texts(analysis))) {
      expect(text).toContain(`Factors. ${words}`);
      expect(text).toContain('of all 5 variants of the matrix; 1 of 6 combinations is excluded.');
    }
  });

  it('are said to be tested alone and in pairs only, where three could act together', () => {
    const { effects } = analysis.findings;
    const third = { name: 'storage', levels: ['volume', 'layer'] };
    const three = { ...effects!, factors: [...effects!.factors, third] };
    const said = 'Interactions of three or more factors are not computed.';
    expect(texts(analysis).page).not.toContain(said);
    const more = { ...analysis, findings: { ...analysis.findings, effects: three } };
    for (const text of Object.values(texts(more))) expect(text).toContain(said);
  });

  it('have their tables where there is room: effects, levels, departures', () => {
    const { summary, page, comment } = texts(analysis);
    for (const text of [summary, page]) {
      expect({
        effects: /image × network.{0,20}p < 0\.001.{0,20}has an effect/.test(text),
        levels: /alpine against debian.{0,5}\+(?:2\.[5-9]|3\.[0-5]) % /.test(text),
        departures: text.includes('Interaction of image × network'),
      }).toEqual({ effects: true, levels: true, departures: true });
    }
    expect(comment).not.toContain('alpine against debian');
  });

  it('are told at face value where a check failed', () => {
    const { findings } = analysis;
    const quality = { ...findings.quality, checks: [checkNaming('debian', 'fail')] };
    const failed = { ...analysis, findings: { ...findings, quality } };
    for (const text of Object.values(texts(failed))) {
      expect(text).toMatch(
        /Factors\. The result can't be trusted: [^.]+\. The following ignores failed checks\. The energy/,
      );
    }
  });

  it('that were not shown are open, never none', () => {
    const { effects } = analysis.findings;
    const open = (reason: Effect['reason']) => ({
      ...effects!,
      tested: effects!.tested.map((effect) => ({ ...effect, verdict: 'inconclusive' as const, reason })),
    });
    expect(plainText(effectsText(open('open')))).toBe(
      'The energy was not shown to depend on any factor (3 effects, Holm). Not shown, which is not the same as none: image, network, image × network.',
    );
    expect(plainText(effectsText(open('not-estimable')))).toContain(
      "The cells that are there can't show whether the energy depends on image, network, image × network: too many are excluded.",
    );
    expect(plainText(effectsText(open('failed')))).toContain('could not be measured to its end');
    expect(plainText(effectsText(open('too-few')))).toContain('the test needs at least 6');
  });

  it('of four hundred cells leave a comment within its bytes', () => {
    const levels = (letter: string) => Array.from({ length: 20 }, (_, i) => `${letter}${i}`).join(', ');
    const { comparisons, variants, ...rest } = analysis.findings;
    const many = parse(`workload: { run: x }\nmatrix: { image: [${levels('i')}], network: [${levels('n')}] }`);
    const names = many.variants.map(({ name }) => name);
    const findings = {
      ...rest,
      variants: names.map((name) => ({ ...variants[0]!, name })),
      comparisons: names.slice(1).map((variant) => ({ ...comparisons[0]!, baseline: names[0]!, variant })),
      effects: {
        ...rest.effects!,
        cells: [...many.factorial!.cells].map(({ variant, levels: own }) => ({ variant, levels: own })),
      },
    };
    expect(Buffer.byteLength(commentMarkdown(findings))).toBeLessThan(60_000);
  });
});
