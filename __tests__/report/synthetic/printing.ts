import type { Analysis } from '../../../src/analysis/results.ts';
import { summarize } from '../../../src/stats/summary.ts';

const UNITS = { set: 'requests/s', get: 'requests/s', p99: 'ms' };

/** A server whose throughput falls by 5,000 requests/s behind a bridge, and by the run's number. */
export function printing(made: Analysis, names: (keyof typeof UNITS)[] = ['set']): Analysis {
  const printedBy = (variant: string, run: number) => ({
    set: 80_000 - (variant.includes('bridge') ? 5000 : 0) + (run % 7),
    get: 90_000,
    p99: 2 + (variant.includes('bridge') ? 1 : 0) + (run % 3) / 100,
  });
  const runs = made.runs.map((run) => ({ ...run, metrics: printedBy(run.variant, run.run) }));
  const variants = made.findings.variants.map((variant) => {
    const own = runs.filter((run) => run.variant === variant.name && run.status === 'ok');
    const metrics = names.map((name) => ({
      name,
      unit: UNITS[name],
      runs: own.length,
      value: summarize(own.map(({ metrics: all }) => all[name])),
      counts: null,
      energy_per_unit_j: null,
    }));
    return { ...variant, metrics };
  });
  return { ...made, runs, findings: { ...made.findings, variants } };
}
