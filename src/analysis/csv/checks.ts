import type { Check } from '../../findings/checks.ts';
import { type GoodRun, isGood } from '../assemble.ts';
import { runChecks } from '../checks/run-checks.ts';
import type { RunResult } from '../results.ts';
import type { RunTable } from './runs.ts';

const MOST_LISTED = 5;
/** With so many blocks, a fair coin gives all of them the same order in 3 % of experiments. */
const LEAST_BLOCKS = 6;

/** What a reader must know about a file of runs: what is not compared, and why; what the file doesn't tell. `primary`: its first channel. */
export function fileChecks(table: RunTable, primary: readonly RunResult[], baseline: string): Check[] {
  const { runs, ordered } = table;
  return [
    excluded(runs),
    ...incompleteBlocks(primary),
    runOrder(primary, ordered),
    ...unread(table),
    ...(primary[0] ? runChecks(primary, { channel: primary[0].channel, baseline, ordered }) : []),
  ];
}

function excluded(runs: readonly RunResult[]): Check {
  const several = new Set(runs.map((run) => run.channel)).size > 1;
  const bad = runs.flatMap(({ run, variant, channel, status, reason }) =>
    status === 'failed' || status === 'invalid'
      ? [{ run, variant, channel: several ? channel : null, status, reason }]
      : [],
  );
  const facts = {
    excluded: bad.length,
    elsewhere: [],
    warmups: runs.filter((run) => run.status === 'warmup').length,
    listed: bad.slice(0, MOST_LISTED),
  };
  return bad.length === 0
    ? { name: 'runs', state: 'ok', reason: 'none-excluded', facts }
    : { name: 'runs', state: 'warn', reason: 'excluded', facts };
}

/** Runs without their partners stay in the means of their variant, and not in the headline: that is to be said. */
function incompleteBlocks(primary: readonly RunResult[]): Check[] {
  const good = primary.filter(isGood);
  if (good.every((run) => run.block === null)) return [];
  const variants = new Set(good.map((run) => run.variant)).size;
  const blocks = [...Map.groupBy(good, (run) => run.block)];
  const incomplete = blocks.filter(([, runs]) => runs.length < variants).flatMap(([block]) => block ?? []);
  const facts = { incomplete, of: blocks.length };
  return incomplete.length === 0
    ? [{ name: 'blocks', state: 'ok', reason: 'whole', facts }]
    : [{ name: 'blocks', state: 'warn', reason: 'incomplete', facts }];
}

/**
 * In which order the runs were made, as far as the file tells (its `run` column): one variant after the other, always the same one
 * first, or mixed. Whether a mixed order was drawn by chance can't be seen, and is not said.
 */
function runOrder(runs: readonly RunResult[], ordered: boolean): Check {
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

function unread({ unread: names }: RunTable): Check[] {
  return names.length === 0 ? [] : [{ name: 'columns', state: 'ok', reason: 'unread', facts: { names } }];
}
