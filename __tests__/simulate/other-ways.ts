import { walshEstimate } from '../../src/stats/hodges-lehmann.ts';
import { mannWhitney } from '../../src/stats/mann-whitney.ts';
import { signFlip } from '../../src/stats/sign-flip.ts';
import { signedRank } from '../../src/stats/signed-rank.ts';
import { pairedEstimate, tTest, welchEstimate } from '../../src/stats/welch.ts';
import { ratios, simulatedRuns } from './experiment.ts';
import { type Share, share } from './gates.ts';
import { disturbances, MACHINES } from './machine.ts';
import { createRandom, type Random } from './random.ts';

const RUNS = 30;
const PEEKS = [10, 20, 30, 40];

/** What the protocol is there to prevent: identical variants, called different by other orders and by other habits. No gates. */
export function otherWays(experiments: number, seed: number): Share[] {
  const random = createRandom(seed);
  const counted = (what: string, of: string, once: () => boolean): Share => {
    const count = Array.from({ length: experiments }, once).filter(Boolean).length;
    return share(`${what} (${of})`, 'called different', count, experiments);
  };
  return [
    counted('one variant after the other, Welch’s t', 'linear', () => isSmall(welchP(inTurn(random, 'sequence')))),
    counted('one variant after the other, Mann–Whitney', 'linear', () => isSmall(rankSumP(inTurn(random, 'sequence')))),
    counted('always the same one first, signed-rank', 'periodic', () =>
      isSmall(signedRank(paired(inTurn(random, 'alternate')))?.p),
    ),
    counted('stop as soon as p < 0.05 at 10, 20, 30, 40 blocks', 'realistic', () => {
      const d = ratios(simulatedRuns(random, MACHINES.realistic, PEEKS.at(-1) as number, [0]));
      return PEEKS.some((n) => isSmall(signedRank(d.slice(0, n))?.p));
    }),
    counted('the best of five tests', 'realistic', () => bestOfFive(random)),
  ];
}

/** Mean estimate, percent, of a change of 2 % where a run after the container uses 0.4 % more. */
export function carriedOver(experiments: number, seed: number): number {
  const random = createRandom(seed);
  const estimates = Array.from({ length: experiments }, () => {
    const runs = simulatedRuns(random, MACHINES.realistic, RUNS, [0.02]);
    const heated = runs.map((run, t) => {
      const after = runs[t - 1]?.variant === 'container';
      return { ...run, energyJ: (run.energyJ as number) * (after ? 1.004 : 1) };
    });
    return 100 * Math.expm1(walshEstimate(ratios(heated))?.estimate as number);
  });
  return estimates.reduce((sum, estimate) => sum + estimate, 0) / experiments;
}

type Arms = readonly [x: readonly number[], y: readonly number[]];

function inTurn(random: Random, order: 'sequence' | 'alternate'): Arms {
  const energies = disturbances(random, order === 'sequence' ? MACHINES.linear : MACHINES.periodic, 2 * RUNS).map(
    Math.exp,
  );
  const isSecond = (t: number): boolean => (order === 'sequence' ? t >= RUNS : t % 2 === 1);
  return [energies.filter((_, t) => !isSecond(t)), energies.filter((_, t) => isSecond(t))];
}

function bestOfFive(random: Random): boolean {
  const runs = simulatedRuns(random, MACHINES.realistic, RUNS, [0]);
  const arm = (native: boolean): number[] =>
    runs.filter((run) => (run.variant === 'native') === native).map((run) => run.energyJ as number);
  const arms: Arms = [arm(true), arm(false)];
  const d = ratios(runs);
  const estimate = pairedEstimate(d);
  const paired = estimate && tTest(estimate).p;
  return [signedRank(d)?.p, paired, signFlip(d, random.seed()), welchP(arms), rankSumP(arms)].some(isSmall);
}

const paired = ([x, y]: Arms): number[] => x.map((energy, i) => Math.log((y[i] as number) / energy));
const rankSumP = ([x, y]: Arms): number | undefined => mannWhitney(x, y)?.p;

function welchP([x, y]: Arms): number | null {
  const estimate = welchEstimate(x, y);
  return estimate && tTest(estimate).p;
}

function isSmall(p: number | null | undefined): boolean {
  return p !== null && p !== undefined && p < 0.05;
}
