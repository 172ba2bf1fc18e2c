// Class: system.
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { start } from '../terminal/program.ts';

let base: string;
let state: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'joulediff-places-'));
  mkdirSync(join(base, 'work'));
  state = mkdtempSync(join(tmpdir(), 'joulediff-places-state-'));
});
afterEach(() => {
  for (const folder of [base, state]) rmSync(folder, { recursive: true, force: true });
});

/** A workload of the same user: it finds the private folder of what is measured, and lays something into it. */
function measured(attack: string, more: readonly string[] = []) {
  const script = `for logs in "$XDG_STATE_HOME"/joulediff/joulediff-measuring-*/logs; do ${attack}; done; echo printed; sleep 0.05`;
  const file = join(base, 'work', 'joulediff.yml');
  const times = { repetitions: 2, warmup: { runs: 0 }, rest: '0s', guard: '0s', meter: 'estimate' };
  const variants = { pipes: { run: script }, sleep: { run: 'sleep 0.05' } };
  writeFileSync(file, JSON.stringify({ variants, ...times, 'pass-env': ['XDG_STATE_HOME'] }));
  const env = { XDG_STATE_HOME: state, JOULEDIFF_LOCK: randomUUID() };
  return start(['measure', file, '--out', join(base, 'work/out'), ...more], env, join(base, 'work')).ended;
}

it('pipes in the place of the logs of its own and of the next runs are waited for by nobody', async () => {
  // By the names that they will have.
  const attack = 'for n in 1 2 3 4; do mkfifo "$logs/000$n-pipes.log" "$logs/000$n-sleep.log" 2>/dev/null; done';
  const ended = await measured(attack);
  expect(`${ended.code} ${ended.stderr}`).toMatch(/^0 /);
  const logs = readdirSync(join(base, 'work/out/logs'));
  for (const name of logs) expect(statSync(join(base, 'work/out/logs', name)).isFile()).toBe(true);
  expect(logs.filter((name) => name.endsWith('-sleep.log'))).toHaveLength(2);
});

it('a pipe in the place of a log that is written on a disk is not taken into the result, and no later start waits for it', async () => {
  const attack = 'for log in "$logs"/*.log; do rm "$log"; mkfifo "$log"; done';
  const { code, stderr } = await measured(attack, ['--set', 'output=file']);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const logs = readdirSync(join(base, 'work/out/logs'));
  for (const name of logs) expect(statSync(join(base, 'work/out/logs', name)).isFile()).toBe(true);
  expect(readdirSync(join(state, 'joulediff')).filter((name) => name.startsWith('joulediff-measuring-'))).toEqual([]);
});
