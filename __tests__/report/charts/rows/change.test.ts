// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../../../src/analysis/results.ts';
import type { Comparison } from '../../../../src/findings/comparison.ts';
import { seriesStyle } from '../../../../src/report/charts/canvas/theme.ts';
import { everyAnalysis } from '../../fixtures.ts';
import { syntheticAnalysis } from '../../synthetic/analysis.ts';
import { richAnalysis } from '../../synthetic/rich.ts';
import { drawn, isDrawn, marks, ruler, ticksOf } from '../drawn.ts';

const altered = (analysis: Analysis, change: (c: Comparison) => Comparison): Analysis => ({
  ...analysis,
  findings: { ...analysis.findings, comparisons: analysis.findings.comparisons.map(change) },
});

describe('the picture of the comparisons', () => {
  const analysis = richAnalysis({ noiseFloorPercent: 0.4 });
  const wall = analysis.findings.comparisons.filter((c) => c.channel === 'wall');

  it('has each estimate where the axis says', () => {
    const { svg } = drawn('energy-change', analysis);
    const read = ruler(ticksOf(svg, 'middle'));
    for (const c of wall) {
      const place = analysis.findings.variants.findIndex((v) => v.name === c.variant);
      const [mark] = marks(svg, seriesStyle(place).color);
      expect(read(mark!.x)).toBeCloseTo(c.percent.estimate!, 1);
    }
  });

  it('has the interval from end to end', () => {
    const { svg } = drawn('energy-change', analysis);
    const read = ruler(ticksOf(svg, 'middle'));
    const { color } = seriesStyle(1);
    const line = new RegExp(`<path d="M(\\S+) \\S+L(\\S+) [^"]*" fill="none" stroke="${color}" stroke-width="2"`).exec(
      svg,
    )!;
    expect(read(Number(line[1]))).toBeCloseTo(wall[0]!.percent.ci95![0], 1);
    expect(read(Number(line[2]))).toBeCloseTo(wall[0]!.percent.ci95![1], 1);
  });

  it('names margin, noise floor, verdicts and the baseline, and draws the margin as wide as it is', () => {
    const { svg, text } = drawn('energy-change', analysis);
    expect(text).toContain('margin ±1 %');
    expect(text).toContain('noise floor ±0.40 %');
    expect(text).toContain('▲ more energy');
    expect(text).toContain('difference from native');
    const read = ruler(ticksOf(svg, 'middle'));
    const [, left, right] = /<path d="M(\S+) \S+L(\S+) [^"]*Z" fill="#5c5c5c" fill-opacity="0.16"/.exec(svg)!;
    expect([read(Number(left)), read(Number(right))].map((v) => Math.round(v * 100) / 100)).toEqual([-0.99, 1]);
  });

  it('names what each is compared with, where that is not one baseline for all', () => {
    const all = analysis.findings.variants.map(({ name }) => name);
    const chain = altered(analysis, (c) => ({
      ...c,
      variant: all[2]!,
      baseline: c.variant === all[1] ? all[0]! : all[1]!,
    }));
    const { text } = drawn('energy-change', chain);
    for (const baseline of all.slice(0, 2)) expect(text).toContain(`against ${baseline}, `);
    expect(text).not.toContain(`${all[2]} (2)`);
    expect(drawn('energy-change', analysis).text).not.toContain('against');
  });

  it('writes the name of a wide noise floor beside the edges of the margin, not across them', () => {
    const { svg } = drawn('energy-change', richAnalysis({ noiseFloorPercent: 8 }));
    const [, , right] = /<path d="M(\S+) \S+L(\S+) [^"]*Z" fill="#5c5c5c" fill-opacity="0.16"/.exec(svg)!;
    const name = /<text [^>]*?x="(\S+)"[^>]*>noise floor/.exec(svg)!;
    expect(Number(name[1])).toBeGreaterThan(Number(right));
  });

  it('shows the whole margin to a difference far inside it', () => {
    const { svg } = drawn('energy-change', everyAnalysis().equivalent!);
    const ticks = [...ticksOf(svg, 'middle').keys()];
    expect(Math.max(...ticks)).toBeGreaterThanOrEqual(1);
    expect(Math.min(...ticks)).toBeLessThanOrEqual(-1);
  });

  it('leaves comparisons on other channels to their own picture', () => {
    expect(drawn('energy-change', analysis).text).not.toContain('package');
  });

  it('fills only what has changed', () => {
    const open = altered(analysis, (c) => ({ ...c, verdict: 'inconclusive' }));
    expect(marks(drawn('energy-change', open).svg, seriesStyle(1).color)).toHaveLength(0);
    expect(drawn('energy-change', open).text).toContain('? inconclusive');
  });

  it('of 200 comparisons has the 40 that changed most, and says so', () => {
    const variants = Array.from({ length: 201 }, (_, i) => ({ name: `v${i}`, meanJ: 250 + i / 10 }));
    const { svg, text } = drawn('energy-change', syntheticAnalysis({ variants, runs: 20, traces: false }));
    expect(text).toContain('40 of 200 comparisons are drawn');
    expect(svg.match(/>▲ more energy</g)).toHaveLength(40);
    expect(text).toContain('v200');
  });

  it('is not drawn where nothing was compared', () => {
    expect(isDrawn('energy-change', everyAnalysis().lone!)).toBe(false);
    const none = altered(analysis, (c) => ({ ...c, percent: { ...c.percent, estimate: null, ci95: null } }));
    expect(isDrawn('energy-change', none)).toBe(false);
  });
});
