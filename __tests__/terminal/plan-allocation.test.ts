// Class: system.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MeterInfo } from '../../src/contracts/reading.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { writeNoiseFloor } from '../../src/measure/noise-floor-file.ts';
import { foreseenRest, meterPauses } from '../../src/measure/rests.ts';
import { writePassport } from '../../src/meters/passport.ts';
import { findingsJson } from '../../src/report/findings-json.ts';
import { makePlan } from '../../src/schedule/randomize.ts';
import { plannedAllocation } from '../../src/terminal/plan-allocation.ts';
import { parse } from '../experiment/support.ts';
import { passport } from '../findings/passport.ts';
import { syntheticAnalysis } from '../report/synthetic/analysis.ts';

const plug: MeterInfo = {
  type: 'watts-up-pro',
  address: '/dev/ttyUSB0',
  source: 'measured',
  identity: { model: 'PRO' },
  accuracy: { gainPercent: 1.5, offsetW: 0.3 },
  minimumGuardS: 3,
  channels: [{ channel: 'wall', integration: 'guard', samplingPeriodS: 1, clock: 'meter', resolutionW: 0.1 }],
  remarks: [],
};

let folder: string;
const { XDG_STATE_HOME: before } = process.env;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-allocation-'));
  process.env.XDG_STATE_HOME = folder;
});
afterEach(() => {
  if (before === undefined) delete process.env.XDG_STATE_HOME;
  else process.env.XDG_STATE_HOME = before;
  rmSync(folder, { recursive: true });
});

const experimentOf = (more: object): Experiment =>
  parse(JSON.stringify({ name: 'sort', workload: { run: 'x' }, variants: { native: {}, other: {} }, ...more }));

/** What is planned of an experiment on this plug. */
function planned(repetitions: unknown, more: object = {}, infos: readonly MeterInfo[] = [plug]) {
  const experiment = meterPauses(experimentOf({ repetitions, ...more }), infos);
  const rest = foreseenRest(experiment, infos);
  return plannedAllocation(experiment, makePlan(experiment, 1), { outDir: folder, infos, rest });
}

/** Two identical variants whose difference had an interval of that half width. */
const keepFloor = (half: number) =>
  writeNoiseFloor(experimentOf({}), plug, {
    percent: half,
    ci95: [-half, half],
    blocks: 30,
    measuredAt: '2026-11-02T10:00:00.000Z',
  });

