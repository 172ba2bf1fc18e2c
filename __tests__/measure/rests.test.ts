// Class: unit.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MeterInfo } from '../../src/contracts/reading.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { ObservationBuffer } from '../../src/measure/observation-buffer.ts';
import { foreseenRest, meterPauses, Rests, restNote } from '../../src/measure/rests.ts';
import { writePassport } from '../../src/meters/passport.ts';
import { nowNs } from '../../src/system/clock.ts';
import { passport } from '../findings/passport.ts';

const meter = (part: Partial<MeterInfo> & { periodS?: number; integration?: 'guard' | 'counter' }): MeterInfo => {
  const { periodS = 0.1, integration = 'counter', ...info } = part;
  const channel = { channel: 'wall', integration, samplingPeriodS: periodS, clock: 'host' } as const;
  return {
    type: 'rapl',
    address: null,
    source: 'measured',
    identity: {},
    accuracy: null,
    minimumGuardS: 0,
    channels: [channel],
    remarks: [],
    ...info,
  };
};
const counter = meter({});
const plug = meter({ type: 'watts-up-pro', minimumGuardS: 3, periodS: 1, integration: 'guard' });
const model = meter({ type: 'estimate', source: 'modelled' });

const auto = { restS: 7, restUpToS: 60, guardS: 3, guardByMeter: true, variants: [] } as unknown as Experiment;

describe('the pauses that a meter needs', () => {
  it('are those of the meters, as far as the experiment leaves them to the meters', () => {
    expect(meterPauses(auto, [counter])).toMatchObject({ restS: 1, restUpToS: 60, guardS: 0.2 });
    expect(meterPauses(auto, [plug])).toMatchObject({ restS: 7, restUpToS: 60, guardS: 3 });
    expect(meterPauses(auto, [counter, plug])).toMatchObject({ restS: 3.8, guardS: 3 });
    expect(meterPauses({ ...auto, guardS: 90, restUpToS: 90 }, [plug])).toMatchObject({ restS: 7, restUpToS: 90 });
    const { guardByMeter: _, ...given } = auto;
    expect(meterPauses({ ...given, guardS: 5 }, [counter])).toMatchObject({ restS: 5, guardS: 5 });
    const { restUpToS: __, ...fixed } = auto;
    expect(meterPauses({ ...fixed, restS: 20 }, [counter])).toMatchObject({ restS: 20, guardS: 3 });
  });

  it('are long enough for the edges of a long window that another clock times', () => {
    const there = [{ host: 'ssh://sut' }, { client: { address: 'ssh://load' } }, { variants: [{ kind: 'vm' }] }];
    for (const part of there) {
      const other = { ...auto, ...part } as unknown as Experiment;
      expect(meterPauses(other, [counter])).toMatchObject({ restS: 1, guardS: 1 });
      expect(meterPauses(other, [plug])).toMatchObject({ guardS: 3 });
    }
  });

  it('of a model have one length, since it has no heat', () => {
    const experiment = meterPauses(auto, [model]);
    expect(experiment).toMatchObject({ restS: 0.5, restUpToS: 0.5, guardS: 0.2 });
    expect(Rests.of({ experiment, primary: model, buffer: new ObservationBuffer() })).toBeNull();
    expect(restNote(experiment, [model])).toBe(
      'estimate is a model, which has no heat: every rest lasts 0.5 s; the guard is 0.2 s.',
    );
  });

  it('are told before they are waited for', () => {
    expect(restNote(meterPauses(auto, [counter]), [counter])).toBe(
      'A rest ends when the idle machine has settled, after 1 s at the least and 60 s at the most; the guard is 0.2 s.',
    );
    const { restUpToS: _, ...fixed } = auto;
    expect(restNote(fixed as Experiment, [counter])).toBeNull();
    expect(restNote(fixed as Experiment, [])).toBeNull();
  });

  it('are assumed where no meter answers, and said to be', () => {
    expect(restNote(meterPauses(auto, []), [])).toBe(
      'No meter was read, so one with a reading each second is assumed. A rest ends when the idle machine has settled, after 7 s at the least and 60 s at the most; the guard is 3 s.',
    );
  });
});

