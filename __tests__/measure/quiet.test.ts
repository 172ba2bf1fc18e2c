// Class: system.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OnNoise } from '../../src/experiment/experiment.ts';
import { QuietWatch } from '../../src/measure/quiet.ts';

const CPU = 'sys/devices/system/cpu';
const TEMPERATURE = 'sys/class/hwmon/hwmon0/temp1_input';
const LIMIT = `${CPU}/cpufreq/policy0/scaling_max_freq`;
const THROTTLED = `${CPU}/cpu0/thermal_throttle/core_throttle_count`;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'joulediff-quiet-'));
  put('sys/class/hwmon/hwmon0/name', 'coretemp');
  put('sys/class/hwmon/hwmon0/temp1_label', 'Package id 0');
  put(TEMPERATURE, '40000');
  put(`${CPU}/cpufreq/policy0/cpuinfo_max_freq`, '3500000');
  put(LIMIT, '3500000');
  put(THROTTLED, '3');
  put('proc/stat', 'cpu  100 0 0 900 0 0 0 0 0 0');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), `${text}\n`);
}

/** A watch of that machine that looks for a moment, and what it tells; `onInspection` comes with each inspection of the containers. */
function watch(onNoise: OnNoise, onInspection: (inspection: number) => readonly string[] = () => []) {
  const reported: string[] = [];
  let looks = 0;
  const others = async () => onInspection(++looks).map((name) => ({ id: name, name }));
  const pace = { inspectionS: 0.01, graceS: 0.02, pauseS: 0.01 };
  const quiet = new QuietWatch(onNoise, [], { root, others, pace });
  const hear = (line: string) => void reported.push(line);
  const progress = { note: hear, warn: hear, end() {} };
  const inspect = (block: number, warmup = false) =>
    quiet.before({ block, warmup, signal: new AbortController().signal, progress });
  return { inspect, reported };
}

const PATIENT: OnNoise = { react: 'wait', limitS: 3600 };

describe('before a block', () => {
  it('a quiet machine is not waited for, and what was there from the beginning is its own', async () => {
    const { inspect, reported } = watch(PATIENT, () => ['registry']);
    for (const block of [1, 2]) {
      const { inspection, error } = await inspect(block);
      expect({ error, reported }).toEqual({ error: null, reported: [] });
      expect(inspection).toMatchObject({
        block,
        found: [],
        remaining: [],
        temperatureC: 40,
        limitHz: 3.5e9,
        throttled: 0,
      });
    }
  });

  it('waits until a container has gone and the processor is as cool as before the first block', async () => {
    let isHot = false;
    const { inspect, reported } = watch(PATIENT, (inspection) => {
      if (isHot && inspection >= 8) put(TEMPERATURE, '44000');
      return isHot && inspection < 12 ? ['backup'] : [];
    });
    put(TEMPERATURE, '60000');
    // Warm-up blocks are there to make it warm.
    expect((await inspect(1, true)).inspection.found).toEqual([]);
    put(TEMPERATURE, '40000');
    await inspect(1);
    isHot = true;
    put(TEMPERATURE, '71000');
    const { inspection, error } = await inspect(2);
    expect(error).toBeNull();
    expect(inspection).toMatchObject({ found: ['containers', 'temperature'], remaining: [], temperatureC: 44 });
    expect(inspection.waitedS).toBeGreaterThan(0.02);
    expect(reported).toEqual([
      expect.stringMatching(
        /^Block 2 waits for a quiet machine, up to 1 h: containers were started: backup and the processor is at (71|44) °C/,
      ),
      expect.stringMatching(/^The machine is quiet again, after \d+ s\.$/),
    ]);
  });

  it('gives up when the time is over, and says why', async () => {
    const { inspect } = watch({ react: 'wait', limitS: 0.05 });
    await inspect(1);
    put(LIMIT, '1400000');
    const { inspection, error } = await inspect(2);
    expect(inspection).toMatchObject({ found: ['frequency'], remaining: ['frequency'], limitHz: 1.4e9 });
    expect(error).toMatchObject({
      exitCode: 3,
      message:
        'The machine is not quiet before block 2 after 0 s of waiting: the clock is limited to 40 % of what it was.',
    });
  });

  it('calls a warm-up block what it is', async () => {
    const { inspect } = watch({ react: 'fail' });
    await inspect(-1, true);
    put(LIMIT, '1400000');
    expect((await inspect(0, true)).error?.message).toMatch(/^The machine is not quiet before a warm-up block: /);
  });

  it('fails at once where it is asked to, but not for what is over in a moment', async () => {
    const { inspect } = watch({ react: 'fail' }, (inspection) => (inspection === 2 ? ['backup'] : []));
    await inspect(1);
    const { inspection, error } = await inspect(2);
    expect({ inspection, error }).toMatchObject({
      error: null,
      inspection: { found: ['containers'], remaining: [] },
    });
    put(TEMPERATURE, '80000');
    expect((await inspect(3)).error?.message).toBe(
      'The machine is not quiet before block 3: the processor is at 80 °C, and was at 40 °C before the first block.',
    );
  });

  it('fails for throttling in the block before, warns of it, and waits only until there is no more', async () => {
    const [failing, warning, patient] = [watch({ react: 'fail' }), watch({ react: 'warn' }), watch(PATIENT)];
    const all = [failing, warning, patient];
    for (const { inspect } of all) await inspect(1);
    put(THROTTLED, '9');
    const [failed, warned, waited] = await Promise.all(all.map(({ inspect }) => inspect(2)));
    const message = 'The machine is not quiet before block 2: processors were throttled since the block before.';
    expect(failed?.error?.message).toBe(message);
    expect([warned?.error, warning.reported]).toEqual([null, [message]]);
    expect([waited?.error, waited?.inspection.remaining]).toEqual([null, []]);
    for (const outcome of [failed, warned, waited]) {
      expect(outcome?.inspection).toMatchObject({ found: ['throttling'], throttled: 6 });
    }
    expect((await failing.inspect(3)).inspection).toMatchObject({ found: [], throttled: 0 });
  });

  it('warns of each kind once, and goes on', async () => {
    const { inspect, reported } = watch({ react: 'warn' });
    await inspect(1);
    put(TEMPERATURE, '80000');
    for (const block of [2, 3]) {
      expect(await inspect(block)).toMatchObject({ error: null, inspection: { remaining: ['temperature'] } });
    }
    expect(reported).toHaveLength(1);
  });

  it('knows the first block of an experiment that is resumed', async () => {
    const { inspection } = await watch(PATIENT).inspect(1);
    put(TEMPERATURE, '50000');
    const others = async () => null;
    const quiet = new QuietWatch({ react: 'fail' }, [inspection], {
      root,
      others,
      pace: { inspectionS: 0.01, graceS: 0, pauseS: 0 },
    });
    const progress = { note() {}, warn() {}, end() {} };
    const { error } = await quiet.before({ block: 2, warmup: false, signal: new AbortController().signal, progress });
    expect(error?.message).toContain('was at 40 °C before the first block');
  });

  it('ends with the signal while it waits', async () => {
    const others = async () => null;
    put(TEMPERATURE, '80000');
    const first = { temperatureC: 40, warmup: false, limitHz: null } as never;
    const quiet = new QuietWatch(PATIENT, [first], {
      root,
      others,
      pace: { inspectionS: 0.01, graceS: 0, pauseS: 600 },
    });
    const stop = new AbortController();
    const progress = { note: () => stop.abort(new Error('stopped')), warn() {}, end() {} };
    await expect(quiet.before({ block: 2, warmup: false, signal: stop.signal, progress })).rejects.toThrow('stopped');
  });
});
