import type { Metric } from '../../contracts/variant.ts';
import type { MetricComparison } from '../../findings/metrics.ts';
import type { VariantFindings } from '../../findings/variant.ts';
import { summarize } from '../../stats/summary.ts';
import type { ComparedRun } from '../comparison/pairing.ts';
import { interval95, percentChange } from '../comparison/percent.ts';
import { takeSample } from '../comparison/sample.ts';
import type { RunResult } from '../results.ts';

type GoodRun = RunResult & { readonly energyJ: number };

/** Units that don't count work, such as degrees: energy per unit is meaningless for them. */
const NO_COUNT =
  /^(?:[nuµμm]?s(?:ecs?)?|min|h|d|(?:nano|micro|milli)?seconds?|minutes?|hours?|%|percent|[mkMG]?(?:W|J|Wh|Hz|V|A)|°?[CFK]|ratio|factor|x|points?|score)$/;
const RATE = /^(?<unit>.*\S)\s*(?:\/\s*s(?:ec(?:ond)?)?|per s(?:ec(?:ond)?)?)$/;
/** What is counted per second, by the abbreviation of the rate in lower case: `rps` counts requests. */
const ABBREVIATED: Readonly<Record<string, string>> = {
  ...{ rps: 'requests', qps: 'queries', tps: 'transactions', fps: 'frames', iops: 'I/O operations' },
  ...{ bps: 'bits', kbps: 'kbit', mbps: 'Mbit', gbps: 'Gbit' },
};

/** What a unit counts, as an amount or per second; null: neither. */
export function countedBy(unit: string): { readonly what: string; readonly isRate: boolean } | null {
  const short = unit.toLowerCase();
  if (Object.hasOwn(ABBREVIATED, short)) return { what: ABBREVIATED[short]!, isRate: true };
  const rate = RATE.exec(unit)?.groups?.unit;
  const what = rate ?? unit;
  return NO_COUNT.test(what) || what.includes('/') ? null : { what, isRate: rate !== undefined };
}

/**
 * Joules per counted unit. For a rate, it is the mean power divided by the rate, as if the rate held for the whole window.
 * Null: unknown, or nothing was counted.
 */
function energyPerUnit(run: GoodRun, { name, unit }: Metric): number | null {
  const counted = countedBy(unit);
  const value = run.metrics?.[name];
  if (counted === null || value === undefined || !(value > 0)) return null;
  if (!counted.isRate) return run.energyJ / value;
  return run.meanPowerW === null ? null : run.meanPowerW / value;
}

/** Metrics that the valid runs of one variant printed. */
export function variantMetrics(runs: readonly GoodRun[], metrics: readonly Metric[]): Pick<VariantFindings, 'metrics'> {
  if (metrics.length === 0) return {};
  return {
    metrics: metrics.map((metric) => {
      const values = runs.flatMap((run) => run.metrics?.[metric.name] ?? []);
      const energies = runs.map((run) => energyPerUnit(run, metric)).filter((energy) => energy !== null);
      return {
        name: metric.name,
        unit: metric.unit,
        runs: values.length,
        value: summarize(values),
        counts: countedBy(metric.unit)?.what ?? null,
        energy_per_unit_j: summarize(energies),
      };
    }),
  };
}

/** Compares each metric like the energy, by blocks. One that a run lacks is left out, since lacking it may depend on the energy. */
export function compareMetrics(
  baseline: readonly GoodRun[],
  variant: readonly GoodRun[],
  metrics: readonly Metric[],
): { readonly metrics?: MetricComparison[] } {
  if (metrics.length === 0) return {};
  type Of = (run: GoodRun) => number | null | undefined;
  const armOf = (runs: readonly GoodRun[], of: Of): ComparedRun[] =>
    runs.flatMap((run) => {
      const value = of(run) ?? null;
      return value === null ? [] : [{ run: run.run, block: run.block, energyJ: value, durationS: null }];
    });
  const changeOf = (of: Of): MetricComparison['percent'] => {
    const [a, b] = [armOf(baseline, of), armOf(variant, of)];
    if (a.length < baseline.length || b.length < variant.length) return null;
    const percent = percentChange(takeSample(a, b));
    return percent.estimate === null ? null : { estimate: percent.estimate, ci95: interval95(percent) };
  };
  return {
    metrics: metrics.map((metric) => ({
      name: metric.name,
      unit: metric.unit,
      percent: changeOf((run) => run.metrics?.[metric.name]),
      energy_per_unit_percent: changeOf((run) => energyPerUnit(run, metric)),
    })),
  };
}
