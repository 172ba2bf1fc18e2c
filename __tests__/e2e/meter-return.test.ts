// Class: world, truth, long.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type StartedEmulator, startEmulator } from '../emulators/start.ts';
import { type Ended, experimentFile, readCsv, start, temporaryFolder } from './program.ts';

// A cable that comes loose in the middle of a run: one is plugged in again, the other is not.

interface Case {
  readonly folder: ReturnType<typeof temporaryFolder>;
  readonly out: string;
  readonly meter: StartedEmulator;
  ended: Ended;
}

let back: Case;
let gone: Case;
let second: StartedEmulator | undefined;

/** Each run says in this file that it has begun. */
async function inRun(run: number, begun: string): Promise<void> {
  const runs = () => (existsSync(begun) ? readFileSync(begun, 'utf8').split('\n').length - 1 : 0);
  for (let i = 0; i < 1000 && runs() < run; i++) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(runs()).toBe(run);
}

async function unplugged(lock: string, afterwards: (meter: StartedEmulator) => Promise<void>): Promise<Case> {
  const folder = temporaryFolder();
  const out = join(folder.path, 'out');
  const begun = join(folder.path, 'begun');
  const meter = await startEmulator('watts-up-pro');
  const file = experimentFile(folder.path, {
    workload: { run: `echo run >> ${begun}; sleep 2` },
    variants: { a: {}, b: {} },
    repetitions: 1,
    warmup: { runs: 0 },
    rest: '4s',
    guard: '3s',
    seed: 1,
    meter: `watts-up-pro:${meter.port}`,
  });
  const program = start(['run', file, '--out', out], {
    env: { JOULEDIFF_LOCK: `joulediff.test.${process.pid}.${lock}` },
  });
  await inRun(2, begun);
  meter.steer('unplug');
  await afterwards(meter);
  return { folder, out, meter, ended: await program.ended };
}

beforeAll(async () => {
  [back, gone] = await Promise.all([
    unplugged('back', async (meter) => {
      await new Promise((resolve) => setTimeout(resolve, 4000));
      second = await startEmulator('watts-up-pro', '--link', meter.port);
    }),
    unplugged('gone', async () => {}),
  ]);
}, 180_000);

afterAll(async () => {
  await second?.stop();
  for (const { meter, folder } of [back, gone]) {
    await meter.stop();
    folder.remove();
  }
});

const statuses = ({ out }: Case) => readCsv(join(out, 'runs.csv')).map((run) => [run.status, run.variant]);

describe('a meter that goes away in a run', () => {
  it('is waited for, and its block is run again when it comes back', () => {
    expect({ code: back.ended.code, stderr: back.ended.stderr }).toMatchObject({ code: 0 });
    expect(back.ended.stderr).toMatch(/The meter was lost: .*Waiting up to a minute/s);
    expect(back.ended.stderr).toContain('The meter is back.');
    const runs = readCsv(join(back.out, 'runs.csv'));
    expect(runs.map((run) => run.status)).toEqual(['invalid', 'invalid', 'ok', 'ok']);
    expect(runs[0]?.reason).toBe('its block is repeated, because run 2 is invalid');
    expect(runs[1]?.reason).toMatch(/^The meter was lost: /);
    for (const run of runs.slice(2)) expect(Number(run.energy_j)).toBeGreaterThan(70);
  });

  it('ends the experiment with what was measured when it does not come back', () => {
    expect(gone.ended.code).toBe(3);
    expect(gone.ended.stderr).toContain('The meter was lost');
    expect(statuses(gone).map(([status]) => status)).toEqual(['invalid', 'invalid']);
  });
});
