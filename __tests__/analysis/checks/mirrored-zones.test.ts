// Class: unit.
import { expect, it } from '@jest/globals';
import { analyzeStore } from '../../../src/analysis/analyze.ts';
import type { MeterInfo } from '../../../src/contracts/reading.ts';
import { reportedCheck } from '../../report/words/reported.ts';
import { wallMeter } from '../../store/fixtures.ts';
import { withSimulatedStore } from '../simulated-store.ts';

const blocks = Array.from({ length: 6 }, () =>
  ['native', 'container'].map((variant) => ({ variant, lengthS: 12, loadW: 60 })),
);
const rapl = (identity: MeterInfo['identity']): MeterInfo => ({
  ...wallMeter,
  type: 'rapl',
  address: '/sys/class/powercap',
  identity,
  channels: ['rapl', 'package-0'].map((channel) => ({
    channel,
    integration: 'counter',
    samplingPeriodS: 1,
    clock: 'host',
  })),
});
const reported = (...meters: MeterInfo[]) =>
  withSimulatedStore({ blocks, meters }, (reader) =>
    analyzeStore(reader)
      .findings.quality.checks.filter(({ name }) => name === 'mirrored zones')
      .map(reportedCheck),
  );

it('tells once which zones of RAPL were left out, beside another meter too', () => {
  const mirrored = rapl({ zones: 'package-0-die-0', packages: 1, complete: true, mirrors: 'package-0-die-1' });
  const check = {
    name: 'mirrored zones',
    state: 'ok',
    detail:
      'rapl:/sys/class/powercap has zones that show one counter: it counted package-0-die-0, and did not add package-0-die-1.',
    advice: 'Programs that add every zone report more for this machine: compare them with package-0-die-0 alone.',
  };
  expect(reported(mirrored)).toEqual([check]);
  expect(reported(wallMeter, mirrored)).toEqual([check]);
});

it('tells nothing where every zone has its own counter, or of another meter', () => {
  expect(reported(rapl({ zones: 'package-0, package-1', packages: 2, complete: true }))).toEqual([]);
  expect(reported({ ...wallMeter, identity: { mirrors: 'package-0-die-1' } })).toEqual([]);
});
