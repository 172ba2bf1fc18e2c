// Class: system.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cutLeftLog, cutLog, MAX_OUTPUT_BYTES, OutputLimit } from '../../src/executors/output-limit.ts';
import { Bench, native } from './bench.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-output-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MIB = 2 ** 20;

/** Prints lines until there are so many bytes of them. */
function print(path: string, bytes: number, looked: () => void): { readonly printed: number; readonly lines: number } {
  let [printed, lines] = [0, 0];
  while (printed < bytes) {
    const text = Array.from({ length: 1000 }, (_, i) => `line ${lines + i} of the workload\n`).join('');
    appendFileSync(path, text);
    printed += text.length;
    lines += 1000;
    looked();
  }
  return { printed, lines };
}

describe('a log that grows without end', () => {
  const BEFORE = 'of prepare\n';
  let path: string;
  let limit: OutputLimit;
  beforeEach(() => {
    path = join(folder, 'log');
    writeFileSync(path, BEFORE);
    limit = new OutputLimit(path, BEFORE.length, 4 * MIB);
  });

  /** What it says is missing, and what is there of both ends. */
  function expectEnds({ printed, lines }: { readonly printed: number; readonly lines: number }): void {
    const text = readFileSync(path, 'latin1');
    expect(text.startsWith(`${BEFORE}line 0 of the workload\nline 1 of`)).toBe(true);
    const last = [2, 1].map((i) => `line ${lines - i} of the workload\n`);
    expect(text.endsWith(last.join(''))).toBe(true);
    expect(text).not.toContain('\0');
    const left = Number(/left ([\d,]+) bytes/.exec(text)?.[1]?.replaceAll(',', ''));
    const note = /\n\[joulediff .*\]\n/.exec(text)?.[0] ?? '';
    expect(left + text.length - note.length - BEFORE.length).toBe(printed);
  }

  it('takes little room meanwhile, loses nothing that is printed while it is cut, and keeps both ends', () => {
    let most = 0;
    const reported = print(path, 40 * MIB, () => {
      limit.poll(statSync(path).size);
      most = Math.max(most, 512 * statSync(path).blocks);
    });
    // A page, and a block of the file system, at either end of the hole.
    expect(most).toBeLessThan(4.2 * MIB);
    expect(statSync(path).size).toBe(BEFORE.length + reported.printed);
    limit.finish();
    expect(limit.problem).toBeNull();
    expectEnds(reported);

    // When the run is over it is cut to what is kept of a log: what was cut before is missing still.
    expect(cutLog(path, 1000)).toBeLessThanOrEqual(1000);
    const shorter = readFileSync(path, 'utf8');
    const all = Number(/left ([\d,]+) bytes/.exec(shorter)?.[1]?.replaceAll(',', ''));
    expect(all + shorter.replace(/\n\[joulediff .*\]\n/, '').length).toBe(reported.printed + BEFORE.length);
  });

  it.each([
    ['there is no program that makes holes', null, 'there is no program fallocate'],
    ['the file system has none', 'echo "fallocate: no holes here" >&2; exit 1', 'fallocate: no holes here'],
  ])('is cut off, and says that something may be lost, where %s', (_, script, why) => {
    const { PATH } = process.env;
    // A stand-in: no file system without holes can be had everywhere.
    if (script !== null) writeFileSync(join(folder, 'fallocate'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    process.env.PATH = folder;
    try {
      let largest = 0;
      const reported = print(path, 20 * MIB, () => {
        limit.poll(statSync(path).size);
        largest = Math.max(largest, statSync(path).size);
      });
      expect(largest).toBeLessThan(4.2 * MIB);
      limit.finish();
      expect(limit.problem).toBe(
        `it printed more than was kept, and what is printed while its output is cut is lost here (${why})`,
      );
      expectEnds(reported);
    } finally {
      process.env.PATH = PATH;
    }
  });

  it('is limited again when the workload has emptied it meanwhile', () => {
    const look = (): void => limit.poll(statSync(path).size);
    print(path, 20 * MIB, look);
    truncateSync(path, 0);
    look();
    let most = 0;
    print(path, 12 * MIB, () => {
      look();
      most = Math.max(most, 512 * statSync(path).blocks);
    });
    expect(most).toBeLessThan(5.2 * MIB);
  });

  it('is put in order where joulediff was killed meanwhile: copied, its holes would fill a disk', () => {
    const much = new OutputLimit(path, BEFORE.length);
    const { lines } = print(path, 140 * MIB, () => much.poll(statSync(path).size));
    cutLeftLog(path);
    const text = readFileSync(path, 'latin1');
    expect(text.length).toBeLessThan(17 * MIB);
    expect(text).not.toContain('\0');
    expect(text.startsWith(`${BEFORE}line 0 of`)).toBe(true);
    expect(text.endsWith(`line ${lines - 1} of the workload\n`)).toBe(true);
  });
});

it('a native run that prints without end has a log of a limited size, with both ends, and its phases', async () => {
  const bench = new Bench();
  try {
    const flood = `head -c ${2 * MAX_OUTPUT_BYTES} /dev/zero | tr '\\0' x`;
    const executor = await bench.ready(
      native({ run: `echo first; echo ::joulediff phase a; ${flood}; sleep 0.2; echo; echo last` }),
    );
    const run = await executor.prepare({ ...bench.context(), phaseLines: [{ phase: 'b', pattern: 'last' }] });
    expect((await run.execute({ onEdge() {} })).exitCode).toBe(0);
    const { marks, phaseProblem } = (await run.telemetry?.()) ?? {};
    expect(marks?.map(({ phase }) => phase)).toEqual(['a', 'b']);
    expect(phaseProblem).toBeNull();
    await run.dispose();
    expect(statSync(bench.logFile).size).toBeLessThan(MAX_OUTPUT_BYTES + 1000);
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
    expect(statSync(bench.logFile).size).toBeLessThan(MAX_OUTPUT_BYTES);
    expect(bench.log()).toMatch(/^first\n\0[\s\S]*\0last\nfirst\n\0[\s\S]*\n\[joulediff left .*\]\n\0/);
  } finally {
    await bench.close();
  }
});
