import { describe, expect, it } from '@jest/globals';
import { EVERYTHING_ELSE, everythingElse } from '../../src/analysis/everything-else.ts';
import type { RunResult } from '../../src/analysis/results.ts';
import type { ChannelRecord } from '../../src/store/records.ts';
import { wallMeter } from '../store/fixtures.ts';

type Source = ChannelRecord['meter']['source'];

const channel = (name: string, type: string, source: Source, integration: 'guard' | 'counter'): ChannelRecord => ({
  channel: name,
  primary: false,
  integration,
  samplingPeriodS: 1,
  clock: 'host',
  meter: { ...wallMeter, type, source, passport: null },
});
const wall = (source: Source = 'measured') => channel('wall', 'watts-up-pro', source, 'guard');
const rapl = (source: Source = 'measured') => channel('rapl', 'rapl', source, 'counter');

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

describe('everythingElse', () => {
  it('is wall minus processors and memory, run by run', () => {
    const runs = [run(1, 'wall', 100), run(2, 'wall', 110), run(1, 'rapl', 30), run(2, 'rapl', 35)];
    expect(everythingElse(runs, [wall(), rapl()])).toMatchObject([
      { run: 1, channel: EVERYTHING_ELSE, status: 'ok', energyJ: 70, netEnergyJ: 35 },
      { run: 2, channel: EVERYTHING_ELSE, status: 'ok', energyJ: 75 },
    ]);
  });

  it('leaves out a run of which one of the two is unknown, and says why', () => {
    const runs = [run(1, 'wall', 100), run(1, 'rapl', null, 'invalid')];
    expect(everythingElse(runs, [wall(), rapl()])).toMatchObject([
      { status: 'invalid', reason: 'there is no energy of rapl to take off', energyJ: null },
    ]);
  });

  it.each([
    ['there is no RAPL', [wall()]],
    ['there is only RAPL', [rapl()]],
    ['one is emulated and the other is not', [wall('emulated'), rapl()]],
    ['one is a model', [wall(), channel('cpu-model', 'estimate', 'modelled', 'counter')]],
  ])('is nothing when %s', (_what, channels) => {
    const runs = channels.flatMap((c) => [run(1, c.channel, 50)]);
    expect(everythingElse(runs, channels)).toEqual([]);
  });
});
