import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Findings } from '../../../src/findings/findings.ts';
import { start } from '../program.ts';

/** Two runs of each, without a warm-up and with short pauses. */
export const QUICK = [
  '--meter',
  'estimate',
  '--warmup',
  '0',
  '--runs',
  '2',
  '--set',
  'rest=100ms',
  '--set',
  'guard=50ms',
];

/** Pauses and windows for a test, where repetitions follow from what is seen. */
export const BRIEF = ['--meter', 'estimate', '--warmup', '1'].concat(
  ['rest=100ms', 'guard=50ms', 'batch.window=100ms'].flatMap((setting) => ['--set', setting]),
);

/** `joulediff compare` in this folder, until it ends; with the findings that lie there then. */
export async function compare(cwd: string, ...words: string[]) {
  const ended = await start(['compare', ...words], { JOULEDIFF_LOCK: `joulediff.test.${process.pid}` }, cwd).ended;
  const path = join(cwd, 'joulediff-out', 'findings.json');
  const findings: Findings | null = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
  return { ...ended, findings };
}
