import type { Calibration, CalibrationPoint } from '../../findings/passport.ts';
import { short } from '../../text/numbers.ts';
import { listed, plain } from '../../text/plain.ts';

/** `power = 1.0123 × reading − 0.31 W, from reference loads of 0 W and 60 W ± 0.5 % (2026-11-22); ± 0.2 W at 60 W`. */
export function calibrationText(calibration: Calibration): string {
  const { by, points, gain, offset_w, pivot_w, level_u_w, gain_u, common_gain_u, common_offset_u_w } = calibration;
  const offset = offset_w === 0 ? '' : ` ${offset_w < 0 ? '−' : '+'} ${short(Math.abs(offset_w), 2)} W`;
  const day = points
    .map(({ when }) => when.slice(0, 10))
    .toSorted()
    .at(-1);
  const levelW = gain * pivot_w + offset_w;
  const uncertainW = 2 * Math.hypot(level_u_w, common_offset_u_w, common_gain_u * levelW);
  const from =
    by === null
      ? `from ${points.length === 1 ? 'a reference load' : 'reference loads'} of ${listed(points.map(loadText))}`
      : `against ${plain(by.type, 40)}${by.address === null ? '' : ` at ${plain(by.address, 80)}`}`;
  return [
    `power = ${short(gain, 5)} × reading${offset}, ${from} (${day})`,
    `± ${short(uncertainW, 2)} W at ${short(levelW, 3)} W`,
    ...(gain_u === null ? ['one load can’t tell a gain from an offset, so the joules have no stated uncertainty'] : []),
  ].join('; ');
}

function loadText({ true_w, true_u_w }: CalibrationPoint): string {
  if (true_u_w === 0) return `${short(true_w, 4)} W, taken as exact`;
  return `${short(true_w, 4)} W ± ${short(true_u_w * Math.sqrt(3), 2)} W`;
}
