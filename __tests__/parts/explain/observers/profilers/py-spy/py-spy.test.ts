// Class: world, long.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { container, native, testImage } from '../../../../../executors/bench.ts';
import { shortExperiment } from '../../../../../measure/short-experiment.ts';
import { explained } from '../explained.ts';

process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

const PY_SPY = process.env.JOULEDIFF_TEST_PY_SPY ?? '';
/** Skipped by name where it could not be had; npm test installs it. */
const itWithPySpy = PY_SPY !== '' && spawnSync('/usr/bin/python3', ['--version']).status === 0 ? it : it.skip;

let folder: string;
let path: string | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-py-spy-'));
  path = process.env.PATH;
  process.env.PATH = `${PY_SPY}:${path}`;
});
afterEach(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true, force: true });
});

it("takes nobody's place where it is not installed", async () => {
  // Everything but py-spy.
  process.env.PATH = (path ?? '')
    .split(':')
    .filter((one) => spawnSync(join(one, 'py-spy'), ['--version']).error)
    .join(':');
  const experiment = shortExperiment(folder, [native({ run: ['true'] })], {
    repetitions: 1,
    profiles: [{ kind: 'py-spy', of: null, port: null }],
  });
  const { explanation } = await explained(folder, experiment, 1);
  const rungs = new Map(explanation?.rungs.map(({ name, missing }) => [name, missing]));
  expect(rungs.get('py-spy')).toBe('no-tool');
  expect(rungs.get('perf-record')).not.toBe('set-aside');
});

/** Known work: seconds of processor time in functions of two names, and one that only waits. */
const WORK = `import time
def spin(s):
    end = time.process_time() + s
    while time.process_time() < end: pass
def little(): spin(0.15)
def much(): spin(0.6)
def waits(): time.sleep(0.5)
print("::joulediff phase one", flush=True); little(); waits()
print("::joulediff phase two", flush=True); much()
`;

itWithPySpy(
  'gives functions of Python on the host and in a container, of the whole run, without those that wait',
  async () => {
    writeFileSync(join(folder, 'work.py'), WORK);
    const image = await testImage('joulediff-test:plain');
    const run = { run: ['/usr/bin/python3', join(folder, 'work.py')] };
    const volumes = ['/usr:/usr:ro', '/lib:/lib:ro', '/lib64:/lib64:ro', `${folder}:${folder}`];
    const experiment = shortExperiment(folder, [native(run), container(image, run, { volumes })], {
      repetitions: 1,
      profiles: [{ kind: 'py-spy', of: null, port: null }],
    });
    const { observed, explanation } = await explained(folder, experiment, 2);
    expect(observed.map(({ variant, by }) => [variant, by.find(({ name }) => name === 'py-spy')]).sort()).toEqual(
      ['container', 'container', 'native', 'native'].map((variant) => [variant, { name: 'py-spy', failure: null }]),
    );
    for (const { samples } of observed) {
      const inside = (name: string) =>
        samples.filter(({ frames }) => frames.some((frame) => frame.name === `${name} (work.py)`)).length;
      expect(inside('much')).toBeGreaterThan(inside('little'));
      expect(inside('waits')).toBeLessThan(inside('much') / 4);
      expect(new Set(samples.map(({ tNs }) => tNs))).toEqual(new Set([0n]));
    }
    expect(explanation?.mix.map(({ of, phase, of_whole_run: whole }) => [of, phase, whole]).sort()).toEqual([
      ['container', null, true],
      ['native', null, true],
    ]);
    expect(explanation?.comparisons).toMatchObject([{ time: 'thread' }]);
    const timed = explanation?.lines.filter(({ kind }) => kind === 'function' || kind === 'group') ?? [];
    expect(timed.filter(({ phase }) => phase !== null)).toEqual([]);
  },
);
