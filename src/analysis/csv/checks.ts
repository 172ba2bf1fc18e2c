import type { Check } from '../../findings/checks.ts';
import { isGood } from '../assemble.ts';
import { runChecks } from '../checks/run-checks.ts';
import type { RunResult } from '../results.ts';
import { runOrder } from './order.ts';
import type { RunTable } from './runs.ts';

const MOST_LISTED = 5;

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

function unread({ unread: names }: RunTable): Check[] {
  return names.length === 0 ? [] : [{ name: 'columns', state: 'ok', reason: 'unread', facts: { names } }];
}
