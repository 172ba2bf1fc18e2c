import type { MeterInfo } from '../../../contracts/reading.ts';
import { InputError, MeasureError } from '../../../errors.ts';
import type { Calibration, CalibrationPoint } from '../../../findings/passport.ts';

/** A load of known power, with its limit of error (±); null: taken as exact. Watts. */
export interface ReferenceLoad {
  readonly powerW: number;
  readonly limitW: number | null;
}

const LOAD = /^(\d+(?:\.\d+)?)\s*(mW|W|kW)(?:\s*(?:±|\+-|\+\/-)\s*(\d+(?:\.\d+)?)\s*(%|mW|W|kW))?$/;
const WATTS = { mW: 1e-3, W: 1, kW: 1e3 };

/** Parses `60W`, `60W±0.5%`, `1.2 kW +- 3 W`. Throws InputError. */
export function referenceLoad(text: string): ReferenceLoad {
  const [, number, unit, limit, limitUnit] = LOAD.exec(text.trim()) ?? [];
  if (number === undefined || unit === undefined) {
    throw new InputError(`--reference ${text} is not the power of a load.`, {
      advice: 'Write it as 60W, or with its own uncertainty as 60W±0.5% or 60W+-0.3W.',
    });
  }
  const powerW = Number(number) * WATTS[unit as keyof typeof WATTS];
  if (limit === undefined) return { powerW, limitW: null };
  const inWatts = limitUnit === '%' ? powerW / 100 : WATTS[limitUnit as keyof typeof WATTS];
  return { powerW, limitW: Number(limit) * inWatts };
}

/** Uncertainty from the better meter's class, common to all points; standard uncertainties. */
export interface CommonUncertainty {
  readonly by: Calibration['by'];
  readonly gain: number;
  readonly offsetW: number;
}

export const BY_LOADS: CommonUncertainty = { by: null, gain: 0, offsetW: 0 };

/** Minimum relative span of the readings for determining a gain. */
const MIN_SPAN = 0.05;

/**
 * Calibration line from readings to powers, weighted by the points' uncertainties (effective variance, σ² = u²(true) + gain²·u²(reading), by
 * iteration: Orear 1982; larger scatter widens it, Birge 1932). A single point gives a gain, whose uncertainty includes the offset of the meter's
 * class; without a class it is unknown. Throws MeasureError if the meter can't have measured these loads.
 */
export function fitCalibration(
  points: readonly CalibrationPoint[],
  accuracy: MeterInfo['accuracy'],
  common: CommonUncertainty = BY_LOADS,
): Calibration {
  const { ofPower = 0, ...line } = fitted(points, accuracy);
  if (!(line.gain >= 0.5 && line.gain <= 2)) {
    const pairs = points.map(({ true_w, read_w }) => `${read_w.toFixed(1)} W for ${true_w.toFixed(1)} W`);
    throw new MeasureError(`The meter can't have seen this load: it read ${pairs.join(', ')}.`, {
      advice: 'Is the reference load on this meter, alone, and switched on? Nothing was kept.',
    });
  }
  const commonGainU = Math.hypot(common.gain, ofPower);
  return { by: common.by, points: [...points], ...line, common_gain_u: commonGainU, common_offset_u_w: common.offsetW };
}

type Line = Pick<Calibration, 'gain' | 'offset_w' | 'pivot_w' | 'level_u_w' | 'gain_u'> & {
  /** Standard uncertainty relative to the power. */
  readonly ofPower?: number;
};

function fitted(points: readonly CalibrationPoint[], accuracy: MeterInfo['accuracy']): Line {
  if (points.every(({ true_w }) => true_w === 0)) return offsetOf(points, accuracy);
  const reads = points.map(({ read_w }) => read_w);
  const span = Math.max(...reads) - Math.min(...reads);
  return span > MIN_SPAN * Math.max(...reads.map(Math.abs)) ? lineThrough(points) : fitGain(points, accuracy);
}

/** A single point without load gives an offset only; the gain stays that of the class. */
function offsetOf(points: readonly CalibrationPoint[], accuracy: MeterInfo['accuracy']): Line {
  const [{ read_w, read_u_w }] = points as readonly [CalibrationPoint];
  const gainU = accuracy && accuracy.gainPercent / 100 / Math.sqrt(3);
  return { gain: 1, offset_w: 0 - read_w, pivot_w: read_w, level_u_w: read_u_w, gain_u: gainU };
}

function fitGain(points: readonly CalibrationPoint[], accuracy: MeterInfo['accuracy']): Line {
  const scale = (points[0] as CalibrationPoint).true_w / (points[0] as CalibrationPoint).read_w;
  const weights = points.map((p) => 1 / Math.max(TINY, Math.hypot(p.true_u_w, scale * p.read_u_w)) ** 2);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const mean = (of: (point: CalibrationPoint) => number) =>
    points.reduce((all, point, i) => all + of(point) * (weights[i] as number), 0) / sum;
  const trueW = mean(({ true_w }) => true_w);
  const readW = mean(({ read_w }) => read_w);
  return {
    gain: trueW / readW,
    offset_w: 0,
    pivot_w: readW,
    level_u_w: 0,
    ofPower: 1 / Math.sqrt(sum) / trueW,
    gain_u: accuracy && accuracy.offsetW / Math.sqrt(3) / readW,
  };
}

/** Minimum uncertainty of a reading, watts. */
const TINY = 1e-4;

function lineThrough(points: readonly CalibrationPoint[]): Line {
  let gain = 1;
  let line = weightedLine(points, gain);
  for (let i = 0; i < 20 && Math.abs(line.gain - gain) > 1e-12; i++) {
    gain = line.gain;
    line = weightedLine(points, gain);
  }
  return line;
}

function weightedLine(points: readonly CalibrationPoint[], slope: number): Line {
  const weights = points.map((p) => 1 / Math.max(TINY, Math.hypot(p.true_u_w, slope * p.read_u_w)) ** 2);
  const sum = (of: (point: CalibrationPoint) => number) =>
    points.reduce((all, point, i) => all + of(point) * (weights[i] as number), 0);
  const all = sum(() => 1);
  const pivot = sum(({ read_w }) => read_w) / all;
  const level = sum(({ true_w }) => true_w) / all;
  const spread = sum(({ read_w }) => (read_w - pivot) ** 2);
  const gain = sum(({ read_w, true_w }) => (read_w - pivot) * (true_w - level)) / spread;
  const residual = sum(({ read_w, true_w }) => (true_w - level - gain * (read_w - pivot)) ** 2);
  const birge = points.length > 2 ? Math.max(1, Math.sqrt(residual / (points.length - 2))) : 1;
  return {
    gain,
    offset_w: level - gain * pivot,
    pivot_w: pivot,
    level_u_w: birge / Math.sqrt(all),
    gain_u: birge / Math.sqrt(spread),
  };
}
