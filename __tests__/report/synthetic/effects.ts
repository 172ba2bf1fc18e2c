import { effectsFindings } from '../../../src/analysis/effects.ts';
import type { Analysis } from '../../../src/analysis/results.ts';
import { parse } from '../../experiment/support.ts';
import { syntheticAnalysis } from './analysis.ts';

/** An analysis of a matrix: alpine uses 3 % more, host 3 % less, and alpine with host another 2 % more. */
export function withMatrix(matrix: string): Analysis {
  const { variants, factorial, baseline } = parse(`workload: { run: x }\nmatrix: ${matrix}`);
  const meanJ = (name: string): number =>
    250 *
    (name.includes('alpine') ? 1.03 : 1) *
    (name.includes('host') ? 0.97 : 1) *
    (name.includes('alpine/host') ? 1.02 : 1);
  const made = syntheticAnalysis({
    variants: variants.map(({ name }) => ({ name, meanJ: meanJ(name), sdJ: 1.5, durationS: 12 })),
  });
  const { findings } = made;
  if (findings.comparisons[0]?.baseline !== baseline) throw new Error('another baseline');
  const effects = effectsFindings(made.runs, factorial!, {
    channel: findings.meter.channels[0]!,
    seed: 1,
    looks: null,
  });
  return { ...made, findings: { ...findings, effects } };
}
