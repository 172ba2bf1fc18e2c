// Class: system.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { start } from '../terminal/program.ts';

it('is told at the start of an experiment that takes longer than a day', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-long-'));
  try {
    const variants = { one: {}, two: {} };
    const experiment = { workload: { run: 'true' }, variants, rest: '1h', guard: 0, meter: 'estimate' };
    writeFileSync(join(folder, 'joulediff.yml'), JSON.stringify(experiment));
    const program = start(['run'], { JOULEDIFF_LOCK: `long-plan-${process.pid}` }, folder);
    await program.until(({ stderr }) =>
      stderr().includes('This takes longer than a day: the pauses of 64 runs alone take 65 h.'),
    );
    program.child.kill('SIGTERM');
    expect((await program.ended).code).toBe(143);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
