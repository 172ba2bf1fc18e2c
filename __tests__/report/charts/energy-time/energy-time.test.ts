// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { RunResult } from '../../../../src/analysis/results.ts';
import { syntheticAnalysis } from '../../synthetic/analysis.ts';
import { richAnalysis } from '../../synthetic/rich.ts';
import { drawn, points, ruler, ticksOf } from '../drawn.ts';

const analysis = richAnalysis();
const names = analysis.findings.variants.map((v) => v.name);
const wall = analysis.runs.filter((r) => r.channel === 'wall');
const good = (variant: string): RunResult[] => wall.filter((r) => r.variant === variant && r.status === 'ok');

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
    const short = syntheticAnalysis({ variants, traces: false });
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
    const negative = syntheticAnalysis({ variants: [{ name: 'a', energiesJ: [-3, -1, 2, 4] }] });
    expect(drawn('energy-against-time', negative).text).not.toMatch(/\d W /);
  });

  it('of ten thousand runs draws some, and says how many', () => {
    const many = syntheticAnalysis({ runs: 10_000, traces: false });
    const { svg, text } = drawn('energy-against-time', many);
    const count = points(svg, 0).length + points(svg, 1).length;
    expect(text).toContain(`${count} of 20000 runs are drawn`);
    expect(count).toBeLessThanOrEqual(1000);
    expect(svg.length).toBeLessThan(500_000);
  });
});
