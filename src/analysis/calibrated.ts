import type { Calibration } from '../findings/passport.ts';
import type { SampleColumns } from '../store/records.ts';

/** The columns in true watts: what is stored stays as it was read, and is converted anew each time. */
export function inTrueWatts(columns: SampleColumns, calibration: Calibration | undefined): SampleColumns {
  if (calibration === undefined) return columns;
  const { gain, offset_w } = calibration;
  return { ...columns, powerW: columns.powerW.map((watts) => gain * watts + offset_w) };
}

/**
 * Standard uncertainties of a calibrated energy in joules: the slope of the line and the class of the better meter, which cancel in a ratio, and the
 * height of the line. null: one load told no slope, so at another power nothing is known.
 */
export function calibratedClass(
  calibration: Calibration,
  energyJ: number,
  lengthS: number,
): { readonly gainJ: number | null; readonly offsetJ: number } {
  const { gain, offset_w, pivot_w, level_u_w, gain_u, common_gain_u, common_offset_u_w } = calibration;
  const readJ = (energyJ - offset_w * lengthS) / gain;
  return {
    gainJ: gain_u === null ? null : Math.hypot(common_gain_u * energyJ, gain_u * (readJ - pivot_w * lengthS)),
    offsetJ: Math.hypot(level_u_w, common_offset_u_w) * lengthS,
  };
}

/** The same above idle, where the height of the line is taken off. */
export function calibratedNetClass(
  { gain, gain_u, common_gain_u }: Calibration,
  netEnergyJ: number,
): { readonly gainJ: number | null; readonly offsetJ: number } {
  const gainJ = gain_u === null ? null : Math.hypot(common_gain_u, gain_u / gain) * Math.abs(netEnergyJ);
  return { gainJ, offsetJ: 0 };
}

/** Standard uncertainty of the power that the meter would show without a load, watts: what a ratio keeps of a calibration. */
export function offsetUncertaintyW({ pivot_w, level_u_w, gain_u, common_offset_u_w }: Calibration): number | null {
  return gain_u === null ? null : Math.hypot(level_u_w, gain_u * pivot_w, common_offset_u_w);
}
