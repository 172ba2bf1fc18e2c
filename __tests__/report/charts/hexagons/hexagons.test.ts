// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Analysis, RunTrace } from '../../../../src/analysis/results.ts';
import { paper } from '../../../../src/report/charts/canvas/theme.ts';
import { classOf, countClasses } from '../../../../src/report/charts/hexagons/count-legend.ts';
import { countInHexagons } from '../../../../src/report/charts/hexagons/panels.ts';
import { syntheticAnalysis } from '../../synthetic/analysis.ts';
import { gaussian } from '../../synthetic/random.ts';
import { drawn, isDrawn, type Mark, marks, ruler, textsOf, ticksOf } from '../drawn.ts';

const lightness = (hex: string): number => {
  const [r, g, b] = [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16) / 255);
  const linear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 116 * Math.cbrt(0.2126 * linear(r!) + 0.7152 * linear(g!) + 0.0722 * linear(b!)) - 16;
};

function flat(powerW: number, readings: number, variant = 'a', run = 1): RunTrace {
  const tS = Float64Array.from({ length: readings }, (_, i) => 0.5 + i);
  return { run, variant, durationS: readings, tS, powerW: tS.map(() => powerW) };
}

const withTraces = (traces: readonly RunTrace[], names = ['a', 'b']): Analysis => ({
  ...syntheticAnalysis({ variants: names.map((name) => ({ name })), runs: 3 }),
  traces,
});

const hexagonsOf = (svg: string): Mark[] =>
  paper.scale.flatMap((color) => marks(svg, color)).filter((m) => m.corners === 6);

describe('countInHexagons', () => {
  it('counts every point once, in the hexagon that holds it', () => {
    const random = gaussian(4);
    const points = Array.from({ length: 2000 }, () => [5 + random(), 20 + 3 * random()] as const);
    const [dx, dy] = [0.4, 0.4 * Math.sqrt(3)];
    const all = countInHexagons(points, { dx, dy });
    expect(all.reduce((sum, b) => sum + b.count, 0)).toBe(2000);
    // Count them again by brute force: each point to the nearest of all centers.
    const counts = new Map<unknown, number>();
    for (const [x, y] of points) {
      const near = all.reduce((best, b) =>
        (b.x - x) ** 2 + (b.y - y) ** 2 < (best.x - x) ** 2 + (best.y - y) ** 2 ? b : best,
      );
      counts.set(near, (counts.get(near) ?? 0) + 1);
    }
    expect(all.map((b) => counts.get(b))).toEqual(all.map((b) => b.count));
  });
});

describe('countClasses', () => {
  it.each([1, 2, 6, 7, 8, 13, 40, 200, 1234, 250_000])('up to %p hold every count in exactly one class', (highest) => {
    const classes = countClasses(highest, 6);
    expect(classes.length).toBeLessThanOrEqual(6);
    expect(classes[0]!.from).toBe(1);
    expect(classes.at(-1)!.to).toBe(highest);
    for (const [i, c] of classes.entries()) {
      expect(c.to).toBeGreaterThanOrEqual(c.from);
      if (i > 0) expect(c.from).toBe(classes[i - 1]!.to + 1);
      expect([classOf(classes, c.from), classOf(classes, c.to)]).toEqual([i, i]);
    }
  });
});

describe('the hexagons', () => {
  it('stand at the time and the power of their readings', () => {
    const { svg } = drawn('power-hexagons', withTraces([flat(20, 8), flat(30, 8, 'b', 2)]));
    const seconds = ruler(ticksOf(svg, 'middle'));
    const places = hexagonsOf(svg).map((m) => seconds(m.x));
    for (let i = 0; i < 8; i++) {
      expect(places.filter((t) => Math.abs(t - (0.5 + i)) < 0.15)).toHaveLength(2);
    }
  });

  it('are darker the more readings they hold, by even steps that gray print keeps', () => {
    const steps = paper.scale.map(lightness);
    const drops = steps.slice(1).map((l, i) => steps[i]! - l);
    for (const drop of drops) expect(drop).toBeGreaterThan(8);
    expect(Math.max(...drops) / Math.min(...drops)).toBeLessThan(1.6);
    const many = Array.from({ length: 40 }, (_, i) => flat(20, 4, 'a', i + 1));
    const { svg } = drawn('power-hexagons', withTraces([...many, flat(30, 4, 'a', 99)]));
    const counts = hexagonsOf(svg).map((m) => m.fill);
    expect(counts.filter((fill) => fill === paper.scale.at(-1))).toHaveLength(4);
    expect(counts.filter((fill) => fill === paper.scale[0])).toHaveLength(4);
  });

  it('leave out readings that mix a run with the idleness around it, and say how many they hold', () => {
    const trace = { ...flat(20, 4), tS: Float64Array.of(0, 1, 2, 3, 4), powerW: Float64Array.of(9, 20, 20, 20, 9) };
    const { svg, text } = drawn('power-hexagons', withTraces([trace]));
    expect(text).toContain('3 readings in all');
    expect(text).toContain('1 run');
    expect(hexagonsOf(svg)).toHaveLength(3);
  });

  it('have a legend of every count', () => {
    const many = Array.from({ length: 500 }, (_, i) => flat(20 + (i % 7), 4, 'a', i + 1));
    const texts = textsOf(drawn('power-hexagons', withTraces(many)).svg);
    const at = texts.indexOf('Readings in a hexagon');
    expect(texts[at + 1]).toMatch(/^1(–|$)/);
  });

  it('are a million readings in no more shapes than a picture can show', () => {
    const random = gaussian(8);
    const long = (run: number): RunTrace => {
      const tS = Float64Array.from({ length: 50_000 }, (_, i) => 0.1 * (i + 0.5));
      return { run, variant: run % 2 ? 'a' : 'b', durationS: 5000, tS, powerW: tS.map(() => 20 + random()) };
    };
    const { svg, text } = drawn('power-hexagons', withTraces(Array.from({ length: 20 }, (_, i) => long(i))));
    expect(text).toContain('999800 readings in all');
    expect(svg.length).toBeLessThan(500_000);
  });

  it('are not pressed flat by one wild reading, which is counted at the edge', () => {
    const random = gaussian(2);
    const quiet = Array.from({ length: 60 }, (_, i) => {
      const trace = flat(20, 10, 'a', i + 1);
      return { ...trace, powerW: trace.powerW.map(() => 20 + random()) };
    });
    quiet[7]!.powerW[3] = 900;
    const { svg, text } = drawn('power-hexagons', withTraces(quiet));
    expect(text).toContain('600 readings in all');
    expect(text).toContain('1 reading far beyond the others is counted at the edge');
    expect(Math.max(...ticksOf(svg, 'end').keys())).toBeLessThan(40);
  });

  it('are not drawn without readings', () => {
    expect(isDrawn('power-hexagons', withTraces([]))).toBe(false);
    expect(isDrawn('power-hexagons', withTraces([{ ...flat(20, 1), durationS: 0.2 }]))).toBe(false);
  });
});
