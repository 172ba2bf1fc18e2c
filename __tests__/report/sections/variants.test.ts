// Class: unit.
import { expect, it } from '@jest/globals';
import { commentMarkdown } from '../../../src/report/comment.ts';
import { renderMarkdown } from '../../../src/report/document/markdown.ts';
import { spread, variants } from '../../../src/report/sections/variants.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';

it.each([
  [249.83, 1.9, '249.8 ± 1.9 J'],
  [20.800123, 0.00055, '20.80012 ± 0.00055 J'],
  [1_000_000, 0.3, '1,000,000.00 ± 0.30 J'],
  [249.95, 0.77, '249.9 ± 0.77 J'],
  [0.008, 0.092, '8 ± 92 mJ'],
  [20.8, 0, '20.80 ± 0 J'],
])('shows %d ± %d J as finely as the deviation asks for', (mean, sd, text) => {
  const others = { median: mean, mad: 0, q1: mean, q3: mean, min: mean, max: mean, mean_ci95: null };
  expect(spread({ mean, sd, ...others }, 'J')).toBe(text);
});

it.each([0, -20])('gives no share of %d J, and draws no bars of nothing', (meanJ) => {
  const energiesJ = Array.from({ length: 12 }, (_, i) => meanJ * (1 + i / 1000));
  const { findings } = syntheticAnalysis({
    variants: [
      { name: 'native', energiesJ },
      { name: 'container', energiesJ },
    ],
  });
  expect(renderMarkdown([variants(findings)])).toMatch(/\| ±\W4\.2\W+J\W*\|/u);
  expect(renderMarkdown([variants(findings)])).not.toMatch(/Infinity|\(−\d+\W+%/);
  expect(commentMarkdown(findings)).not.toContain('xychart-beta');
});
