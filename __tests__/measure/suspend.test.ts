import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { withStore } from '../../src/store/reader.ts';
import { itMounting } from '../setup/small-disk.ts';

// The program sees another uptime than the machine's: a file that its workload sets forth, as a suspended machine's is when it wakes.

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'joulediff-suspend-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

async function measured(second: string): Promise<{ code: number | null; stderr: string; out: string }> {
  const [uptime, ran, out] = ['uptime', 'ran', 'out'].map((name) => join(base, name)) as [string, string, string];
  writeFileSync(uptime, readFileSync('/proc/uptime'));
  const run = `echo . >> ${ran}; if [ "$(wc -l < ${ran})" -eq 2 ]; then ${second}; fi; sleep 0.1`;
  const short = { repetitions: 1, warmup: { runs: 0 }, rest: '100ms', guard: '50ms', meter: 'estimate', seed: 4 };
  const file = join(base, 'joulediff.yml');
  writeFileSync(file, JSON.stringify({ workload: { run }, variants: { a: {}, b: {} }, ...short }));
  const entry = fileURLToPath(new URL('../terminal/entry.ts', import.meta.url));
  const program = `mount --bind ${uptime} /proc/uptime && exec "$0" "$@"`;
  const words = ['-m', 'sh', '-c', program, process.execPath, entry, 'measure', file, '--out', out];
  const env = { ...process.env, NODE_OPTIONS: '', XDG_STATE_HOME: join(base, 'state'), JOULEDIFF_LOCK: randomUUID() };
  const child = spawn('unshare', words, { stdio: ['ignore', 'ignore', 'pipe'], env });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
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
  },
  60_000,
);
