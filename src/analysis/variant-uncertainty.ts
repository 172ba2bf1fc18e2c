import type { EnergyUncertainty } from '../findings/variant.ts';
import { moments } from '../stats/sums.ts';
import type { RunResult } from './results.ts';
import { COVERAGE_FACTOR, quadrature, randomJ, systematicJ, type UncertaintyParts } from './uncertainty.ts';

/** Valid runs of one variant on one channel: energies in joules, with the sources of their uncertainties. */
export interface UncertainRun {
  readonly energyJ: number;
  readonly parts: UncertaintyParts;
}

/** Gross and net energies of runs that have both a number and its uncertainty. */
export function uncertainRuns(runs: readonly RunResult[], which: 'gross' | 'net'): UncertainRun[] {
  return runs.flatMap(({ energyJ, netEnergyJ, uncertainty }) => {
    const value = which === 'gross' ? energyJ : netEnergyJ;
    const parts = uncertainty?.[which] ?? null;
    return value === null || parts === null ? [] : [{ energyJ: value, parts }];
  });
}

/**
 * Uncertainty of a variant's mean energy, joules. The meter's class (type B) is the same for every run and is not reduced; all
 * else is s/√n, or at least the root mean square of the runs' own uncertainties over √n. Null for no runs.
 */
export function energyUncertainty(runs: readonly UncertainRun[]): EnergyUncertainty | null {
  if (runs.length === 0) return null;
  const n = runs.length;
  const parts = runs.map((run) => run.parts);
  const gain = mean(parts.map((p) => p.gainJ));
  const offset = mean(parts.map((p) => p.offsetJ));
  const systematic = quadrature([gain, offset]);
  const stated = rootMeanSquare(parts.map(randomJ));
  const spread = standardDeviation(runs.map((run) => run.energyJ));
  const random = spread === null ? stated : Math.max(spread, stated ?? 0) / Math.sqrt(n);
  const single = rootMeanSquare(parts.map((p) => quadrature([systematicJ(p), randomJ(p)])));
  const expanded = (value: number | null): number | null => (value === null ? null : COVERAGE_FACTOR * value);
  return {
    coverage_factor: COVERAGE_FACTOR,
    of_run: expanded(single),
    of_mean: expanded(quadrature([systematic, random])),
    systematic: expanded(systematic),
    random: expanded(random),
    components: {
      gain: rootMeanSquare(parts.map((p) => p.gainJ)),
      offset: rootMeanSquare(parts.map((p) => p.offsetJ)),
      idle: rootMeanSquare(parts.map((p) => p.idleJ)),
      drift: rootMeanSquare(parts.map((p) => p.driftJ)),
      quantization: rootMeanSquare(parts.map((p) => p.quantizationJ)),
      edges: rootMeanSquare(parts.map((p) => p.edgesJ)),
    },
  };
}

function mean(values: readonly (number | null)[]): number | null {
  return values.every((value) => value !== null) ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
}

function rootMeanSquare(values: readonly (number | null)[]): number | null {
  const square = mean(values.map((value) => (value === null ? null : value * value)));
  return square === null ? null : Math.sqrt(square);
}

function standardDeviation(values: readonly number[]): number | null {
  const { variance } = moments(values);
  return variance === null ? null : Math.sqrt(variance);
}
