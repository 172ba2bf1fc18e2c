import type { Random } from './random.ts';

/**
 * What a machine does to the logarithm of a run's energy, run by run: warm-up, thermal drift, a trend, autocorrelated and white noise, single
 * outliers, bursts of a job in the background, a timer in step with the runs. The numbers are chosen, not fitted to a meter.
 */
export interface Machine {
  /** A cold machine uses less: −warmUp · e^(−t/tau), after `discarded` runs that are not looked at. */
  readonly warmUp: number;
  readonly tau: number;
  readonly discarded: number;
  /** Standard deviation of each step of a random walk. */
  readonly walk: number;
  /** Rise or fall over the whole experiment, of random sign. */
  readonly trend: number;
  /** AR(1): standard deviation, and correlation of neighbors. */
  readonly ar: number;
  readonly phi: number;
  readonly white: number;
  /** Share of runs that take 3 to 15 % more. */
  readonly outliers: number;
  /** Chance of a burst (+3 %, five runs on average) to start at a run. */
  readonly bursts: number;
  /** Added to every fourth run. */
  readonly timer: number;
}

const QUIET: Machine = {
  warmUp: 0,
  tau: 1,
  discarded: 0,
  walk: 0,
  trend: 0,
  ar: 0,
  phi: 0,
  white: 0.01,
  outliers: 0,
  bursts: 0,
  timer: 0,
};
const REALISTIC: Machine = {
  ...QUIET,
  warmUp: 0.02,
  tau: 6,
  discarded: 3,
  walk: 0.001,
  ar: 0.005,
  phi: 0.6,
  white: 0.008,
  outliers: 0.03,
};

export const MACHINES = {
  iid: QUIET,
  realistic: REALISTIC,
  harsh: { ...REALISTIC, warmUp: 0.04, tau: 15, discarded: 0, walk: 0.003 },
  linear: { ...REALISTIC, warmUp: 0, tau: 1, walk: 0, trend: 0.03 },
  noisy: { ...REALISTIC, walk: 0.003, ar: 0.015, phi: 0.7, white: 0.015, outliers: 0.05, bursts: 0.02 },
  periodic: { ...REALISTIC, timer: 0.01 },
  bursts: { ...REALISTIC, bursts: 0.02 },
} satisfies Record<string, Machine>;

export type MachineName = keyof typeof MACHINES;
export const MACHINE_NAMES = Object.keys(MACHINES) as MachineName[];

/** Its disturbance of ln E for so many runs in a row. */
export function disturbances(random: Random, machine: Machine, runs: number): number[] {
  const all = runs + machine.discarded;
  const sign = random.uniform() < 0.5 ? -1 : 1;
  let walk = 0;
  let ar = machine.ar * random.normal();
  let burst = false;
  return Array.from({ length: all }, (_, t) => {
    walk += machine.walk * random.normal();
    if (t > 0) ar = machine.phi * ar + machine.ar * Math.sqrt(1 - machine.phi ** 2) * random.normal();
    const outlier = random.uniform() < machine.outliers ? Math.log1p(0.03 + 0.12 * random.uniform()) : 0;
    burst = random.uniform() < (burst ? 0.8 : machine.bursts);
    return (
      -machine.warmUp * Math.exp(-t / machine.tau) +
      walk +
      (sign * machine.trend * t) / all +
      ar +
      machine.white * random.normal() +
      outlier +
      (burst ? Math.log1p(0.03) : 0) +
      ((t - machine.discarded) % 4 === 0 && t >= machine.discarded ? machine.timer : 0)
    );
  }).slice(machine.discarded);
}
