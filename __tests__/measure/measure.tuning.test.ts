// Class: system.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { analyzeStore } from '../../src/analysis/analyze.ts';
import { Stopped } from '../../src/errors.ts';
import { foresee } from '../../src/measure/foresee.ts';
import { measure } from '../../src/measure/measure.ts';
import { withStore } from '../../src/store/reader.ts';
import { native } from '../executors/bench.ts';
import { LaidSettings } from '../tuning/laid-settings.ts';
import { listening, shortExperiment } from './short-experiment.ts';

const CPU = 'sys/devices/system/cpu';
const GOVERNOR = `${CPU}/cpufreq/policy0/scaling_governor`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-tuned-'));
  process.env.JOULEDIFF_LOCK = `tuned.${randomUUID()}`;
});
afterEach(() => {
  delete process.env.JOULEDIFF_LOCK;
  rmSync(folder, { recursive: true, force: true });
});

const experimentOf = (run: string) =>
  shortExperiment(
    folder,
    [
      { ...native({ run }), name: 'native' },
      { ...native({ run }), name: 'again' },
    ],
    {
      quiet: ['governor', 'turbo', 'aslr'],
      repetitions: 1,
    },
  );

it('settings hold while an experiment is measured, and are put back when it is stopped and when it is done', async () => {
  using machine = new LaidSettings();
  const before = machine.values();
  const outDir = join(folder, 'out');
  const experiment = experimentOf(`cat ${join(machine.root, GOVERNOR)} >> seen`);
  const stop = new AbortController();
  const { progress } = listening((done) => {
    if (done === 1) stop.abort(new Stopped('SIGTERM'));
  });
  const { targets } = machine;
  const stopped = measure({ experiment, outDir, resume: false, signal: stop.signal, progress, targets });
  await expect(stopped).rejects.toThrow('stopped by SIGTERM');
  expect(machine.values()).toEqual(before);
  // Somebody does the same by hand: what is measured is the same machine.
  machine.lay({ [`${CPU}/intel_pstate/no_turbo`]: '1\n' });
  const { reported, progress: second } = listening();
  const signal = new AbortController().signal;
  await measure({ experiment, outDir, resume: true, signal, progress: second, targets });
  expect(machine.values()).toEqual({ ...before, [`${CPU}/intel_pstate/no_turbo`]: '1' });
  expect(reported.filter((line) => line.includes('quiet'))).toEqual([]);
  const { findings } = withStore(join(outDir, 'experiment.db'), (reader) => analyzeStore(reader));
  expect(findings.conditions?.set).toEqual([
    { setting: 'governor', value: 'performance', before: 'powersave' },
    { setting: 'turbo', value: 'off', before: 'on' },
    { setting: 'aslr', value: '0', before: '2' },
  ]);
  expect(findings.quality.checks.find(({ name }) => name === 'conditions')).toMatchObject({ state: 'ok' });
});

it('plan says what will be set, and what can’t be', async () => {
  using machine = new LaidSettings();
  const before = machine.values();
  const reported = async () => {
    const seen = await foresee(experimentOf('true'), join(folder, 'out'), machine.targets);
    return seen.find(({ what }) => what === 'settings')?.found;
  };
  expect(await reported()).toEqual({ state: 'ok', text: 'governor, turbo and aslr will be set and put back' });
  expect(machine.values()).toEqual(before);
  rmSync(join(machine.root, CPU), { recursive: true });
  machine.lay({ 'proc/sys/kernel/randomize_va_space': '0' });
  expect(await reported()).toEqual({
    state: 'warn',
    text: "this machine can't set governor and turbo",
  });
});
