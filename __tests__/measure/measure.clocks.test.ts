// Class: system.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { withStore } from '../../src/store/reader.ts';
import { itMounting } from '../setup/small-disk.ts';
import { entry } from '../terminal/program.ts';

// A suspended machine's uptime has gone on when it wakes; a clock that is set goes back or forth.

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'joulediff-suspend-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Another uptime than the machine's, as a file that the workload may set forth. `keys`: of the experiment file; `meanwhile` is done beside it. */
async function measured(second: string, extra: NodeJS.ProcessEnv = {}, keys: object = {}, meanwhile = async () => {}) {
  const [uptime, ran, out] = ['uptime', 'ran', 'out'].map((name) => join(base, name)) as [string, string, string];
  writeFileSync(uptime, readFileSync('/proc/uptime'));
  const run = `echo . >> ${ran}; if [ "$(wc -l < ${ran})" -eq 2 ]; then ${second}; fi; sleep 0.1`;
  const short = { repetitions: 1, warmup: { runs: 0 }, rest: '100ms', guard: '50ms', meter: 'estimate', seed: 4 };
  const file = join(base, 'joulediff.yml');
  writeFileSync(file, JSON.stringify({ workload: { run }, variants: { a: {}, b: {} }, ...short, ...keys }));
  const mount = `mount --bind ${uptime} /proc/uptime && exec "$0" "$@"`;
  const program = [process.execPath, entry, 'measure', file, '--out', out];
  const state = { XDG_STATE_HOME: join(base, 'state'), JOULEDIFF_LOCK: randomUUID() };
  const child = spawn('unshare', ['-m', 'sh', '-c', mount, ...program], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', ...state, ...extra },
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [[code]] = await Promise.all([once(child, 'close'), meanwhile()]);
  return { code, stderr, out };
}

const runs = (out: string) => withStore(join(out, 'experiment.db'), (reader) => reader.runs());

itMounting(
  'a run in which the machine was suspended is invalid, and its block is run again',
  async () => {
    const { code, stderr, out } = await measured(`echo 99999999.00 1.00 > ${join(base, 'uptime')}`);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toMatch(/Warning: Run 2 \([ab]\) is invalid: the machine was suspended for \d+ s\.\n/);
    expect(runs(out).map(({ status, cause }) => [status, cause])).toEqual([
      ['invalid', 'block-repeated'],
      ['invalid', 'suspended'],
      ['ok', null],
      ['ok', null],
    ]);
    // A reading of a meter may hold what the machine took meanwhile, so this rest is the idleness of no other run.
    expect(runs(out).map(({ restStartNs, startNs }) => restStartNs < startNs)).toEqual([true, false, true, true]);
  },
  120_000,
);

itMounting(
  'a machine that was suspended after the last run was not idle then',
  async () => {
    const ended = join(base, 'ended');
    const hooks = { cleanup: `echo . >> ${ended}` };
    const { code, stderr, out } = await measured('true', {}, { hooks, rest: '4s' }, async () => {
      while (!existsSync(ended) || readFileSync(ended, 'utf8') !== '.\n.\n') await sleep(50);
      // In the middle of the closing rest.
      await sleep(2000);
      writeFileSync(join(base, 'uptime'), '99999999.00 1.00');
    });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(runs(out).map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect(withStore(join(out, 'experiment.db'), (reader) => reader.closingIdle())).toEqual([]);
  },
  120_000,
);

/** Every look at the wall clock finds it days earlier or later than any before. */
const SET_CLOCK = `const real = Date; let looks = 0;
globalThis.Date = class extends real {
  constructor(...given) { super(...(given.length > 0 ? given : [Date.now()])); }
  static now() { return real.now() + (looks++ % 2 === 0 ? looks : -looks) * 86400e3; }
};`;

itMounting(
  'a wall clock that is set back and forth changes nothing',
  async () => {
    const preload = `--import data:text/javascript,${encodeURIComponent(SET_CLOCK)}`;
    const { code, stderr, out } = await measured('true', { NODE_OPTIONS: preload });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).not.toMatch(/Warning/);
    const recorded = runs(out);
    expect(recorded.map(({ status }) => status)).toEqual(['ok', 'ok']);
    for (const { startNs, endNs } of recorded) expect(Number(endNs - startNs) / 1e9).toBeGreaterThan(0.1);
    const { startedAt, endedAt } = withStore(join(out, 'experiment.db'), (reader) => reader.sessions())[0] ?? {};
    // It was set, as the records show.
    expect(Math.abs(Date.parse(endedAt ?? '') - Date.parse(startedAt ?? ''))).toBeGreaterThan(3600e3);
  },
  120_000,
);
