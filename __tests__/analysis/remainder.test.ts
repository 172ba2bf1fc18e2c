// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { REMAINDER_CHANNEL, remainderRuns } from '../../src/analysis/remainder.ts';
import type { RunResult } from '../../src/analysis/results.ts';
import type { MachinePart } from '../../src/findings/numbers.ts';
import type { ChannelRecord } from '../../src/store/records.ts';
import { WALL_METER, wallMeter } from '../store/fixtures.ts';

type Source = ChannelRecord['meter']['source'];

const channel = (name: string, part: MachinePart | undefined, source: Source): ChannelRecord => ({
  channel: name,
  part,
  primary: false,
  integration: part === 'machine' ? 'guard' : 'counter',
  samplingPeriodS: 1,
  clock: 'host',
  meter: { ...wallMeter, source, name: WALL_METER, passport: null },
});
const wall = (source: Source = 'measured') => channel('wall', 'machine', source);
const rapl = (source: Source = 'measured') => channel('rapl', 'package-and-dram', source);

const run = (n: number, name: string, energyJ: number | null, status: RunResult['status'] = 'ok') =>
  ({
    run: n,
    variant: 'native',
    channel: name,
    status,
    reason: null,
    energyJ,
    netEnergyJ: energyJ && energyJ / 2,
  }) as RunResult;

describe('remainderRuns', () => {
  it('is wall minus processors and memory, run by run', () => {
    const runs = [run(1, 'wall', 100), run(2, 'wall', 110), run(1, 'rapl', 30), run(2, 'rapl', 35)];
    expect(remainderRuns(runs, [wall(), rapl()])).toMatchObject([
      { run: 1, channel: REMAINDER_CHANNEL, status: 'ok', energyJ: 70, netEnergyJ: 35 },
      { run: 2, channel: REMAINDER_CHANNEL, status: 'ok', energyJ: 75 },
    ]);
  });

  it('leaves out a run of which one of the two is unknown, and says why', () => {
    const runs = [run(1, 'wall', 100), run(1, 'rapl', null, 'invalid')];
    expect(remainderRuns(runs, [wall(), rapl()])).toMatchObject([
      { status: 'invalid', reason: { kind: 'no-energy-to-subtract', channel: 'rapl' }, energyJ: null },
    ]);
  });

  it.each([
    ['there is no RAPL', [wall()]],
    ['there is only RAPL', [rapl()]],
    ['one is emulated and the other is not', [wall('emulated'), rapl()]],
    ['two channels see a whole machine, such as two supplies', [wall(), { ...wall(), channel: 'wall-2' }, rapl()]],
    ['RAPL shows not all packages', [wall(), { ...rapl(), meter: { ...rapl().meter, identity: { complete: false } } }]],
    ['one is a model', [wall(), channel('cpu-model', undefined, 'modelled')]],
  ])('is nothing when %s', (_what, channels) => {
    const runs = channels.flatMap((c) => [run(1, c.channel, 50)]);
    expect(remainderRuns(runs, channels)).toEqual([]);
  });
});
