import { type ComparedRun, compare } from '../../src/analysis/compare.ts';
import type { Interims } from '../../src/analysis/comparison/interim.ts';
import type { RunResult } from '../../src/analysis/results.ts';
import type { Comparison } from '../../src/findings/comparison.ts';
import { makePlan } from '../../src/schedule/randomize.ts';
import { logRatio } from '../../src/stats/log-ratio.ts';
import { bareRun } from '../analysis/bare-run.ts';
import { workload } from '../store/fixtures.ts';
import { disturbances, type Machine } from './machine.ts';
import type { Random } from './random.ts';

export const MARGIN_PERCENT = 1;

/**
 * An experiment on a simulated machine, in the order of the product's own plan: `native`, and others that use so much more (0.01: 1 %).
 */
export function simulatedRuns(random: Random, machine: Machine, blocks: number, more: readonly number[]): RunResult[] {
  const names = ['native', ...more.map((_, i) => `container${i === 0 ? '' : i + 1}`)];
  const variants = names.map((name) => ({ kind: 'native' as const, name, workload }));
  const { runs } = makePlan({ variants, repetitions: blocks, warmup: { runs: 0 } }, random.seed());
  const machineLogs = disturbances(random, machine, runs.length);
  return runs.map((planned, t) => {
    const change = more[names.indexOf(planned.variant) - 1] ?? 0;
    const energyJ = 100 * (1 + change) * Math.exp(machineLogs[t] as number);
    const { run, block, position, variant } = planned;
    return bareRun({ run, block, position, variant, energyJ });
  });
}

/** The product's own analysis of it; `looks`: where it stands, if it could end early. */
export function compared(runs: readonly RunResult[], looks?: Interims): Comparison {
  const arm = (name: string): ComparedRun[] =>
    runs.flatMap(({ run, block, energyJ, durationS, variant: of }) =>
      of === name && energyJ !== null ? [{ run, block, energyJ, durationS }] : [],
    );
  return compare(arm('native'), arm('container'), {
    baseline: 'native',
    variant: 'container',
    channel: 'wall',
    marginPercent: MARGIN_PERCENT,
    looks,
    seed: 1,
    verdictOnly: true,
  });
}

/** Log ratios of its blocks, in the order of the plan. */
export function ratios(runs: readonly RunResult[]): number[] {
  const energy = (of: readonly RunResult[], native: boolean): number =>
    of.find((run) => (run.variant === 'native') === native)?.energyJ as number;
  return [...Map.groupBy(runs, (run) => run.block).values()].map((of) => logRatio(energy(of, true), energy(of, false)));
}
