import type { Check } from '../../findings/checks.ts';
import { type GoodRun, isGood } from '../assemble.ts';
import type { RunResult } from '../results.ts';

/** With so many blocks, a fair coin gives all of them the same order in 3 % of experiments. */
const LEAST_BLOCKS = 6;

/**
 * In which order the runs were made, as far as the file tells (its `run` column): one variant after the other, always the same one
 * first, or mixed. Whether a mixed order was drawn by chance can't be seen, and is not said.
 */
export function runOrder(runs: readonly RunResult[], ordered: boolean): Check {
  const name = 'run order';
  const good = runs.filter(isGood);
  const facts = { order: null };
  if (!ordered) return { name, state: 'warn', reason: 'unknown', facts };
  const variants = new Set(good.map((run) => run.variant)).size;
  const changes = good.filter((run, i) => i > 0 && run.variant !== good[i - 1]?.variant).length;
  if (variants > 1 && good.length > 2 * variants && changes === variants - 1) {
    return { name, state: 'warn', reason: 'one-after-another', facts };
  }
  const order = fixedOrder(good, variants);
  if (order !== null) return { name, state: 'warn', reason: 'fixed', facts: { order } };
  return { name, state: 'ok', reason: 'mixed', facts };
}

function fixedOrder(good: readonly GoodRun[], variants: number): string[] | null {
  const blocks = [...Map.groupBy(good, (run) => run.block)].filter(([block]) => block !== null);
  const orders = blocks.map(([, runs]) => runs.map((run) => run.variant)).filter((order) => order.length === variants);
  const first = orders[0];
  if (variants < 2 || first === undefined || orders.length < LEAST_BLOCKS) return null;
  return orders.every((order) => order.every((variant, i) => variant === first[i])) ? first : null;
}
