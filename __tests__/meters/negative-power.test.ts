// Class: system.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { NegativePower } from '../../src/meters/negative-power.ts';
import { start } from '../terminal/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'joulediff-negative-'));
afterAll(() => rmSync(folder, { recursive: true }));
const env = { XDG_STATE_HOME: join(folder, 'state'), JOULEDIFF_LOCK: `joulediff.test.${process.pid}`, NO_COLOR: '1' };

/** A program that reports a clamp that is on the other way round, five times a second. */
const program = join(folder, 'reversed');
writeFileSync(program, '#!/bin/sh\nwhile :; do echo \'{"power_w": -61.5}\'; sleep 0.2; done\n', { mode: 0o755 });
const meter = `command:${program}`;
const said =
  /The power of the channel \w+ is negative \(-61\.5 W\): the meter is probably connected the wrong way round\./;

/** What is said of these readings of one channel: the number of the reading at which it is, or null. */
function refusedAt(readingsW: readonly number[]): number | null {
  const watch = new NegativePower();
  const at = readingsW.findIndex((powerW) => watch.take('wall', powerW) !== null);
  return at < 0 ? null : at + 1;
}

describe('a meter that is connected the wrong way round', () => {
  it.each([
    ['every reading is negative', [-61.5, -60.2, -61, -60], 3],
    ['one is negative among others', [40, -3, 41, -3, -3, -3], null],
    ['the first is negative', [-3, 40, -3, -3, -3], null],
    ['the first reading is none yet', [0, -40, -41, -40], 4],
    ['noise around nothing comes first', [-0.6, -40, -41, -40], 4],
    ['a positive one comes first', [1, -40, -41, -40], null],
    ['noise around nothing is negative', [-0.2, -0.1, -0.3], null],
  ])('is known where %s', (_, readingsW, at) => expect(refusedAt(readingsW)).toBe(at));

  it('is said by meter watch, which goes on', async () => {
    const watch = start(['meter', 'watch', meter, '--seconds', '2'], env);
    const { code, stderr, stdout } = await watch.ended;
    expect(code).toBe(0);
    expect(stderr.match(new RegExp(said, 'g'))).toHaveLength(1);
    expect(stdout.split('\n').length).toBeGreaterThan(5);
  });

  it('is refused by meter check', async () => {
    const { code, stderr } = await start(['meter', 'check', meter, '--steps', '1'], env).ended;
    expect([code, stderr]).toEqual([3, expect.stringMatching(said)]);
  });

  it('ends an experiment before its first block, without waiting for the meter', async () => {
    const settings = ['--runs', '3', '--warmup', '0', '--set', 'rest=6s', '--set', 'guard=3s', '--set', 'batch=1'];
    const words = ['compare', 'true', 'sleep 0.1', '--meter', meter, '--out', join(folder, 'out'), ...settings];
    const { code, stderr } = await start(words, env).ended;
    expect([code, stderr]).toEqual([3, expect.stringMatching(said)]);
    expect(stderr).not.toMatch(/Waiting up to a minute|overflow|^Run \d/m);
  });
});
