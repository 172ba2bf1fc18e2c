// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { RunResult } from '../../src/analysis/results.ts';
import { runLengths as checkLengths } from '../../src/analysis/run-length.ts';
import type { ChannelRecord } from '../../src/store/records.ts';
import { type ReportedCheck, reportedCheck } from '../report/words/reported.ts';
import { WALL_METER, wallMeter } from '../store/fixtures.ts';

const wall: ChannelRecord = {
  channel: 'wall',
  primary: true,
  integration: 'guard',
  samplingPeriodS: 1,
  clock: 'meter',
  meter: { ...wallMeter, name: WALL_METER, passport: null },
};
const rapl: ChannelRecord = {
  ...wall,
  channel: 'rapl',
  integration: 'counter',
  samplingPeriodS: 0.1,
  clock: 'host',
  edgeS: 0.001,
};
const runs = (channel: string, ...lengths: number[]): RunResult[] =>
  lengths.map((durationS, i) => ({ run: i + 1, status: 'ok', channel, durationS }) as RunResult);

const runLengths = (...given: Parameters<typeof checkLengths>): ReportedCheck[] =>
  checkLengths(...given).map(reportedCheck);

describe('runLengths', () => {
  it.each([
    [30.2, 'ok', null],
    [29.9, 'warn', 'Make the workload run for at least 30 s'],
    [9.99, 'fail', 'Make the workload run for at least 30 s'],
  ])('judges the shortest window by the readings in it: %p s', (shortest, state, advice) => {
    const [check, ...more] = runLengths(runs('wall', 40, shortest, 35), [wall]);
    expect(more).toEqual([]);
    expect(check).toMatchObject({ name: 'run length', state });
    expect(check?.detail).toContain(`${Math.floor(shortest)} readings`);
    if (advice === null) expect(check?.advice).toBeNull();
    else expect(check?.advice).toMatch(new RegExp(`^${advice}.*\`batch: auto\``));
  });

  it.each([
    ['auto', 'Ask for a window of at least 30 s: `batch: { window: 30s }`.'],
    ['refused', 'Make the workload run for at least 30 s.'],
  ] as const)('does not advise batch: auto where it is %s', (batch, advice) => {
    expect(runLengths(runs('wall', 20), [wall], batch)[0]?.advice).toContain(advice);
    expect(runLengths(runs('wall', 20), [wall], batch)[0]?.advice).not.toContain('batch: auto');
  });

  it('asks for the length that the meter needs', () => {
    const slow = { ...wall, samplingPeriodS: 2 };
    expect(runLengths(runs('wall', 50), [slow])[0]?.advice).toContain('at least 60 s');
  });

  it('lets a counter have short windows, as long as its steps are short against them', () => {
    const only = { ...rapl, primary: true };
    expect(runLengths(runs('rapl', 0.2), [only])).toMatchObject([{ state: 'ok' }]);
    expect(runLengths(runs('rapl', 0.02), [only])).toMatchObject([
      {
        state: 'warn',
        detail:
          'The shortest window is 0.02 s long. The counter is up to 1 ms late, which leaves 4.1 % of such a run uncertain.',
        advice: expect.stringContaining('at least 0.1 s'),
      },
    ]);
  });

  it('tells of a channel beside the primary one where it is too short for it, and fails nothing for it', () => {
    const beside = { ...wall, channel: 'second', primary: false };
    const both = [...runs('wall', 40), ...runs('second', 5), ...runs('rapl', 5)];
    expect(runLengths(both, [wall, beside, { ...rapl, primary: false }])).toMatchObject([
      { name: 'run length', state: 'ok' },
      { name: 'run length for second', state: 'warn' },
    ]);
  });

  it('warns where nothing was measured', () => {
    expect(runLengths([], [wall])).toMatchObject([{ name: 'run length', state: 'warn' }]);
  });
});
