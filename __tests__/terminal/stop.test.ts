// Class: world.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { STOP_SIGNALS } from '../../src/errors.ts';
import { withStore } from '../../src/store/reader.ts';
import { docker, eventually, isRunning, pidIn, testImage } from '../executors/bench.ts';
import { start } from './program.ts';

const IMAGE = `joulediff-signals-test:${process.pid}`;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-signals-'));
  await testImage(IMAGE);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await docker.getImage(IMAGE).remove({ force: true });
});

/** Starts measuring a workload that would take a minute, in the place that the seed puts first. */
function measureLong(name: string, variants: object, env: NodeJS.ProcessEnv = {}) {
  const file = join(folder, `${name}.json`);
  const out = join(folder, name);
  const workload = { run: `echo $$ > ${join(folder, name)}.pid; exec sleep 60` };
  const quick = { rest: '100ms', guard: '50ms', warmup: { runs: 0 }, repetitions: 1, meter: 'estimate', seed: 1 };
  writeFileSync(file, JSON.stringify({ workload, variants, ...quick }));
  return {
    out,
    program: start(['measure', file, '--out', out], {
      JOULEDIFF_LOCK: `joulediff.test.${process.pid}.${name}`,
      ...env,
    }),
  };
}

const sessionsOf = (out: string) => withStore(join(out, 'experiment.db'), (reader) => reader.sessions());

it('every signal that can be caught ends the workload, keeps the session, and gives its exit code', async () => {
  const stopped = STOP_SIGNALS.map(async (name) => {
    const { out, program } = measureLong(name, { a: {}, b: {} });
    const pid = await pidIn(`${out}.pid`);
    program.child.kill(name);
    // Impatience changes nothing.
    program.child.kill(name);
    const { code } = await program.ended;
    return { name, code, isLeft: isRunning(pid), end: sessionsOf(out)[0]?.end };
  });
  expect(await Promise.all(stopped)).toEqual(
    STOP_SIGNALS.map((name) => ({
      name,
      code: 128 + constants.signals[name],
      isLeft: false,
      end: { kind: 'stopped', signal: name },
    })),
  );
});

it('an error that nobody caught ends the workload, removes the container, and is a bug to report', async () => {
  const crash = join(folder, 'crash');
  const thrower = `import { existsSync } from 'node:fs'; setInterval(() => { if (existsSync(${JSON.stringify(crash)})) throw new Error('out of the blue'); }, 50).unref();`;
  const preload = join(folder, 'thrower.mjs');
  writeFileSync(preload, thrower);
  const place = { image: IMAGE, pull: 'never', network: 'none', user: '0', volumes: [`${folder}:${folder}`] };
  const { out, program } = measureLong('uncaught', { c: place, d: place }, { NODE_OPTIONS: `--import=${preload}` });
  await eventually(() => existsSync(`${out}.pid`));
  writeFileSync(crash, '');
  const { code, stderr } = await program.ended;
  expect({ code, stderr }).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('Something in joulediff is broken; please report it.\nError: out of the blue'),
  });
  const id = withStore(join(out, 'experiment.db'), (reader) => reader.experiment().id);
  const filters = { label: [`joulediff.experiment=${id}`] };
  expect(await docker.listContainers({ all: true, filters })).toEqual([]);
  expect(sessionsOf(out)[0]?.end).toEqual({ kind: 'failed', message: 'out of the blue' });
});
