// Class: world.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { attaching } from '../../../../../src/parts/explain/observers/profilers/attached.ts';
import type { AttachedProfiler } from '../../../../../src/parts/explain/observers/profilers/profiler.ts';
import { pySpy } from '../../../../../src/parts/explain/observers/profilers/py-spy/py-spy.ts';
import { eventually, isRunning } from '../../../../executors/bench.ts';

/** A stand-in for py-spy, which can't be made to fail in these ways: looks, writes when it is interrupted, and does what stands in a file beside it. */
const STAND_IN = `#!/bin/sh
here=\${0%/*}
for output; do :; done
read -r does < "$here/does"
begin() { echo looking; echo $$ >> "$here/started"; }
case $does in
  refuse) echo $$ >> "$here/started"; exit 1 ;;
  hang) trap '' INT TERM; begin; while :; do sleep 1000; done ;;
  look) trap 'echo "main (work.py:1) 3" > "$output"; kill $!; exit 0' INT ;;
  babble) trap 'echo "what is this" > "$output"; kill $!; exit 0' INT ;;
esac
begin
while :; do sleep 1000 & wait; done
`;

let folder: string;
let path: string | undefined;
let children: ChildProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-attached-'));
  path = process.env.PATH;
  process.env.PATH = `${folder}:${path}`;
  writeFileSync(join(folder, 'py-spy'), STAND_IN);
  chmodSync(join(folder, 'py-spy'), 0o755);
  children = [];
});
afterEach(() => {
  process.env.PATH = path;
  for (const child of children) child.kill('SIGKILL');
  for (const pid of started()) expect(isRunning(pid)).toBe(false);
  rmSync(folder, { recursive: true });
});

const does = (what: string): void => writeFileSync(join(folder, 'does'), `${what}\n`);
const started = (): number[] => {
  const file = join(folder, 'started');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
};

/** Any process will do. */
const kind: AttachedProfiler = { ...pySpy, isFor: () => true, limitation: () => 'not-allowed' };
const window = { startNs: 0n, endNs: 1n };

/** Looked at while `sleep` runs, started as a run's command would be. */
async function looking(what: string) {
  does(what);
  const observation = attaching(kind, null, { folder, numbering: 'host' });
  observation.added?.onAdded();
  const env = { ...process.env, ...observation.added?.words };
  children.push(spawn('sleep', ['1000'], { env, stdio: 'ignore' }));
  await eventually(() => started().length === 1);
  return observation;
}

it('gives what was seen of a process of the run, without times', async () => {
  const observation = await looking('look');
  const { samples } = await observation.end(window);
  expect(samples).toEqual(
    Array(3).fill({ tNs: 0n, weightNs: 10_000_000, frames: [{ name: 'main (work.py)', library: 'work.py' }] }),
  );
});

it.each([
  ['is forbidden', 'refuse', 'not-allowed'],
  ['gives what nobody can read', 'babble', 'unreadable'],
])('a program that %s costs its own samples alone', async (_, what, limitation) => {
  const observation = await looking(what);
  await expect(observation.end(window)).rejects.toMatchObject({ limitation });
});

it('one that is killed in the middle does, too', async () => {
  const observation = await looking('look');
  for (const pid of started()) process.kill(-pid, 'SIGKILL');
  await expect(observation.end(window)).rejects.toMatchObject({ limitation: 'ended' });
});

it('one that hangs is ended, and so is one whose run is cancelled', async () => {
  const observation = await looking('hang');
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const ending = observation.end(window).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    let lost: unknown;
    void ending.then((thrown) => {
      lost = thrown;
    });
    while (lost === undefined) {
      await new Promise(setImmediate);
      mock.timers.tick(1000);
    }
    expect(lost).toMatchObject({ limitation: 'hangs' });
  } finally {
    mock.timers.reset();
  }
  rmSync(join(folder, 'started'));
  const other = await looking('hang');
  await other.cancel();
});

it('a process that is gone before anybody looks is left out; where no other was there, nothing is told', async () => {
  does('refuse');
  const { added, end } = attaching(kind, null, { folder, numbering: 'host' });
  added?.onAdded();
  const child = spawn('true', { env: { ...process.env, ...added?.words }, stdio: 'ignore' });
  await once(child, 'exit');
  await expect(end(window)).rejects.toMatchObject({ limitation: 'no-profile' });
});

it('a place that adds no variable has not been looked into', async () => {
  await expect(attaching(kind, null, { folder, numbering: 'host' }).end(window)).rejects.toMatchObject({
    limitation: 'place-not-seen',
  });
});

it('a service is looked at from before its client to the end of that', async () => {
  does('look');
  const { added, around, end } = attaching(kind, 'server', { folder, numbering: 'host' });
  added?.onAdded();
  children.push(spawn('sleep', ['1000'], { env: { ...process.env, ...added?.words }, stdio: 'ignore' }));
  expect(started()).toEqual([]);
  await around?.begin(async () => null);
  await eventually(() => started().length === 1);
  await around?.end();
  await eventually(() => !started().some(isRunning));
  expect((await end(window)).samples).toHaveLength(3);
});
