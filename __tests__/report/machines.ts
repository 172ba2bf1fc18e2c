import type { Result } from '../../src/parts/fleet/report/gathered/result.ts';
import { type SyntheticOptions, syntheticAnalysis } from './synthetic/analysis.ts';

/** A result of a machine of its own, whose container uses `percent` more. */
export function resultOf(host: string, percent: number, options: SyntheticOptions = {}): Result {
  const { findings } = syntheticAnalysis({
    traces: false,
    runs: 12,
    variants: [
      { name: 'native', meanJ: 250, sdJ: 0.5 },
      { name: 'container', meanJ: 250 * (1 + percent / 100), sdJ: 0.5 },
    ],
    ...options,
  });
  const id = `${host}-${percent}`;
  const { conditions } = findings;
  return {
    name: host,
    findings: {
      ...findings,
      experiment: { ...findings.experiment, id },
      conditions: conditions && { ...conditions, hostname: host },
    },
  };
}
