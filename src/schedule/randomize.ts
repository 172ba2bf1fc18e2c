import { randomInt } from 'node:crypto';
import { createPrng } from '../stats/prng.ts';
import type { Plan, PlannedRun } from './plan.ts';

/** A seed for an experiment that names none: unsigned 32 bits, to be recorded. */
export function drawSeed(): number {
  return randomInt(2 ** 32);
}

/** Input of `makePlan`; `repetitions` and `warmup.runs` are numbers of blocks. */
export interface PlannedExperiment {
  readonly variants: readonly { readonly name: string }[];
  readonly repetitions: number;
  readonly warmup: { readonly runs: number };
}

/**
 * Randomized complete blocks: warm-up blocks (…, −1, 0), then blocks 1 … repetitions, each with every variant once.
 * The order inside a block is a Fisher-Yates shuffle; one generator goes through all blocks, warm-ups first, so the same
 * experiment and seed give the same plan on any machine. Throws RangeError when the seed is not an unsigned 32-bit integer.
 * Source: reference "Statistics", order: per block, xoshiro128**.
 */
export function makePlan(experiment: PlannedExperiment, seed: number): Plan {
  const prng = createPrng(seed);
  const names = experiment.variants.map((variant) => variant.name);
  const runs: PlannedRun[] = [];
  for (let block = 1 - experiment.warmup.runs; block <= experiment.repetitions; block++) {
    for (const [i, variant] of prng.shuffle(names).entries()) {
      runs.push({ run: runs.length + 1, block, position: i + 1, variant, warmup: block < 1 });
    }
  }
  return { seed, order: 'randomized-blocks', runs };
}

/**
 * The order of a block that is repeated: drawn from seed, block and attempt alone, so that a resumed experiment gives the
 * same whatever was repeated before. Each of the three passes the generator, so that neighbors have unrelated orders.
 */
export function repeatOrder(seed: number, block: number, attempt: number, variants: readonly string[]): string[] {
  let state = createPrng(seed).u32();
  for (const part of [block, attempt]) state = createPrng((state ^ part) >>> 0).u32();
  return createPrng(state).shuffle(variants);
}
