import type { Calibration } from '../findings/passport.ts';
import type { SampleColumns } from '../store/records.ts';

/** Converts samples to calibrated watts; the stored readings stay as the meter gave them. */
export function inTrueWatts(columns: SampleColumns, calibration: Calibration | undefined): SampleColumns {
  if (calibration === undefined) return columns;
  const { gain, offset_w } = calibration;
  return { ...columns, powerW: columns.powerW.map((watts) => gain * watts + offset_w) };
}

/**
 * Standard uncertainties of a calibrated energy in joules: of the line's slope and the reference meter's class, which cancel in a ratio, and of the
 * line's offset. null: the calibration had a single load, so the slope, and the error at other powers, are unknown.
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

/** Like `calibratedClass`, for the energy above idle, from which the line's offset is subtracted. */
export function calibratedNetClass(
  { gain, gain_u, common_gain_u }: Calibration,
  netEnergyJ: number,
): { readonly gainJ: number | null; readonly offsetJ: number } {
  const gainJ = gain_u === null ? null : Math.hypot(common_gain_u, gain_u / gain) * Math.abs(netEnergyJ);
  return { gainJ, offsetJ: 0 };
}

/** Standard uncertainty of the calibrated power at zero load, watts: the part of a calibration's uncertainty that does not cancel in a ratio. */
export function offsetUncertaintyW({ pivot_w, level_u_w, gain_u, common_offset_u_w }: Calibration): number | null {
  return gain_u === null ? null : Math.hypot(level_u_w, gain_u * pivot_w, common_offset_u_w);
}
