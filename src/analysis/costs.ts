import type { Cost } from '../experiment/experiment.ts';
import type { Findings } from '../findings/findings.ts';
import type { Amount, Costs } from '../findings/goals.ts';
import type { Interval } from '../findings/numbers.ts';
import { meanChange } from '../stats/welch.ts';
import { isGood } from './assemble.ts';
import { takeSample } from './comparison/sample.ts';
import type { RunResult } from './results.ts';

/** Joules in a kilowatt-hour: 1000 W for 3600 s. */
export const J_PER_KWH = 3_600_000;

interface Energy {
  readonly energyJ: number;
  readonly ci95J: Interval | null;
}

/**
 * Money and carbon of a run and of the user's task, from mean gross energies of the primary channel. A run is one execution of the command:
 * where a window holds several, its energy is divided by their number. Linear, so that every interval scales with its energy.
 */
export function computeCosts(findings: Findings, runs: readonly RunResult[], cost: Cost): Costs {
  const channel = findings.meter.channels[0] ?? null;
  const executions = (variant: string): number =>
    findings.variants.find(({ name }) => name === variant)?.executions_per_run ?? 1;
  const compared = new Set(findings.comparisons.flatMap(({ baseline, variant }) => [baseline, variant]));
  const priced = (energy: Energy, variant: string) => {
    const one = times(energy, 1 / executions(variant));
    return {
      variant,
      run: amount(one, cost),
      task: cost.task && amount(times(one, cost.task.runs), cost),
    };
  };
  return {
    channel,
    price: cost.price && { per_kwh: cost.price.perKwh, currency: cost.price.currency },
    intensity_g_per_kwh: cost.intensityGPerKwh,
    task: cost.task && { name: cost.task.name, runs: cost.task.runs },
    // A benchmark of a suite without a comparison has no number.
    variants: findings.variants.flatMap(({ name, energy_j: energy }) =>
      energy === null || (findings.suite && !compared.has(name))
        ? []
        : [priced({ energyJ: energy.mean, ci95J: energy.mean_ci95 }, name)],
    ),
    differences: findings.comparisons.flatMap(({ channel: of, baseline, variant }) => {
      if (of !== channel || executions(baseline) !== executions(variant)) return [];
      const difference = differenceOf(runs, of, baseline, variant);
      return difference === null ? [] : [{ baseline, ...priced(difference, variant) }];
    }),
  };
}

/** Difference of the means, since costs add up: the mean of the blocks' differences if there are blocks. */
function differenceOf(runs: readonly RunResult[], channel: string, baseline: string, variant: string): Energy | null {
  const of = (name: string) => runs.filter((run) => run.channel === channel && run.variant === name).filter(isGood);
  const { x, y, pairs } = takeSample(of(baseline), of(variant));
  if (pairs?.length === 0 || x.length === 0 || y.length === 0) return null;
  const differences = pairs?.map((pair) => pair.variant.energyJ - pair.baseline.energyJ);
  const { value: energyJ, ci95: ci95J } = meanChange(differences ? { pairs: differences } : { x, y });
  return { energyJ, ci95J };
}

function amount({ energyJ, ci95J }: Energy, { price, intensityGPerKwh }: Cost): Amount {
  const of = (perKwh: number | undefined | null) => {
    const convert = (joules: number): number => (joules / J_PER_KWH) * (perKwh ?? 0);
    const known = perKwh !== undefined && perKwh !== null;
    return {
      value: known ? convert(energyJ) : null,
      ci95: known && ci95J !== null ? ([convert(ci95J[0]), convert(ci95J[1])] as const) : null,
    };
  };
  const money = of(price?.perKwh);
  const carbon = of(intensityGPerKwh);
  return {
    energy_j: energyJ,
    energy_ci95_j: ci95J,
    money: money.value,
    money_ci95: money.ci95,
    carbon_g: carbon.value,
    carbon_ci95_g: carbon.ci95,
  };
}

function times({ energyJ, ci95J }: Energy, factor: number): Energy {
  return { energyJ: energyJ * factor, ci95J: ci95J && [ci95J[0] * factor, ci95J[1] * factor] };
}
