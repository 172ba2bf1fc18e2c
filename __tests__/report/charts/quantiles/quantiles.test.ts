// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../../../src/analysis/results.ts';
import { syntheticAnalysis } from '../../synthetic/analysis.ts';
import { drawn, isDrawn, points, ruler, ticksOf } from '../drawn.ts';

describe('quantiles against the baseline', () => {
  const of = (baseline: number[], variant: number[]): Analysis =>
    syntheticAnalysis({
      variants: [
        { name: 'a', energiesJ: baseline },
        { name: 'b', energiesJ: variant },
      ],
      traces: false,
    });

  it('of samples of the same size are their values in order', () => {
    const [base, variant] = [
      [5, 1, 3, 2, 4],
      [15, 13, 11, 14, 12],
    ];
    const { svg } = drawn('energy-quantiles', of(base!, variant!));
    const [x, y] = [ruler(ticksOf(svg, 'middle')), ruler(ticksOf(svg, 'end'))];
    const found = points(svg, 1).map((m) => [Math.round(10 * x(m.x)) / 10, Math.round(10 * y(m.y)) / 10]);
    expect(found).toEqual([1, 2, 3, 4, 5].map((v) => [v, v + 10]));
  });

  it('has the words on its line inside the plot, however flat the line', () => {
    const low = [4.7, 4.8, 4.9, 5, 5.1, 5.2];
    const { svg } = drawn('energy-quantiles', of(low, [175, 178, 180, 181, 183, 190]));
    const [, words = ''] = /<text ([^>]*)>equal to the baseline</.exec(svg)!;
    const height = Number(/ y="([\d.]+)"/.exec(words)![1]);
    const bottom = ticksOf(svg, 'end').get(0)!;
    expect(height).toBeLessThan(bottom);
    expect(height).toBeGreaterThan(bottom - 40);
  });

  it('of unequal samples are as many as the smaller has, at the same probabilities', () => {
    const base = Array.from({ length: 100 }, (_, i) => i + 1);
    const { svg } = drawn('energy-quantiles', of(base, [200, 201, 202, 203, 204]));
    const x = ruler(ticksOf(svg, 'middle'));
    // (i − 0.5) / 5 of 1 … 100, whose k-th is the quantile of (k − 0.5) / 100.
    expect(points(svg, 1).map((m) => Math.round(2 * x(m.x)) / 2)).toEqual([10.5, 30.5, 50.5, 70.5, 90.5]);
  });

  it('have the line on which variant and baseline are alike', () => {
    const { svg } = drawn('energy-quantiles', of([1, 2, 3, 4, 5], [2, 3, 4, 5, 7]));
    const [x, y] = [ruler(ticksOf(svg, 'middle')), ruler(ticksOf(svg, 'end'))];
    const [, x1, y1, x2, y2] =
      /<path d="M(\S+) (\S+)L(\S+) (\S+)" fill="none" stroke="#1b1b1b" stroke-width="1.2"/.exec(svg)!;
    expect(x(Number(x1))).toBeCloseTo(y(Number(y1)), 1);
    expect(x(Number(x2))).toBeCloseTo(y(Number(y2)), 1);
  });

  it('are not drawn of four runs', () => {
    expect(isDrawn('energy-quantiles', of([1, 2, 3, 4], [1, 2, 3, 4, 5]))).toBe(false);
  });
});
