// Class: system.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { start } from '../program.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-plan-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function planned(experiment: object): Promise<string> {
  const all = { variants: { a: {}, b: {} }, meter: 'estimate', repetitions: 10, ...experiment };
  writeFileSync(join(folder, 'joulediff.yml'), JSON.stringify(all));
  return (await start(['plan', '--offline'], {}, folder).ended).stdout.replaceAll(/\s+/g, ' ');
}

describe('joulediff plan of a suite', () => {
  it('counts each benchmark with its own batch', async () => {
    const suite = { often: { run: 'x', batch: 10 }, once: 'y' };
    // 2 × 2 × 2 warm-up runs, and 10 × 2 of each benchmark.
    expect(await planned({ suite, batch: 1 })).toContain('the workload 228 times its own time on top.');
    expect(await planned({ suite })).toContain(
      'the workload 228 times its own time, more often if it is short for the meter, on top.',
    );
  });

  it('says that a warm-up is too short to calibrate, and for what', async () => {
    const suite = { loops: 'x {executions}', fixed: { run: 'x {executions}', batch: 3 }, once: 'y' };
    const few = /\d+ warm-up blocks? (is|are) too few/;
    expect(await planned({ suite, warmup: { runs: 1 } })).toContain(
      '1 warm-up block is too few to find how often loops must repeat to fill a window: give warmup: { runs: 4 } or more.',
    );
    expect(await planned({ suite: { harness: 'go' }, warmup: { runs: 2 } })).toContain(
      '2 warm-up blocks are too few to find how often each benchmark must repeat',
    );
    // Without a warm-up of its own, the file gets as many as it takes.
    expect(await planned({ suite })).not.toMatch(few);
    expect(await planned({ workload: { run: 'x {executions}' }, batch: 'auto' })).not.toMatch(few);
    expect(await planned({ suite: { once: 'y' }, warmup: { runs: 1 } })).not.toMatch(few);
  });
});
