import type { Analysis, RunTrace } from '../../../src/analysis/results.ts';
import { syntheticAnalysis } from './analysis.ts';
import { withMany } from './many.ts';
import { gaussian } from './random.ts';

const PERIOD_S = 0.1;

/** An experiment of so many variants, blocks and readings in all, as a meter of ten readings a second with steps of 0.01 W gives it. */
export function bigAnalysis(size: { variants: number; blocks: number; readings: number }): Analysis {
  const random = gaussian(23);
  const models = Array.from({ length: Math.min(size.variants, 21) }, (_, i) => ({
    name: i === 0 ? 'native' : `model-${i}`,
    meanJ: 250 + i,
    sdJ: 2,
  }));
  const names = Array.from({ length: size.variants - 1 }, (_, i) => `variant-${i + 1}`);
  const plain = withMany(syntheticAnalysis({ variants: models, runs: size.blocks, traces: false }), names);
  const perRun = Math.round(size.readings / plain.runs.length);
  const durationS = perRun * PERIOD_S;
  const traces = plain.runs.map((run): RunTrace => {
    const offset = PERIOD_S * Math.abs(random() % 1);
    const tS = Float64Array.from({ length: perRun }, (_, k) => offset + k * PERIOD_S + 2e-4 * random());
    const powerW = tS.map((t) => Math.round(100 * (80 + 10 * Math.sin(t / 3) + random())) / 100);
    return { run: run.run, variant: run.variant, durationS, tS, powerW };
  });
  const meter = { ...plain.findings.meter, sampling_period_s: PERIOD_S };
  return { findings: { ...plain.findings, meter }, runs: plain.runs, traces };
}
