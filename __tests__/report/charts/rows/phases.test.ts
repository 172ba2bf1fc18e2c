// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../../../src/analysis/results.ts';
import type { VariantFindings } from '../../../../src/findings/variant.ts';
import { seriesStyle } from '../../../../src/report/charts/canvas/theme.ts';
import { richAnalysis } from '../../synthetic/rich.ts';
import { drawn, isDrawn, marks, ruler, textsOf, ticksOf } from '../drawn.ts';

const analysis = richAnalysis();

const withVariants = (change: (v: VariantFindings, i: number) => VariantFindings): Analysis => ({
  ...analysis,
  findings: { ...analysis.findings, variants: analysis.findings.variants.map(change) },
});

describe('the picture of the phases', () => {
  it('has the mean of each phase and variant where the axis says', () => {
    const { svg } = drawn('phases', analysis);
    const read = ruler(ticksOf(svg, 'middle'));
    for (const [i, v] of analysis.findings.variants.entries()) {
      const found = marks(svg, seriesStyle(i).color).sort((a, b) => a.y - b.y);
      // The phase `read` is short, so that its points are open.
      expect(found.map((m) => Math.round(read(m.x)))).toEqual(
        v.phases!.slice(1).map((p) => Math.round(p.energy_j.mean)),
      );
    }
  });

  it('is in the order of the phases, and tells the difference to the baseline', () => {
    const { svg, text } = drawn('phases', analysis);
    const texts = textsOf(svg);
    const order = ['read', 'sort', 'write'].map((phase) => texts.indexOf(phase));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBeGreaterThanOrEqual(0);
    expect(text).toContain('exploratory');
    expect(text).toContain('too short for this meter');
  });

  it('of two hundred phases draws the first, and says so; of none, nothing', () => {
    const phases = (v: VariantFindings): VariantFindings => ({
      ...v,
      phases: Array.from({ length: 200 }, (_, i) => ({ ...v.phases![0]!, phase: `step ${i}` })),
    });
    expect(drawn('phases', withVariants(phases)).text).toContain('The first 12 of 200 phases are drawn');
    expect(
      isDrawn(
        'phases',
        withVariants((v) => ({ ...v, phases: [] })),
      ),
    ).toBe(false);
  });
});
