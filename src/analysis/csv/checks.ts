import type { Check } from '../../findings/checks.ts';
import { isGood } from '../assemble.ts';
import { speakingChecks } from '../checks/speak.ts';
import { plural } from '../numbers.ts';
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
    ...(primary[0] ? speakingChecks(primary, { channel: primary[0].channel, baseline, ordered }) : []),
  ];
}

function excluded(runs: readonly RunResult[]): Check {
  const name = 'runs';
  const bad = runs.filter((run) => run.status === 'failed' || run.status === 'invalid');
  const warmups = runs.filter((run) => run.status === 'warmup').length;
  const warmed = warmups === 0 ? '' : ` ${plural(warmups, 'warm-up run')} not compared.`;
  if (bad.length === 0) return { name, state: 'ok', detail: `No run failed or was invalid.${warmed}`, advice: null };
  const several = new Set(runs.map((run) => run.channel)).size > 1;
  const reasons = bad.map(
    (r) => `run ${r.run} of ${r.variant}${several ? ` [${r.channel}]` : ''}: ${r.reason ?? r.status}`,
  );
  const detail = `${plural(bad.length, 'run')} excluded (${listed(reasons)}).${warmed}`;
  return { name, state: 'warn', detail, advice: 'They are in no number; --json lists all of them.' };
}

/** Runs without their partners stay in the means of their variant, and not in the headline: that is to be said. */
function incompleteBlocks(primary: readonly RunResult[]): Check[] {
  const name = 'blocks';
  const good = primary.filter(isGood);
  if (good.every((run) => run.block === null)) return [];
  const variants = new Set(good.map((run) => run.variant)).size;
  const blocks = [...Map.groupBy(good, (run) => run.block)];
  const short = blocks.filter(([, runs]) => runs.length < variants).map(([block]) => String(block));
  if (short.length === 0) return [{ name, state: 'ok', detail: 'Every block has every variant.', advice: null }];
  const detail = `${plural(short.length, 'block')} of ${blocks.length} without a valid run of every variant (block ${listed(short)}).`;
  const advice =
    'The headline compares pairs of one block; a run without its partner counts only for the means of its variant.';
  return [{ name, state: 'warn', detail, advice }];
}

function unread({ unread: names }: RunTable): Check[] {
  if (names.length === 0) return [];
  return [{ name: 'columns', state: 'ok', detail: `Not read: ${listed(names)}.`, advice: null }];
}

function listed(items: readonly string[]): string {
  const more = items.length - MOST_LISTED;
  return `${items.slice(0, MOST_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
