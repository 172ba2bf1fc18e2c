// Class: system.
import { describe, expect, it } from '@jest/globals';
import { calibratedClass, inTrueWatts, offsetUncertaintyW } from '../../../../src/analysis/calibrated.ts';
import type { CalibrationPoint } from '../../../../src/findings/passport.ts';
import { fitCalibration, referenceLoad } from '../../../../src/parts/bench/tools/calibration.ts';
import { pointOf } from '../../../../src/parts/bench/tools/reference.ts';
import { calibrationText } from '../../../../src/report/words/calibration.ts';
import { createPrng } from '../../../../src/stats/prng.ts';

const WATTS_UP = { gainPercent: 1.5, offsetW: 0.3 };
const point = (true_w: number, read_w: number, true_u_w = 0.1, read_u_w = 0.05): CalibrationPoint => {
  return { when: '2026-11-22T12:00:00.000Z', true_w, true_u_w, read_w, read_u_w, readings: 30 };
};

describe('referenceLoad', () => {
  it.each([
    ['60W', 60, null],
    ['60W±0.5%', 60, 0.3],
    ['1.2 kW +- 3 W', 1200, 3],
    ['0W', 0, null],
  ])('reads %s', (text, powerW, limitW) => {
    expect(referenceLoad(text)).toEqual({ powerW, limitW });
  });

  it.each(['60', 'W', '60J', '60W±', '-60W', '60W 1%'])('refuses %s, and says how to write it', (text) => {
    expect(() => referenceLoad(text)).toThrow(`--reference ${text} is not the power of a load.`);
  });
});

describe('fitCalibration', () => {
  it('finds gain and offset of two loads', () => {
    const { gain, offset_w } = fitCalibration([point(0, 0.4), point(60, 62.4)], null);
    expect(gain).toBeCloseTo(60 / 62, 9);
    expect(offset_w).toBeCloseTo((-0.4 * 60) / 62, 9);
  });

  it('has a gain alone of one load, with what the offset of the class may have in it', () => {
    const known = fitCalibration([point(60, 61.2)], WATTS_UP);
    expect(known).toMatchObject({ offset_w: 0, gain: expect.closeTo(60 / 61.2, 9) });
    expect(known.gain_u).toBeCloseTo(0.3 / Math.sqrt(3) / 61.2, 9);
    expect(fitCalibration([point(60, 61.2)], null).gain_u).toBeNull();
    expect(calibrationText(fitCalibration([point(60, 61.2, 0)], null))).toBe(
      'power = 0.98039 × reading, from a reference load of 60 W, taken as exact (2026-11-22); ± 0.098 W at 60 W; one load can’t tell a gain from an offset, so the joules have no stated uncertainty',
    );
  });

  it('knows a gain of one load in parts of the power: twice as much at twice the load, and less than that in a ratio', () => {
    const known = fitCalibration([point(60, 61.2)], WATTS_UP);
    const uncertainW = (watts: number) => {
      const { gainJ, offsetJ } = calibratedClass({ ...known, gain_u: 0 }, watts, 1);
      return Math.hypot(gainJ as number, offsetJ);
    };
    expect(uncertainW(120)).toBeCloseTo(2 * uncertainW(60), 9);
    expect(uncertainW(60)).toBeCloseTo(Math.hypot(0.1, 0.05 * known.gain), 6);
    expect(offsetUncertaintyW(known)).toBeCloseTo(0.3 / Math.sqrt(3), 9);
  });

  it('takes an offset alone of nothing on the meter', () => {
    expect(fitCalibration([point(0, 0.4, 0)], WATTS_UP)).toMatchObject({ gain: 1, offset_w: -0.4, level_u_w: 0.05 });
    expect(fitCalibration([point(0, 0, 0, 0)], null)).toMatchObject({ gain: 1, offset_w: 0, gain_u: null });
  });

  it('refuses a load that is not on the meter', () => {
    expect(() => fitCalibration([point(60, 3)], WATTS_UP)).toThrow(
      "The meter can't have seen this load: it read 3.0 W for 60.0 W.",
    );
  });

  it('states an uncertainty that holds the true energy in at least 95 of 100 calibrations, at any power', () => {
    const random = createPrng(5);
    const uniform = () => random.u32() / 2 ** 32;
    const gauss = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
    const tries = Array.from({ length: 400 }, (_, i) => {
      const gain = 1 + 0.06 * (uniform() - 0.5);
      const offsetW = 0.6 * (uniform() - 0.5);
      const one = i % 2 === 0;
      const loads = one
        ? [{ powerW: 60, limitW: 0.3 }]
        : [
            { powerW: 0, limitW: 0 },
            { powerW: 100, limitW: 0.5 },
          ];
      const points = loads.map((load) => {
        const truth = load.powerW + load.limitW * (2 * uniform() - 1);
        const samples = Array.from({ length: 40 }, (_, k) => {
          const powerW = Math.round((truth * gain + offsetW + 0.2 * gauss()) * 10) / 10;
          return { tNs: BigInt(k), powerW, durationS: 1 };
        });
        return pointOf(
          samples,
          { channel: 'wall', integration: 'guard', clock: 'host', samplingPeriodS: 1, resolutionW: 0.1 },
          load,
        );
      });
      const calibration = fitCalibration(points, WATTS_UP);
      const trueW = 20 + 100 * uniform();
      const columns = {
        tNs: Float64Array.of(0),
        powerW: Float64Array.of(trueW * gain + offsetW),
        durationS: Float64Array.of(1),
      };
      const foundW = inTrueWatts(columns, calibration).powerW[0] as number;
      const { gainJ, offsetJ } = calibratedClass(calibration, foundW * 10, 10);
      return Math.abs(foundW - trueW) * 10 <= 2 * Math.hypot(gainJ as number, offsetJ);
    });
    expect(tries.filter(Boolean).length).toBeGreaterThanOrEqual(380);
  });
});
