// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../src/analysis/analyze.ts';
import { fitCalibration } from '../../src/parts/bench/tools/calibration.ts';
import { samplesCsv } from '../../src/report/csv.ts';
import { conditions } from '../../src/report/sections/conditions.ts';
import { passport } from '../findings/passport.ts';
import { wallMeter } from '../store/fixtures.ts';
import { withSimulatedStore } from './simulated-store.ts';

const run = (variant: string, loadW: number) => ({ variant, lengthS: 20, loadW });
const blocks = Array.from({ length: 6 }, (_, i) => [run('native', 80 + 0.1 * i), run('container', 84 + 0.1 * i)]);
const point = (true_w: number, read_w: number) => {
  return { when: '2026-11-22T12:00:00.000Z', true_w, true_u_w: 0.1, read_w, read_u_w: 0.02, readings: 40 };
};
/** True power is 0.9 × reading + 2 W. */
const calibration = fitCalibration([point(38, 40), point(92, 100)], null);

describe('an experiment on a calibrated meter', () => {
  const reported = (meter: object) =>
    withSimulatedStore({ blocks, meters: [{ ...wallMeter, accuracy: null, ...meter }] }, (reader) => ({
      ...analyzeStore(reader),
      csv: [...samplesCsv(reader)].join(''),
    }));

  it('has corrected energies with the uncertainty of the calibration, and keeps its readings as they came', () => {
    const raw = reported({});
    const corrected = reported({ passport: { ...passport, calibration } });
    expect(corrected.csv).toBe(raw.csv);
    corrected.runs.forEach(({ energyJ, netEnergyJ, durationS, uncertaintyJ }, i) => {
      expect(energyJ).toBeCloseTo(0.9 * (raw.runs[i]?.energyJ as number) + 2 * (durationS as number), 6);
      expect(netEnergyJ).toBeCloseTo(0.9 * (raw.runs[i]?.netEnergyJ as number), 6);
      // About 0.1 W for 20 s, k = 2; without a class and a calibration nobody knows.
      expect(uncertaintyJ).toBeGreaterThan(2);
      expect(uncertaintyJ).toBeLessThan(8);
      expect(raw.runs[i]?.uncertaintyJ).toBeNull();
    });
    expect(corrected.traces[0]?.powerW[5]).toBeCloseTo(0.9 * (raw.traces[0]?.powerW[5] as number) + 2, 6);
  });

  it('is told in the report', () => {
    const { findings } = reported({ passport: { ...passport, calibration } });
    expect(JSON.stringify(conditions(findings))).toContain(
      'power = 0.9 × reading + 2 W, from reference loads of 38 W ± 0.17 W and 92 W ± 0.17 W',
    );
  });

  it('corrects the first channel of the meter alone: that one was held against the load', () => {
    const channels = [wallMeter.channels[0]!, { ...wallMeter.channels[0]!, channel: 'outlet-2' }];
    const raw = reported({ channels });
    const corrected = reported({ channels, passport: { ...passport, calibration } });
    const energies = ({ runs }: typeof raw, of: string) =>
      runs.filter(({ channel }) => channel === of).map(({ energyJ }) => energyJ);
    expect(energies(corrected, 'outlet-2')).toEqual(energies(raw, 'outlet-2'));
    expect(energies(corrected, 'wall')).not.toEqual(energies(raw, 'wall'));
  });
});
