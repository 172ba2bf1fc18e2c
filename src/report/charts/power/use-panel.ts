import { axisFromZero, computeExtent } from '../parts/axis.ts';
import type { Panel } from '../parts/panels.ts';

/** Height of the panel beneath the power, pixels. */
export const USE_ROOM = 90;

/** Where the numbers come from, for a caption. */
export const USE_SOURCE = 'share of the time of all processors in use, counted by the kernel of the host in /proc/stat';

/** Panel `u` of processor use in percent, with room above and below; null: none was recorded. */
export function usePanel(shares: readonly number[], height = USE_ROOM): Panel | null {
  const [, high] = computeExtent(shares.filter(Number.isFinite));
  if (high < 0) return null;
  const top = high || 1;
  const isLow = height < USE_ROOM;
  const axis = { ...axisFromZero(0, top, isLow ? 2 : 3), min: -0.12 * top, max: 1.3 * top };
  return { id: 'u', height, axis, title: isLow ? '%' : 'Processors (%)' };
}
