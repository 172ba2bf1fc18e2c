// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Analysis, RunTrace } from '../../../src/analysis/results.ts';
import { powerBand } from '../../../src/report/charts/power/resample.ts';
import { runsCsv } from '../../../src/report/csv.ts';
import { pack, unpack } from '../../../src/report/data/pack.ts';
import { type PageAnalysis, pageData, readPageData } from '../../../src/report/data/page-data.ts';
import { analysisPerExecution } from '../../../src/report/per-execution.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';
import { gaussian } from '../synthetic/random.ts';
import { richAnalysis } from '../synthetic/rich.ts';

const ROOM = 2_500_000;

function there(analysis: Analysis, room = ROOM): { page: PageAnalysis; bytes: number } {
  const data = pageData(analysis, room);
  const bytes = Object.values(data).reduce((sum, text) => sum + text.length, 0);
  return { page: readPageData((id) => data[id]), bytes };
}

/** Traces of so many readings, with a spike of 500 W in each. */
function long(runs: number, readings: number): Analysis {
  const random = gaussian(11);
  const traces = Array.from({ length: runs }, (_, i): RunTrace => {
    const tS = Float64Array.from({ length: readings }, (_, k) => 0.1 * (k + 0.5) + 1e-4 * random());
    const powerW = tS.map(() => 100 + 5 * random());
    powerW[Math.floor(readings / 3)] = 500;
    return { run: i + 1, variant: i % 2 === 0 ? 'native' : 'container', durationS: 0.1 * readings, tS, powerW };
  });
  const plain = syntheticAnalysis({ runs: Math.ceil(runs / 2), traces: false });
  const meter = { ...plain.findings.meter, sampling_period_s: 0.1 };
  return { ...plain, findings: { ...plain.findings, meter }, traces };
}

describe('pack', () => {
  it('gives back what it got, whatever the characters', () => {
    for (const value of [null, [], { a: [1.5, -0.25, 'µ\u2028</script>😀'] }, 'x'.repeat(100_000)]) {
      expect(unpack(pack(value))).toEqual(value);
    }
  });

  it('refuses what it did not make', () => {
    expect(() => unpack('AAAA')).toThrow();
  });
});

describe('pageData', () => {
  it('has the processor use, of all readings and of fewer', () => {
    const analysis = long(4, 2000);
    const tS = Float64Array.from({ length: 201 }, (_, i) => i);
    const use = { tS, fullS: tS.map((t) => 0.25 * t) };
    const busy = { ...analysis, traces: analysis.traces.map((trace) => ({ ...trace, use })) };
    const { page } = there(busy);
    expect(page.traces[3]!.use).toEqual(use);
    const { page: few } = there(busy, 40_000);
    expect(few.kept.every).toBeGreaterThan(1);
    const kept = few.traces[3]!.use!;
    expect(kept.tS.length).toBeLessThan(201);
    expect([kept.tS.at(-1), kept.fullS.at(-1)]).toEqual([200, 50]);
    expect(few.bands!.get('native')!.use.at(-1)).toBe(25);
    expect(there(analysis).page.traces[3]!.use).toBeUndefined();
  });

  it('unpacks the readings when something asks for them, and no sooner', () => {
    const data = pageData(long(2, 50), ROOM);
    const read: string[] = [];
    const page = readPageData((id) => {
      read.push(id);
      return data[id];
    });
    const variants = page.findings.variants.map((one) => ({ ...one, executions_per_run: 2 }));
    const whole = Object.defineProperty(page, 'findings', { value: { ...page.findings, variants } });
    const shown = analysisPerExecution(whole);
    expect(read).not.toContain('traces');
    expect(shown.traces).toHaveLength(2);
    expect(read).toContain('traces');
    // Each chart asks for it again.
    expect(analysisPerExecution(whole)).toBe(shown);
  });

  it('brings every line of runs.csv into the page unchanged', () => {
    const analysis = richAnalysis();
    const { page } = there(analysis);
    expect(runsCsv(page.runs)).toBe(runsCsv(analysis.runs));
    const known = analysis.runs.map((run) => ({ ...run, uncertainty: null }));
    expect(page.runs).toEqual(known);
    expect(page.kept.digits).toBeNull();
  });

  it('brings every reading of a small experiment, to a microsecond and six digits', () => {
    const analysis = long(6, 500);
    const { page } = there(analysis);
    expect(page.kept).toMatchObject({ every: 1, readings: { all: 3000, kept: 3000 } });
    expect(page.bands).toBeUndefined();
    for (const [i, trace] of page.traces.entries()) {
      const { tS, powerW, run, variant } = analysis.traces[i]!;
      expect([trace.run, trace.variant, trace.tS.length]).toEqual([run, variant, tS.length]);
      for (const k of tS.keys()) {
        expect(Math.abs(trace.tS[k]! - tS[k]!)).toBeLessThan(0.51e-6);
        expect(Math.abs(trace.powerW[k]! - powerW[k]!)).toBeLessThan(0.51e-3);
      }
    }
  });

  it('keeps readings in steps of the meter exactly', () => {
    const analysis = syntheticAnalysis();
    const traces = analysis.traces.map((t) => ({ ...t, powerW: t.powerW.map((w) => Math.round(10 * w) / 10) }));
    const { page } = there({ ...analysis, traces });
    expect(page.kept.stepW).toBe(0.1);
    expect(page.traces.map((t) => [...t.powerW])).toEqual(traces.map((t) => [...t.powerW]));
  });

  it('thins many readings, keeps their extremes and the bands of all of them, and fits', () => {
    const analysis = long(12, 25_000);
    const { page, bytes } = there(analysis);
    expect(bytes).toBeLessThan(ROOM);
    expect(page.kept.every).toBeGreaterThan(1);
    expect(page.kept.readings.all).toBe(300_000);
    expect(page.traces).toHaveLength(12);
    for (const trace of page.traces) {
      expect(Math.max(...trace.highW!)).toBe(500);
      expect(trace.lowW!.every((low, k) => low <= trace.powerW[k]! && trace.powerW[k]! <= trace.highW![k]!)).toBe(true);
    }
    const native = analysis.traces.filter((t) => t.variant === 'native');
    const [whole, packed] = [powerBand(native, 0.1)!, page.bands!.get('native')!];
    expect(packed.tS).toHaveLength(whole.tS.length);
    for (const k of whole.tS.keys()) expect(packed.medianW[k]).toBeCloseTo(whole.medianW[k]!, 3);
  });

  it('rounds the runs before it leaves them out, and says so', () => {
    const analysis = { ...richAnalysis({ blocks: 60 }), traces: [] };
    const whole = there(analysis).bytes - JSON.stringify(analysis.findings).length;
    const findings = JSON.stringify(analysis.findings).length;
    const rounded = there(analysis, findings + Math.round(0.9 * whole)).page;
    expect(rounded.kept.digits).toBe(7);
    expect(rounded.runs[0]!.energyJ).toBeCloseTo(analysis.runs[0]!.energyJ!, 3);
    expect(rounded.runs[0]!.startNs).toBe(analysis.runs[0]!.startNs);
    const none = there(analysis, findings + 100).page;
    expect(none.kept.hasRuns).toBe(false);
    expect(none.runs).toEqual([]);
  });
});
