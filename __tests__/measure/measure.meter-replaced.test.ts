// Class: system.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { withStore } from '../../src/store/reader.ts';
import { PowercapTree } from '../meters/rapl/powercap-tree.ts';
import { start } from '../terminal/program.ts';

let base: string;
let trees: PowercapTree[];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'joulediff-replaced-'));
  trees = ['package-0', 'package-1'].map((name) => new PowercapTree().zone('intel-rapl:0', name).packages(0));
});
afterEach(() => {
  for (const tree of trees) tree.remove();
  rmSync(base, { recursive: true, force: true });
});

it('a meter in whose place is another one is refused, in the middle and on resuming, and gone on with when it is back', async () => {
  const [one, other] = trees.map(({ root }) => root) as [string, string];
  const [file, out, ran] = ['joulediff.yml', 'out', 'ran'].map((name) => join(base, name)) as [string, string, string];
  const run = `echo . >> ${ran}; sleep 0.1; if [ "$(wc -l < ${ran})" -eq 2 ]; then mv ${one} ${base}/away; sleep 5; fi`;
  const short = { repetitions: 2, warmup: { runs: 0 }, rest: '100ms', guard: '50ms', seed: 4 };
  const meter = `rapl?root=${one}&period=0.05`;
  writeFileSync(file, JSON.stringify({ workload: { run }, variants: { a: {}, b: {} }, ...short, meter }));
  const lock = randomUUID();
  const measure = (...words: string[]) => {
    const env = { XDG_STATE_HOME: join(base, 'state'), JOULEDIFF_LOCK: lock };
    return start(['measure', file, '--out', out, ...words], env);
  };

  const first = measure();
  await first.until(({ stderr }) => stderr().includes('Waiting up to a minute'));
  renameSync(other, one);
  const ended = await first.ended;
  const texts = ['package-1', 'package-0'].map((zone) => `rapl (emulated; complete true, packages 1, zones ${zone})`);
  expect(ended.stderr).toContain(
    `The meter was lost, and another one is in its place: ${texts[0]} instead of ${texts[1]}.`,
  );
  expect(ended.code).toBe(3);
  const resumed = await measure('--resume').ended;
  expect(resumed.stderr).toContain(
    `The experiment was started with rapl of ${texts[1]}; now there is rapl of ${texts[0]}.`,
  );
  expect(resumed.code).toBe(3);

  renameSync(one, other);
  renameSync(join(base, 'away'), one);
  expect(await measure('--resume').ended).toMatchObject({ code: 0 });
  const [runs, { asWritten = '' }] = withStore(join(out, 'experiment.db'), (reader) => [
    reader.runs(),
    reader.definition(),
  ]);
  // Without its options it would be another one.
  expect(parse(asWritten).meter).toBe(meter);
  expect(runs.map(({ status }) => status)).toEqual(['invalid', 'invalid', 'ok', 'ok', 'ok', 'ok']);
});
