import { type GoodRun, isGood } from '../../../../analysis/assemble.ts';
import { MIN_FOR_ORDER } from '../../../../analysis/checks/drift.ts';
import type { RunResult } from '../../../../analysis/results.ts';
import type { Check, CheckOf } from '../../../../findings/checks.ts';

/** Blocks of a file that are none, and the first of them as an example. */
export type Scattered = NonNullable<CheckOf<'blocks'>['facts']['scattered']>;

export function isBlocked(good: readonly RunResult[]): boolean {
  return good.some((run) => run.block !== null);
}

/**
 * Comparing within a block cancels drift only where its runs are neighbours: no compared run of another block lies between its first and
 * its last. Rounds that were shuffled across the whole experiment are no blocks. `runs`: of all channels; their numbers tell their order in
 * time. Null: every block is one.
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

/** Runs without their partners stay in the means of their variant, and not in the headline: that is to be said. */
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
 * The order that every whole block has; without blocks, the one in which the variants take turns. Null: the order differs, or there are too
 * few rounds to say. `good`: in the order of their execution.
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