describe('the rests to come', () => {
  it.each([
    ['as long as the power took to settle, less the guard, and the readings that show it', plug, 12, 13],
    ['the shortest ones where the power settled at once', plug, 0, 7],
    ['never longer than the longest ones', plug, 100, 60],
    ['unknown where the power had not settled', plug, null, null],
    ['those of a counter', counter, 12.5, 13.1],
  ])('are %s', async (_, meter, after, restS) => {
    const { XDG_STATE_HOME: before } = process.env;
    const state = mkdtempSync(join(tmpdir(), 'joulediff-rests-'));
    process.env.XDG_STATE_HOME = state;
    try {
      const experiment = meterPauses(auto, [meter]);
      expect(foreseenRest(experiment, [meter])).toBeNull();
      const kept = { ...passport, host: hostname(), latency: null, guard_needed_s: null };
      await writePassport(meter, kept);
      expect(foreseenRest(experiment, [meter])).toBeNull();
      await writePassport(meter, { ...kept, settling: { after_s: after, watched_s: 29 } });
      expect(foreseenRest(experiment, [meter])).toEqual({
        day: '2026-11-03',
        watchedS: 29,
        restS: restS === null ? null : expect.closeTo(restS, 6),
      });
      const { restUpToS: __, ...given } = experiment;
      expect(foreseenRest(given as Experiment, [meter])).toBeNull();
    } finally {
      if (before === undefined) delete process.env.XDG_STATE_HOME;
      else process.env.XDG_STATE_HOME = before;
      rmSync(state, { recursive: true });
    }
  });
});

describe('a rest', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'joulediff-rests-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  // Fifty readings a second, so that the rests of this test are short.
  const quick = meter({ periodS: 0.02 });

  async function rest(powerAt: (s: number) => number, upToS = 3) {
    const buffer = new ObservationBuffer(quick.channels);
    const experiment = { ...auto, restS: 0.5, restUpToS: upToS, guardS: 0.1 } as Experiment;
    const rests = Rests.of({ experiment, primary: quick, buffer, root }) as Rests;
    const startNs = nowNs();
    const timer = setInterval(() => {
      const tNs = nowNs();
      buffer.sample('wall', { tNs, powerW: powerAt(Number(tNs - startNs) / 1e9), durationS: 0.02 });
    }, 20);
    try {
      const end = await rests.untilSettled(startNs, new AbortController().signal);
      return { end, seconds: Number(nowNs() - startNs) / 1e9 };
    } finally {
      clearInterval(timer);
    }
  }

  it('ends when idle power has settled, and not before', async () => {
    const still = await rest((s) => 50 + 0.1 * Math.sin(100 * s), 20);
    expect(still.end).toBe('settled');
    const falling = await rest((s) => 50 - 5 * s + 0.1 * Math.sin(100 * s));
    expect(falling.end).toBe('longest');
    expect(falling.seconds).toBeGreaterThanOrEqual(3);
  });

  it('waits for the temperature too, where this machine tells one', async () => {
    const zone = join(root, 'sys/class/hwmon/hwmon0');
    mkdirSync(zone, { recursive: true });
    writeFileSync(join(zone, 'name'), 'coretemp\n');
    writeFileSync(join(zone, 'temp1_label'), 'Package id 0\n');
    const heat = (degrees: number) => writeFileSync(join(zone, 'temp1_input'), `${1000 * degrees}\n`);
    heat(90);
    let degrees = 90;
    const timer = setInterval(() => {
      degrees -= 2;
      heat(degrees);
    }, 100);
    try {
      expect(await rest((s) => 50 + 0.1 * Math.sin(100 * s), 2.5)).toMatchObject({ end: 'longest' });
    } finally {
      clearInterval(timer);
    }
  });

  it('ends with the reason of a stop', async () => {
    const stop = new AbortController();
    const experiment = { ...auto, restS: 10 } as Experiment;
    const rests = Rests.of({ experiment, primary: counter, buffer: new ObservationBuffer(), root }) as Rests;
    setTimeout(() => stop.abort(new Error('by hand')), 50);
    await expect(rests.untilSettled(nowNs(), stop.signal)).rejects.toThrow('by hand');
  });
});
