import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { cutLog, MOST_OUTPUT_BYTES, OutputLimit } from '../../src/executors/output-limit.ts';
import { Bench, container, native, testImage } from './bench.ts';

const IMAGE = 'joulediff-test:busybox';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-output-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('keeps the beginning and the end of an output that was cut again and again, and what was there before', () => {
  const path = join(folder, 'log');
  writeFileSync(path, 'of prepare\n');
  const limit = new OutputLimit(path, statSync(path).size, 4000);
  let largest = 0;
  for (let i = 0; i < 1000; i++) {
    appendFileSync(path, `line ${i} of the workload\n`);
    limit.look(statSync(path).size);
    largest = Math.max(largest, statSync(path).size);
  }
  limit.finish();
  expect(largest).toBeLessThan(4100);
  const text = readFileSync(path, 'utf8');
  expect(text.startsWith('of prepare\nline 0 of the workload\nline 1 of')).toBe(true);
  expect(text).toMatch(/line 997 of the workload\nline 998 of the workload\nline 999 of the workload\n$/);
  const left = Number(/left ([\d,]+) bytes/.exec(text)?.[1]?.replaceAll(',', ''));
  const printed = Array.from({ length: 1000 }, (_, i) => `line ${i} of the workload\n`.length).reduce((a, b) => a + b);
  const note = /\n\[joulediff .*\]\n/.exec(text)?.[0] ?? '';
  expect(left + text.length - note.length - 'of prepare\n'.length).toBe(printed);

  // When the run is over it is cut to what is kept of a log: what was cut before is missing still.
  expect(cutLog(path, 1000)).toBeLessThanOrEqual(1000);
  const shorter = readFileSync(path, 'utf8');
  const all = Number(/left ([\d,]+) bytes/.exec(shorter)?.[1]?.replaceAll(',', ''));
  expect(all + shorter.replace(/\n\[joulediff .*\]\n/, '').length).toBe(printed + 'of prepare\n'.length);
});

it('a native run that prints without end has a log of a limited size, with both ends, and its phases', async () => {
  const bench = new Bench();
  try {
    const flood = `head -c ${2 * MOST_OUTPUT_BYTES} /dev/zero | tr '\\0' x`;
    const executor = await bench.ready(
      native({ run: `echo first; echo ::joulediff phase a; ${flood}; sleep 0.2; echo; echo last` }),
    );
    const run = await executor.prepare({ ...bench.context(), phaseLines: [{ phase: 'b', pattern: 'last' }] });
    expect((await run.execute({ onEdge() {} })).exitCode).toBe(0);
    const { marks, phaseProblem } = (await run.telemetry?.()) ?? {};
    expect(marks?.map(({ phase }) => phase)).toEqual(['a', 'b']);
    expect(phaseProblem).toBeNull();
    await run.dispose();
    expect(statSync(bench.logFile).size).toBeLessThan(MOST_OUTPUT_BYTES + 1000);
    const log = bench.log();
    expect(log.slice(0, 30)).toBe('first\n::joulediff phase a\nxxxx');
    expect(log.slice(-6)).toBe('\nlast\n');
  } finally {
    await bench.close();
  }
});

it('a native run that makes the file of its output larger than any disk holds up nothing', async () => {
  const bench = new Bench();
  try {
    const grow = (size: string) => `echo first; truncate -s ${size} /proc/self/fd/1; echo last`;
    const variant = native({ prepare: grow('8T'), run: `${grow('7E')}; exit 3` });
    const executor = await bench.ready(variant);
    const run = await executor.prepare({ ...bench.context(), phaseLines: [{ phase: 'b', pattern: 'last' }] });
    expect(await run.execute({ onEdge() {} })).toMatchObject({ exitCode: 3 });
    expect((await run.telemetry?.())?.phaseProblem).toBe(
      'it printed faster than its output could be searched for them',
    );
    await run.dispose();
    expect(statSync(bench.logFile).size).toBeLessThan(MOST_OUTPUT_BYTES);
    expect(bench.log()).toMatch(/^first\n\0[\s\S]*\0last\nfirst\n\0[\s\S]*\n\[joulediff left .*\]\n\0/);
  } finally {
    await bench.close();
  }
});

it('what a container prints can’t fill the engine’s disk', async () => {
  const bench = new Bench();
  try {
    await testImage(IMAGE);
    const flood = `head -c 900000 /dev/zero | tr '\\0' '\\n'; echo last`;
    const executor = await bench.ready(container(IMAGE, { run: flood }));
    const run = await executor.prepare({
      ...{ ...bench.context(), outputToDisk: true },
      phaseLines: [{ phase: 'b', pattern: 'last' }],
    });
    await run.execute({ onEdge() {} });
    const { phaseProblem } = (await run.telemetry?.()) ?? {};
    expect(phaseProblem).toBe('it printed more than 64 MB, of which the beginning may be lost');
    await run.dispose();
    expect(bench.log()).toMatch(/\nlast\n\n\[joulediff: a container's output beyond 64 MB loses its beginning.*\]\n$/);
  } finally {
    await bench.close();
  }
});
