// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Analysis, RunResult } from '../../../../src/analysis/results.ts';
import { syntheticAnalysis } from '../../synthetic/analysis.ts';
import { richAnalysis } from '../../synthetic/rich.ts';
import { drawn, marks, points, ruler, ticksOf } from '../drawn.ts';

const analysis = richAnalysis();
const names = analysis.findings.variants.map((v) => v.name);
const wall = analysis.runs.filter((r) => r.channel === 'wall');
const good = (variant: string): RunResult[] => wall.filter((r) => r.variant === variant && r.status === 'ok');

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
      syntheticAnalysis({
        variants: [{ name: 'a', energiesJ: Array.from({ length: 20 }, (_, i) => 100 + slope * i) }],
        traces: false,
      });
    expect(drawn('energy-over-runs', drift(1)).text).toContain('+17 % start to end');
    expect(drawn('energy-over-runs', drift(0)).text).toContain('0.00 % start to end');
  });

  it('of ten thousand blocks draws whole ones, evenly chosen', () => {
    const many = drawn('energy-over-runs', syntheticAnalysis({ runs: 10_000, traces: false }));
    const [, shown] = /(\d+) of 20000 runs are drawn/.exec(many.text)!;
    expect(Number(shown)).toBeLessThanOrEqual(600);
    expect(many.svg.match(/stroke-opacity="0.55"/g)).toHaveLength(Number(shown) / 2);
  });
});
