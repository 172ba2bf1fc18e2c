import { describe, expect, it } from '@jest/globals';
import type { Analysis, RunResult } from '../../../../src/analysis/results.ts';
import { seriesStyle } from '../../../../src/report/charts/canvas/theme.ts';
import { richAnalysis } from '../../fake/rich.ts';
import { fakeAnalysis } from '../../fixtures.ts';
import { drawn, isDrawn, type Mark, marks, ruler, ticksOf } from '../drawn.ts';

const analysis = richAnalysis();
const names = analysis.findings.variants.map((v) => v.name);
const wall = analysis.runs.filter((r) => r.channel === 'wall');
const good = (variant: string): RunResult[] => wall.filter((r) => r.variant === variant && r.status === 'ok');

/** Points in the plot, in their order from left to right; not the sample beside a name. */
function points(svg: string, place: number): Mark[] {
  const grid = [...svg.matchAll(/<path d="M\S+ \S+L(\S+) \S+" fill="none" stroke="#e3e3e3"/g)];
  const right = Math.max(...grid.map(([, x]) => Number(x)));
  return marks(svg, seriesStyle(place).colour)
    .filter((m) => m.x <= right)
    .sort((a, b) => a.x - b.x);
}

describe('energy against duration', () => {
  it('has every compared run at its duration and its energy', () => {
    const { svg } = drawn('energy-against-time', analysis);
    const [seconds, joules] = [ruler(ticksOf(svg, 'middle')), ruler(ticksOf(svg, 'end'))];
    for (const [place, name] of names.entries()) {
      const runs = good(name).sort((a, b) => a.durationS! - b.durationS!);
      const found = points(svg, place);
      expect(found).toHaveLength(runs.length);
      for (const [i, run] of runs.entries()) {
        expect(seconds(found[i]!.x)).toBeCloseTo(run.durationS!, 1);
        expect(Math.min(...found.map((m) => Math.abs(joules(m.y) - run.energyJ!)))).toBeLessThan(0.3);
      }
    }
  });

  it('has lines whose energy is their power times the duration', () => {
    const { svg } = drawn('energy-against-time', analysis);
    const [seconds, joules] = [ruler(ticksOf(svg, 'middle')), ruler(ticksOf(svg, 'end'))];
    const lines = [
      ...svg.matchAll(/<path d="M(\S+) (\S+)L(\S+) (\S+)" [^>]*stroke-dasharray="1.5 3"\/>\n<text [^>]*>([\d.]+) W</g),
    ];
    expect(lines.length).toBeGreaterThanOrEqual(3);
    for (const [, x1, y1, x2, y2, watts] of lines) {
      expect(joules(Number(y1)) / seconds(Number(x1))).toBeCloseTo(Number(watts), 1);
      expect(joules(Number(y2)) / seconds(Number(x2))).toBeCloseTo(Number(watts), 1);
    }
  });

  it('has lines around the powers of the runs even where the axes begin near zero', () => {
    const variants = [{ name: 'a', energiesJ: [2.5, 50, 100, 160] }];
    const short = fakeAnalysis({ variants, traces: false });
    const runs = short.runs.map((r) => ({ ...r, durationS: r.energyJ! / 25 }));
    const watts = [...drawn('energy-against-time', { ...short, runs }).svg.matchAll(/>([\d.]+) W</g)].map(([, w]) =>
      Number(w),
    );
    expect(watts.length).toBeGreaterThanOrEqual(3);
    expect(Math.min(...watts)).toBeLessThanOrEqual(25);
    expect(Math.max(...watts)).toBeGreaterThanOrEqual(25);
    expect(Math.max(...watts)).toBeLessThanOrEqual(40);
  });

  it('rings the flagged runs by number', () => {
    const { svg, text } = drawn('energy-against-time', analysis);
    const flagged = analysis.findings.variants.flatMap((v) => v.flagged);
    expect(flagged.length).toBeGreaterThan(0);
    expect(svg.match(/<path d="[^"]*A7 7 [^"]*" fill="none"/g)).toHaveLength(flagged.length);
    expect(text).toContain(`run ${flagged[0]!.run}`);
  });

  it('has no line of power where energies are below zero', () => {
    const negative = fakeAnalysis({ variants: [{ name: 'a', energiesJ: [-3, -1, 2, 4] }] });
    expect(drawn('energy-against-time', negative).text).not.toMatch(/\d W /);
  });

  it('of ten thousand runs draws some, and says how many', () => {
    const many = fakeAnalysis({ runs: 10_000, traces: false });
    const { svg, text } = drawn('energy-against-time', many);
    const count = points(svg, 0).length + points(svg, 1).length;
    expect(text).toContain(`Drawn are ${count} of 20000 runs`);
    expect(count).toBeLessThanOrEqual(1000);
    expect(svg.length).toBeLessThan(500_000);
  });
});

