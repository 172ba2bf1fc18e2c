// Class: unit.
import { expect, it } from '@jest/globals';
import { processorUse } from '../../../../src/analysis/processor-use.ts';
import type { Analysis } from '../../../../src/analysis/results.ts';
import { seriesStyle } from '../../../../src/report/charts/canvas/theme.ts';
import { usePanel } from '../../../../src/report/charts/power/use-panel.ts';
import { syntheticAnalysis } from '../../synthetic/analysis.ts';
import { fourVariants } from '../../synthetic/factorial.ts';
import { drawn } from '../drawn.ts';

/** Runs in which the processors are idle for 4 s, and then busy to this share in percent. */
function withUse(analysis: Analysis, percent: number): Analysis {
  const traces = analysis.traces.map((trace) => {
    const endNs = BigInt(Math.round(1e9 * trace.durationS));
    const readings = [0n, 4_000_000_000n, endNs].map((tNs, i) => {
      const allS = (2 * Number(tNs)) / 1e9;
      return { tNs, allS, busyS: i < 2 ? 0 : (percent / 100) * (allS - 8) };
    });
    return { ...trace, use: processorUse(readings, { startNs: 0n, endNs })! };
  });
  return { ...analysis, traces };
}

const plain = syntheticAnalysis();
const SOURCE = /Below the power: share of the time of all processors in use, counted by the kernel of the host/;

it('shows when the processors were busy in a panel of its own beneath the power', () => {
  const { svg, text, spec } = drawn('power-over-time', withUse(plain, 80));
  const before = drawn('power-over-time', plain);
  expect(spec.height).toBeGreaterThan(before.spec.height);
  expect(text).toMatch(/Processors \(%\)/);
  expect(text).toMatch(SOURCE);
  expect(spec.description).toMatch(/^native: about .* W for 12(\.\d)? s, processors 80 % in use; container: about/);
  // The time axis is the same: the use begins where the power's axis does, and the line of a variant rises once, at 4 s.
  const { color } = seriesStyle(0);
  const lines = [...svg.matchAll(/<path d="([^"]*)"([^>]*)>/g)]
    .filter(([, path = '', style = '']) => style.includes(color) && path.length > 200)
    .map(([, path = '']) => [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]));
  const use = lines.find((points) => new Set(points.map(([, y]) => Math.round(y!))).size === 2)!;
  const [left, right] = [use[0]![0]!, use.at(-1)![0]!];
  const rise = use.findLast(([, y]) => Math.abs(y! - use[0]![1]!) < 0.5)![0]!;
  expect((rise - left) / (right - left)).toBeCloseTo(4 / 12, 1);
  expect(use.at(-1)![1]!).toBeLessThan(use[0]![1]!);
  expect(svg).not.toMatch(/NaN/);
});

it('is left out where it was not recorded', () => {
  const { text, spec } = drawn('power-over-time', plain);
  expect(text).not.toMatch(/Processors|proc\/stat/);
  expect(spec.description).not.toMatch(/in use/);
});

it('has a strip beneath each of many panels', () => {
  const analysis = syntheticAnalysis({ variants: fourVariants() });
  const { text, spec } = drawn('power-over-time', withUse(analysis, 30));
  expect(text).toMatch(SOURCE);
  expect(text.match(/%(?= )/g)!.length).toBeGreaterThanOrEqual(4);
  const scales = Object.keys(spec.config.options!.scales!);
  expect(scales).toEqual(['x', 'u3', 'y3', 'u2', 'y2', 'u1', 'y1', 'u0', 'y0']);
});

it('has room for one processor of many, and for none at all', () => {
  expect(usePanel([0, 1.6, Number.NaN])!.axis).toMatchObject({ ticks: [0, 1], max: 1.3 * 1.6 });
  expect(usePanel([0, 0])!.axis.max).toBeGreaterThan(0);
  expect(usePanel([Number.NaN])).toBeNull();
});
