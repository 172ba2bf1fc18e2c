// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { RunResult } from '../../../../src/analysis/results.ts';
import { phaseSpans } from '../../../../src/report/charts/power/phase-strip.ts';
import { syntheticAnalysis } from '../../synthetic/analysis.ts';
import { richAnalysis } from '../../synthetic/rich.ts';
import { drawn, ruler, ticksOf } from '../drawn.ts';

const [some] = syntheticAnalysis({ runs: 1 }).runs;
const run = (...phases: readonly (readonly [string, number, number])[]): RunResult => ({
  ...some!,
  phases: phases.map(([phase, startS, endS]) => ({ phase, startS, endS, energyJ: 1, uncertaintyJ: null })),
});

describe('phaseSpans', () => {
  it('has the medians of beginnings and ends, in order', () => {
    const runs = [run(['a', 0, 1], ['b', 1, 4]), run(['a', 0, 1.2], ['b', 1.2, 5]), run(['a', 0.1, 9], ['b', 9, 10])];
    expect(phaseSpans(runs)).toEqual([
      { phase: 'a', fromS: 0, toS: 1.2 },
      { phase: 'b', fromS: 1.2, toS: 5 },
    ]);
  });

  it('keeps a phase that comes back apart from its first time, and leaves out what few runs told', () => {
    const runs = [
      run(['a', 0, 1], ['b', 1, 2], ['a', 2, 3]),
      run(['a', 0, 1], ['b', 1, 2], ['a', 2, 3]),
      run(['odd', 0, 1]),
    ];
    expect(phaseSpans(runs).map((s) => [s.phase, s.fromS])).toEqual([
      ['a', 0],
      ['b', 1],
      ['a', 2],
    ]);
    expect(phaseSpans([])).toEqual([]);
  });
});

describe('power over time', () => {
  it('has the phases of the baseline above it, each from its beginning to its end', () => {
    const analysis = richAnalysis();
    const { svg, text } = drawn('power-over-time', analysis);
    const seconds = ruler(ticksOf(svg, 'middle'));
    const native = analysis.runs.filter((r) => r.variant === 'native' && r.status === 'ok' && r.phases !== undefined);
    const strips = [
      ...svg.matchAll(/<path d="M(\S+) \S+L(\S+) \S+L[^"]*Z" fill="#5c5c5c" fill-opacity="0.(?:22|12)"/g),
    ];
    expect(strips.map(([, from]) => seconds(Number(from)))).toEqual(
      phaseSpans(native).map((s) => expect.closeTo(s.fromS, 1)),
    );
    for (const name of ['read', 'sort', 'write', 'Strip: phases of native']) expect(text).toContain(name);
  });

  it('has no strip where no phase was told', () => {
    expect(drawn('power-over-time', syntheticAnalysis()).text).not.toContain('Strip');
  });
});
