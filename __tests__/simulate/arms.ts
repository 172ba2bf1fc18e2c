import { percentChange } from '../../src/analysis/comparison/percent.ts';
import { takeSample } from '../../src/analysis/comparison/sample.ts';
import { isInside } from '../../src/analysis/verdict.ts';
import type { Interval } from '../../src/findings/numbers.ts';
import { type Share, share } from './gates.ts';
import { createRandom, type Random } from './random.ts';

/** Two arms without blocks, on a machine that changes nothing over time: what data from elsewhere are at best. */

const CHANGES = [-75, -50, -20, 0, 20, 100];
const SIZES = [8, 20, 40];
const HOLDS = { around: 0.95, least: 0.935, most: 0.965 };

/** Of a run that uses `joules`: in proportion to it, or always the same in joules. */
const NOISES = {
  '2 % of each': (random: Random, joules: number) => joules * Math.exp(0.02 * random.normal()),
  '20 % of each': (random: Random, joules: number) => joules * Math.exp(0.2 * random.normal()),
  '5 J': (random: Random, joules: number) => joules + 5 * random.normal(),
} as const;

/** How often the 95 % interval holds a change, small or large, in either direction. */
export function armsHold(experiments: number, seed: number): Share[] {
  const random = createRandom(seed);
  return Object.entries(NOISES).flatMap(([noise, run]) =>
    SIZES.flatMap((n) =>
      CHANGES.map((change) => {
        const held = counted(experiments, () => {
          const arm = (joules: number): number[] => Array.from({ length: n }, () => run(random, joules));
          return holds(ci(arm(250), arm(250 * (1 + change / 100))).ci95, change);
        });
        return share(`${n} and ${n} runs, noise ${noise}`, `${change} %`, held, experiments, HOLDS);
      }),
    ),
  );
}

/** Steps of the meter, in standard deviations of a run. */
const STEPS = [0.5, 1, 2, 4, 8, 19];
const SCATTER_PERCENT = 0.2;

/**
 * The same where the meter tells energies in steps, the truth lying anywhere between them; `experiments` may be few. In blocks or without:
 * the blocks are those of a quiet machine, and add nothing.
 */
export function coarseArmsHold(experiments: number, seed: number, blocked: boolean): Share[] {
  const random = createRandom(seed);
  return STEPS.flatMap((step) =>
    [10, 30].flatMap((n) => {
      const stepJ = (step * 250 * SCATTER_PERCENT) / 100;
      const read = (percent: number): Interval[] => {
        const middle = 250 + stepJ * random.uniform();
        const arm = (joules: number): number[] =>
          Array.from({ length: n }, () => {
            const energyJ = joules * (1 + (SCATTER_PERCENT / 100) * random.normal());
            return stepJ * Math.round(energyJ / stepJ);
          });
        const { ci95, ci90 } = ci(arm(middle), arm(middle * (1 + percent / 100)), blocked);
        return ci95 === null || ci90 === null ? [] : [ci95, ci90];
      };
      const held = counted(experiments, () => {
        const change = SCATTER_PERCENT * (2 * random.uniform() - 1);
        const [ci95] = read(change);
        // Where nothing varies there is no interval, and no verdict.
        return ci95 === undefined || holds(ci95, change);
      });
      const same = counted(experiments, () => {
        const [, ci90] = read(SCATTER_PERCENT);
        return ci90 !== undefined && isInside(ci90, SCATTER_PERCENT);
      });
      const of = `step ${step} × scatter`;
      const runs = blocked ? `${n} coarse blocks` : `${n} and ${n} coarse runs`;
      return [
        share(`${runs}: the 95 % interval holds the change`, of, held, experiments, {
          around: 0.95,
          least: 0.935,
        }),
        share(`${runs} that differ by the margin: called inside it`, of, same, experiments, {
          around: 0.05,
          most: 0.065,
        }),
      ];
    }),
  );
}

function ci(x: readonly number[], y: readonly number[], blocked = false) {
  const runs = (energies: readonly number[]) =>
    energies.map((energyJ, i) => ({ run: i + 1, block: blocked ? i + 1 : null, energyJ, durationS: null }));
  return percentChange(takeSample(runs(x), runs(y)));
}

function counted(experiments: number, once: () => boolean): number {
  let count = 0;
  for (let i = 0; i < experiments; i++) if (once()) count++;
  return count;
}

function holds(ci95: Interval | null, change: number): boolean {
  return ci95 !== null && ci95[0] <= change && change <= ci95[1];
}
