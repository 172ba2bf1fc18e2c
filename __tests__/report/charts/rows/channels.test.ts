// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { seriesStyle } from '../../../../src/report/charts/canvas/theme.ts';
import { syntheticAnalysis } from '../../synthetic/analysis.ts';
import { richAnalysis } from '../../synthetic/rich.ts';
import { drawn, isDrawn, marks, ruler, textsOf, ticksOf } from '../drawn.ts';

describe('the picture of the channels', () => {
  const analysis = richAnalysis();

  it('has a difference in joules on every channel, and says that they do not add up', () => {
    const { svg, text } = drawn('channels', analysis);
    const read = ruler(ticksOf(svg, 'middle'));
    expect(text).toContain('do not add up');
    const own = analysis.findings.comparisons.filter((c) => c.variant === 'alpine');
    expect(own).toHaveLength(3);
    // The dram's interval holds 0: its point is open, and not among the filled ones.
    const filled = marks(svg, seriesStyle(2).color).sort((a, b) => a.y - b.y);
    expect(filled.map((m) => Math.round(read(m.x)))).toEqual(
      own.slice(0, 2).map((c) => Math.round(c.difference.of_means!)),
    );
  });

  it('marks a channel that is no measurement where it stands, and not the others', () => {
    const { findings } = analysis;
    const mixed = {
      ...analysis,
      findings: { ...findings, meter: { ...findings.meter, channel_sources: { dram: 'modelled' as const } } },
    };
    const { svg, text } = drawn('channels', mixed);
    const variants = findings.variants.length - 1;
    expect(textsOf(svg).filter((words) => /\bestimated$/.test(words))).toHaveLength(variants);
    expect(text).toContain('dram is estimated by a model, not measured.');
    expect(drawn('channels', analysis).text).not.toContain('estimated');
  });

  it('draws each pair below its own heading where there are several baselines', () => {
    const { findings } = analysis;
    const own = findings.comparisons.filter((c) => c.variant === 'alpine');
    const shifted = own.map((c) => ({ ...c, baseline: 'debian', difference: { ...c.difference, of_means: 40 } }));
    const several = { ...analysis, findings: { ...findings, comparisons: [...own, ...shifted] as never } };
    const words = textsOf(drawn('channels', several).svg);
    const headings = words.filter((text) => text.startsWith('alpine against'));
    expect(headings).toHaveLength(2);
    const second = words.indexOf('alpine against debian');
    const first = words.findIndex((text) => text.startsWith('alpine against') && !text.endsWith('debian'));
    const belowSecond = words.slice(second + 1, first > second ? first : undefined);
    // The picture holds the first row of a pair before its heading.
    expect(belowSecond.filter((text) => text === '+40.0 J')).toHaveLength(own.length - 1);
  });

  it('is not drawn of one channel', () => {
    expect(isDrawn('channels', syntheticAnalysis())).toBe(false);
  });
});
