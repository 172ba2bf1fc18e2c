import { isGood } from '../../../../analysis/assemble.ts';
import { emulatedCheck } from '../../../../analysis/checks/emulated.ts';
import { runChecks } from '../../../../analysis/checks/run-checks.ts';
import type { RunResult } from '../../../../analysis/results.ts';
import type { Check } from '../../../../findings/checks.ts';
import { blocksCheck, fixedOrder, isBlocked, type Scattered } from './blocks.ts';
import type { RunTable } from './runs.ts';

const MAX_LISTED = 5;

interface FileRuns {
  /** Runs of the first channel, which the verdict rests on. */
  readonly primary: readonly RunResult[];
  /** Blocks of the file that are not used. */
  readonly scattered: Scattered | null;
  readonly baseline: string;
  /** Second arm of the baseline, which counts only as what ran before others. */
  readonly hidden: string | undefined;
}

/**
 * Checks of an imported file: what is not compared and why, and which data are missing.
 */
export function fileChecks(table: RunTable, { primary, scattered, baseline, hidden }: FileRuns): Check[] {
  const { runs, ordered } = table;
  const looked = primary.filter(({ variant }) => variant !== hidden);
  return [
    ...emulatedCheck(table.emulated),
    excluded(runs),
    ...blocksCheck(looked, scattered),
    runOrder(looked, ordered),
    ...notation(table),
    ...unread(table),
    ...(primary[0] ? runChecks(primary, { channel: primary[0].channel, baseline, ordered, hidden }) : []),
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
    listed: bad.slice(0, MAX_LISTED),
  };
  return bad.length === 0
    ? { name: 'runs', state: 'ok', reason: 'none-excluded', facts }
    : { name: 'runs', state: 'warn', reason: 'excluded', facts };
}

/**
 * Order of the runs, if the file has a `run` column: one variant after the other, one always first, or mixed; and whether
 * the times agree. Whether a mixed order was random can't be determined.
 */
function runOrder(runs: readonly RunResult[], ordered: boolean): Check {
  const name = 'run order';
  const good = runs.filter(isGood);
  const facts = { order: null, runs: null, blocked: isBlocked(good) };
  const contradiction = againstTheirTimes(good);
  if (contradiction !== null) {
    const { reason, runs: two } = contradiction;
    return { name, state: 'warn', reason, facts: { ...facts, runs: two } };
  }
  if (!ordered) return { name, state: 'warn', reason: 'unknown', facts };
  const variants = new Set(good.map((run) => run.variant)).size;
  const changes = good.filter((run, i) => i > 0 && run.variant !== good[i - 1]?.variant).length;
  if (variants > 1 && good.length > 2 * variants && changes === variants - 1) {
    return { name, state: 'warn', reason: 'one-after-another', facts };
  }
  const order = fixedOrder(good, variants);
  if (order !== null) return { name, state: 'warn', reason: 'fixed', facts: { ...facts, order } };
  return { name, state: 'ok', reason: 'mixed', facts };
}

/** The first two runs whose times contradict their numbers, or overlap. Null: none, or the file has no times. */
function againstTheirTimes(runs: readonly RunResult[]) {
  const timed = runs.toSorted((a, b) => a.run - b.run).filter(({ startNs }) => startNs !== null);
  for (const [i, { run, startNs }] of timed.entries()) {
    const before = timed[i - 1];
    if (before?.startNs == null || startNs === null) continue;
    const two: [number, number] = [before.run, run];
    if (startNs < before.startNs) return { reason: 'contradicted', runs: two } as const;
    if (before.endNs !== null && startNs < before.endNs) return { reason: 'overlapping', runs: two } as const;
  }
  return null;
}

/** Check that reports converted notation. */
function notation({ energy, decimalComma }: RunTable): Check[] {
  if (energy === null && !decimalComma) return [];
  return [{ name: 'notation', state: 'ok', reason: 'converted', facts: { energy, decimal_comma: decimalComma } }];
}

function unread({ unread: names }: RunTable): Check[] {
  return names.length === 0 ? [] : [{ name: 'columns', state: 'warn', reason: 'unread', facts: { names } }];
}