describe('energy over the order of the runs', () => {
  const { svg, text } = drawn('energy-over-runs', analysis);
  const [order, joules] = [ruler(ticksOf(svg, 'middle')), ruler(ticksOf(svg, 'end'))];

  it('has every first run of a block filled, at its number and its energy', () => {
    for (const [place, name] of names.entries()) {
      const first = good(name).filter((r) => r.position === 1);
      const found = points(svg, place);
      expect(found.map((m) => Math.round(order(m.x)))).toEqual(first.map((r) => r.run));
      for (const [i, run] of first.entries()) expect(joules(found[i]!.y)).toBeCloseTo(run.energyJ!, 0);
    }
  });

  it('has all later ones open', () => {
    const later = names.reduce((sum, name) => sum + good(name).filter((r) => r.position !== 1).length, 0);
    expect(marks(svg, '#ffffff')).toHaveLength(later);
  });

  it('joins each block of two valid runs or more', () => {
    const sizes = [...Map.groupBy(names.flatMap(good), (r) => r.block).values()].map((runs) => runs.length);
    const hairlines = [...svg.matchAll(/<path d="(M[^"]*)" fill="none" stroke="#5c5c5c" stroke-opacity="0.55"/g)];
    expect(hairlines.map(([, path]) => path!.split('L').length).sort()).toEqual(sizes.filter((n) => n > 1).sort());
  });

  it('marks every run without a valid energy', () => {
    const bad = wall.filter((r) => r.status !== 'ok');
    expect(bad.length).toBeGreaterThan(2);
    expect(text).toContain(`${bad.length} failed or invalid`);
    const crosses = [
      ...svg.matchAll(/<path d="M(\S+) \S+L(\S+) \S+M[^"]*" fill="none" stroke="#\w+" stroke-width="2"\/>/g),
    ];
    const numbers = crosses.map(([, a, b]) => Math.round(order((Number(a) + Number(b)) / 2)));
    expect(numbers.sort((a, b) => a - b)).toEqual(bad.map((r) => r.run).sort((a, b) => a - b));
  });

  it('of runs without blocks joins none, and speaks of no positions', () => {
    const loose = { ...analysis, runs: analysis.runs.map((r) => ({ ...r, block: null, position: null })) };
    const picture = drawn('energy-over-runs', loose);
    expect(picture.svg).not.toContain('stroke-opacity="0.55"');
    expect(picture.text).not.toContain('Hairlines');
    expect(picture.text).not.toContain('Filled');
    expect(points(picture.svg, 0)).toHaveLength(good('native').length);
  });

  it('tells a drift that is there, and none that is not', () => {
    const drift = (slope: number): Analysis =>
      fakeAnalysis({
        variants: [{ name: 'a', energiesJ: Array.from({ length: 20 }, (_, i) => 100 + slope * i) }],
        traces: false,
      });
    expect(drawn('energy-over-runs', drift(1)).text).toContain('+17 % start to end');
    expect(drawn('energy-over-runs', drift(0)).text).toContain('0.00 % start to end');
  });

  it('of ten thousand blocks draws whole ones, evenly chosen', () => {
    const many = drawn('energy-over-runs', fakeAnalysis({ runs: 10_000, traces: false }));
    const [, shown] = /Drawn are (\d+) of 20000 runs/.exec(many.text)!;
    expect(Number(shown)).toBeLessThanOrEqual(600);
    expect(many.svg.match(/stroke-opacity="0.55"/g)).toHaveLength(Number(shown) / 2);
  });
});

describe('quantiles against the baseline', () => {
  const of = (baseline: number[], variant: number[]): Analysis =>
    fakeAnalysis({
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
