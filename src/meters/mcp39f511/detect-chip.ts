import { type Chip, otherChip } from './chips.ts';
import { type Block, DEFAULT_POWER_RANGE, parseSettings } from './outputs.ts';

/** Upper bound on a range: a larger one would make one count more than 80 W. The other chip has zeros or something else there. */
const LARGEST_RANGE = 32;
/** Upper bound on the accumulation: 2^8 line cycles are 5 s. */
const LARGEST_ACCUMULATION = 8;
/** Counts (10 mW, 10 mVA) of active or apparent power from which these and the power factor are precise enough to be compared. */
const ENOUGH_COUNTS = 200;

/** Whether the contents of the chip's setting registers can be settings of that chip. */
export function areSettings(block: Block, chip: Chip): boolean {
  const { accumulation, voltageRange, currentRanges, powerRanges } = parseSettings(block, chip);
  const ranges = [voltageRange, currentRanges[0] ?? 0, powerRanges[0] ?? 0];
  return accumulation <= LARGEST_ACCUMULATION && ranges.every((range) => range >= 1 && range <= LARGEST_RANGE);
}

export type Fit = 'fits' | 'contradicts' | 'unclear';

/**
 * Whether the first channel's active power is its apparent power times its power factor, each read where this chip has it. Unclear without a load,
 * and at a power range that isn't the default, where the apparent power may keep its scale.
 */
export function powersFit(block: Block, chip: Chip, powerRange: number): Fit {
  const [channel] = chip.channels;
  if (!channel || powerRange !== DEFAULT_POWER_RANGE) return 'unclear';
  const active = block.u32(channel.activePower);
  const apparent = block.u32(channel.apparentPower);
  if (Math.max(active, apparent) < ENOUGH_COUNTS) return 'unclear';
  const expected = (Math.abs(block.s16(channel.powerFactor)) / 2 ** 15) * apparent;
  return Math.abs(active - expected) <= 0.05 * apparent + 5 ? 'fits' : 'contradicts';
}

/** Blocks read at the setting registers of the chip that was named, at those of the other one (null: refused), and at the powers. */
export interface Evidence {
  readonly named: Block;
  readonly other: Block | null;
  readonly powers: Block;
}

/**
 * Which chip is it that the user named `named`? `other`: everything speaks for the other one. `neither`: its settings are none.
 * `either`: nothing tells them apart. `doubtful`: as named, but its outputs contradict each other.
 */
export type Verdict = 'named' | 'other' | 'neither' | 'either' | 'doubtful';

export function detectChip(named: Chip, evidence: Evidence): Verdict {
  const other = otherChip(named);
  const otherIsPossible = evidence.other !== null && areSettings(evidence.other, other);
  if (!areSettings(evidence.named, named)) return otherIsPossible ? 'other' : 'neither';
  const [powerRange = DEFAULT_POWER_RANGE] = parseSettings(evidence.named, named).powerRanges;
  const fit = powersFit(evidence.powers, named, powerRange);
  if (fit === 'fits') return 'named';
  // The other chip's own range may be unreadable here, so its outputs are compared as at the default.
  const otherFit = powersFit(evidence.powers, other, DEFAULT_POWER_RANGE);
  if (fit === 'contradicts') return otherFit === 'fits' ? 'other' : 'doubtful';
  return otherIsPossible ? 'either' : 'named';
}
