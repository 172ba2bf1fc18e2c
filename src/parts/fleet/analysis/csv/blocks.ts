import { type GoodRun, isGood } from '../../../../analysis/assemble.ts';
import { MIN_FOR_ORDER } from '../../../../analysis/checks/drift.ts';
import type { RunResult } from '../../../../analysis/results.ts';
import type { Check, CheckOf } from '../../../../findings/checks.ts';

/** Blocks of a file whose runs are not adjacent, with the first as an example. */
export type Scattered = NonNullable<CheckOf<'blocks'>['facts']['scattered']>;

export function isBlocked(good: readonly RunResult[]): boolean {
  return good.some((run) => run.block !== null);
}

/**
 * Blocks that don't cancel drift: their runs are not adjacent, so a compared run of another block is between the first and
 * the last. Runs that were shuffled across the whole experiment are not blocked. `runs`: of all channels, numbered in time
 * order. Null: all blocks are valid.
 */
export function scatteredBlocks(runs: readonly RunResult[]): Scattered | null {
  const good = [...new Map(runs.filter(isGood).map((run) => [run.run, run])).values()].sort((a, b) => a.run - b.run);
  const places = Map.groupBy(good.keys(), (place) => good[place]?.block ?? null);
  places.delete(null);
  const scattered = [...places].filter(([, [...own]]) => (own.at(-1) ?? 0) - (own[0] ?? 0) >= own.length);
  const [first] = scattered;
  if (first === undefined) return null;
  const [block, own] = first;
  const runAt = (place: number | undefined): number => good[place ?? 0]?.run ?? 0;
  return {
    blocks: scattered.length,
    of: places.size,
    example: { block: block ?? 0, first_run: runAt(own[0]), last_run: runAt(own.at(-1)) },
  };
}

/** Check that reports runs without partners: they count in their variant's mean, but not in the headline. */
export function blocksCheck(primary: readonly RunResult[], scattered: Scattered | null): Check[] {
  const name = 'blocks';
  if (scattered !== null) {
    return [{ name, state: 'warn', reason: 'scattered', facts: { incomplete: [], of: scattered.of, scattered } }];
  }
  const good = primary.filter(isGood);
  if (!isBlocked(good)) return [];
  const variants = new Set(good.map((run) => run.variant)).size;
  const blocks = [...Map.groupBy(good, (run) => run.block)];
  const incomplete = blocks.filter(([, runs]) => runs.length < variants).flatMap(([block]) => block ?? []);
  const facts = { incomplete, of: blocks.length, scattered: null };
  return incomplete.length === 0
    ? [{ name, state: 'ok', reason: 'whole', facts }]
    : [{ name, state: 'warn', reason: 'incomplete', facts }];
}

/**
 * The fixed order of all complete blocks or, without blocks, of the variants' turns. Null: the order varies, or there are too
 * few rounds. `good`: in chronological order.
 */
export function fixedOrder(good: readonly GoodRun[], variants: number): string[] | null {
  const blocked = isBlocked(good);
  const numbered = good.map((run, i) => ({ ...run, round: blocked ? run.block : Math.floor(i / variants) }));
  const rounds = [...Map.groupBy(numbered, (run) => run.round)].filter(([round]) => round !== null);
  const orders = rounds.map(([, runs]) => runs.map((run) => run.variant)).filter((order) => order.length === variants);
  const first = orders[0];
  if (variants < 2 || first === undefined || orders.length < MIN_FOR_ORDER) return null;
  if (new Set(first).size < variants) return null;
  return orders.every((order) => order.every((variant, i) => variant === first[i])) ? first : null;
}
