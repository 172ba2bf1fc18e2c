// Class: unit.
import { expect, it } from '@jest/globals';
import { meansChart, reproduce } from '../../../src/report/sections/closing.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';

it('says that the commit alone does not repeat an experiment whose files differed from it', () => {
  const reported = (dirty: boolean) => JSON.stringify(reproduce(syntheticAnalysis({ dirty }).findings));
  expect(reported(true)).toContain('Uncommitted changes are not in the result');
  expect(reported(false)).not.toContain('differed');
});

it('does not tell how to reproduce runs whose experiment is not known', () => {
  const { findings } = syntheticAnalysis();
  expect(reproduce({ ...findings, meter: { ...findings.meter, type: 'unknown' } })).toBeNull();
});

/** Relative luminance: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

it('the chart of a comment names the color of its bars, which is seen on light pages and dark ones', () => {
  const [directive = ''] = meansChart(syntheticAnalysis().findings, 12)?.lines ?? [];
  const [, json = ''] = /^%%\{init: (.*)\}%%$/.exec(directive) ?? [];
  const { plotColorPalette } = JSON.parse(json).themeVariables.xyChart;
  // Mermaid takes it for hostile otherwise (sanitizeDirective).
  expect(plotColorPalette).toMatch(/^#[0-9a-f]{6}$/);
  // White, GitHub's dark page, and what Mermaid lays under a dark chart.
  for (const page of ['#ffffff', '#0d1117', '#333333']) {
    expect(contrast(plotColorPalette, page)).toBeGreaterThan(3);
  }
});

it('the chart of a comment shows the means of the runs that are compared, as the table above it', () => {
  const { findings } = syntheticAnalysis();
  const bars = (all: typeof findings) => /bar \[(.*)\]/.exec(meansChart(all, 12)?.lines.at(-1) ?? '')?.[1];
  const means = findings.comparisons[0]!.mean_energy_j;
  // A block that was not finished leaves a good run, which is not compared.
  const more = findings.variants.map((of) => ({ ...of, energy_j: { ...of.energy_j!, mean: 1 } }));
  expect(bars({ ...findings, variants: more })).toBe(
    [means.baseline, means.variant].map((mean) => String(Number(mean!.toPrecision(4)))).join(', '),
  );
});