describe('an experiment that wants a width', () => {
  it('is told the blocks, the time and the width before it is measured, and all that was assumed', () => {
    const found = planned({ want: '1%', within: '15min' });
    expect(found).toMatchObject({ isReached: true, scatter: 'assumed' });
    expect(found?.allocation.halfPercent).toBeLessThanOrEqual(1);
    expect(found?.allocation.seconds).toBeLessThan(900);
    expect(found?.notes).toEqual([
      expect.stringMatching(/^±1 % is expected after \d+ blocks, in \d+ min \d+ s\.$/),
      'This is a projection from the meter’s accuracy, steps and rate. Assumed: blocks that scatter by 1 % (joulediff noise measures it), a command of 5 s at 80 W and rests of 7 s.',
    ]);
  });

  it('is told the width that can be reached, where the wanted one can’t', () => {
    const found = planned({ want: '0.2%', within: '10min' });
    expect(found?.isReached).toBe(false);
    const width = found?.allocation.halfPercent ?? 0;
    expect(found?.notes[0]).toBe(
      `±0.2 % will probably not be reached within 10 min: about ±${width.toPrecision(2)} % will, after ${found?.allocation.blocks} blocks, in 8 min 33 s. A quieter machine or a longer time would help.`,
    );
    expect(planned({ want: `${width * 1.01}%`, within: '10min' })?.isReached).toBe(true);
    // Not even in as many blocks as are allowed.
    expect(planned({ want: '0.2%', most: 20 })).toMatchObject({ isReached: false, allocation: { blocks: 20 } });
  });

  it('is told what the fewest blocks take, where not even these fit', () => {
    const found = planned({ want: '1%', within: '1min' });
    expect(found).toMatchObject({ isReached: false, allocation: { blocks: 6 } });
    expect(found?.notes[0]).toMatch(
      /^6 blocks will probably not fit into 1 min: 6 take \d+ min \d+ s with the warm-up and give about ±[\d.]+ %\.$/,
    );
  });

  it('is told that the window is too short where no number of executions makes it long enough', () => {
    const slow = { ...plug, channels: plug.channels.map((channel) => ({ ...channel, samplingPeriodS: 600 })) };
    for (const repetitions of [{ want: '1%' }, { want: '1%', within: '24h' }]) {
      const found = planned(repetitions, { batch: 'auto', workload: { run: { idle: '100ms' } } }, [slow]);
      expect(found).toMatchObject({ isReached: false, allocation: { executions: 10_000 } });
      expect(found?.notes[0]).toBe(
        'Even 10,000 executions (the maximum) make a window too short for 10 readings of the meter: the result can’t be trusted.',
      );
    }
  });

  it('needs more blocks on a machine whose noise floor is higher', async () => {
    const blocks = async (half: number) => {
      await keepFloor(half);
      return planned({ want: '0.5%' })?.allocation.blocks ?? 0;
    };
    const [quiet, loud] = [await blocks(0.2), await blocks(1)];
    expect(loud / quiet).toBeGreaterThan(5);
    const found = planned({ want: '0.5%' });
    expect(found?.scatter).toBe('noise-floor');
    expect(found?.notes[1]).toMatch(
      /^This is a projection from the meter’s accuracy, steps and rate and the noise floor of 2026-11-02 \(blocks scatter by 2\.\d %\)\. Assumed: a command of 5 s at 80 W and rests of 7 s\.$/,
    );
  });

  it('is planned from an earlier result and from the check of the meter', async () => {
    writeFileSync(
      join(folder, 'findings.json'),
      findingsJson(syntheticAnalysis({ name: 'sort', traces: false }).findings),
    );
    const kept = { ...passport, host: hostname(), latency: null, guard_needed_s: null };
    const shortest = planned({ want: '1%' });
    await writePassport(plug, { ...kept, settling: { after_s: 12, watched_s: 29 } });
    const found = planned({ want: '1%' });
    expect(found?.notes[1]).toBe(
      'This is a projection from the meter’s accuracy, steps and rate, an earlier result (12 s, 20.8 W) and the meter’s check of 2026-11-03 (rests of 13 s). Assumed: blocks that scatter by 1 % (joulediff noise measures it).',
    );
    expect(found?.allocation.seconds).toBeGreaterThan(shortest?.allocation.seconds ?? Number.POSITIVE_INFINITY);
  });

  it('is told how many executions a window would hold', () => {
    const found = planned({ want: '0.5%' }, { batch: 'auto', workload: { run: { idle: '1s' } } });
    expect(found?.allocation.executions).toBeGreaterThan(9);
    expect(found?.notes[0]).toContain(` A window holds ${found?.allocation.executions} executions.`);
    expect(planned({ want: '0.5%' }, { batch: 7 })?.allocation.executions).toBe(7);
  });

  it('keeps the windows of a command that repeats itself, and plans only the blocks', () => {
    const run = './bench --iterations {executions}';
    const { findings } = syntheticAnalysis({ name: 'sort', traces: false });
    const variants = findings.variants.map((one) => ({ ...one, executions_per_run: 1_000_000 }));
    writeFileSync(join(folder, 'findings.json'), findingsJson({ ...findings, variants }));
    const found = planned({ want: '0.5%' }, { batch: 'auto', workload: { run } });
    // An execution takes 12 µs, a window 30 s.
    expect(found?.allocation.executions).toBeGreaterThan(2_500_000);
    expect(found?.notes[0]).not.toContain('A window holds');
  });

  it('is not projected where nothing is wanted, or the meter is not known', () => {
    expect(planned(30)).toBeNull();
    expect(planned('auto')).toBeNull();
    expect(planned({ want: '1%' }, { meter: 'auto' }, [])).toBeNull();
    // Its type is known without it.
    expect(planned({ want: '1%' }, { meter: 'shelly:plug.lan' }, [])).not.toBeNull();
  });
});
