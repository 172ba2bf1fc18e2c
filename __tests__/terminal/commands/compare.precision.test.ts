// Class: world.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Findings } from '../../../src/findings/findings.ts';
import { start } from '../program.ts';
import { BRIEF, compare, QUICK } from './comparing.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-precision-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('joulediff compare', () => {
  it('goes on to the precision that is asked for, and says how to go on where the time was too short', async () => {
    const precise = await compare(folder, 'sleep 0.05', 'sleep 0.1', ...BRIEF, '--precision', '40%');
    expect(precise.findings?.experiment.looks).toMatchObject({ want_percent: 40, stopped_because: 'precise' });
    const [noise, again] = ['sleep 0.0$((RANDOM % 9 + 1))', 'sleep  0.0$((RANDOM % 9 + 1))'].map(
      (run) => `bash -c '${run}'`,
    );
    const short = await compare(folder, noise as string, again as string, ...BRIEF, '--within', '10s');
    expect(short.code).toBe(0);
    // Chance may give a verdict all the same; then nothing more is needed.
    const isOpen = short.findings?.comparisons[0]?.verdict === 'inconclusive';
    const hint =
      /For more certainty: the same with --within \d+min \(all blocks|More time would probably not settle it/;
    expect(hint.test(short.stderr)).toBe(isOpen);
  });

  it('is continued after Ctrl-C, as it says', async () => {
    const words = ['sleep 0.3', 'sleep 0.4', ...QUICK, '--seed', '1', '--out', 'continued'];
    const stopped = start(['compare', ...words], { JOULEDIFF_LOCK: `joulediff.test.${process.pid}` }, folder);
    await stopped.until(({ stderr }) => stderr().includes('run 1 of'));
    stopped.child.kill('SIGINT');
    expect(await stopped.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('`--resume` continues') });
    const resumed = await compare(folder, ...words, '--resume');
    expect(resumed).toMatchObject({ code: 0, stderr: expect.not.stringContaining('nothing to resume') });
    const findings: Findings = JSON.parse(readFileSync(join(folder, 'continued', 'findings.json'), 'utf8'));
    expect(findings.comparisons[0]).toMatchObject({ blocks: 2 });
  });
});
