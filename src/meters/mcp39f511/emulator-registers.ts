import { randomUnit } from '../emulator/emulator.ts';
import {
  type Chip,
  EMULATOR_VERSION,
  FREQUENCY_REGISTER,
  STATUS_REGISTER,
  VERSION_REGISTER,
  VOLTAGE_REGISTER,
} from './chips.ts';
import { wattsPerCount } from './outputs.ts';

export interface ChipState {
  readonly chip: Chip;
  readonly version?: number;
  /** N: a computation takes 2^N line cycles. */
  readonly accumulation: number;
  readonly voltageRange: number;
  readonly currentRange: number;
  readonly powerRange: number;
  readonly lineHz: number;
  /** Whether the meter's inlet has mains voltage. */
  readonly mains: boolean;
  /** Watts per count of active power; default: by the range. */
  readonly countW?: number;
}

const POWER_FACTOR = 0.9;
const NOMINAL_TENTHS_OF_VOLT = 2300;
const ALL_POSITIVE = 0xf0;
const AC_STATUS = 1 << 12;
/** Volt-amperes per count of apparent power, whatever the power range is. */
const COUNT_VA = 0.01;
const LARGEST_COUNT = 2 ** 32 - 1;

/** The chip's registers when its channels show these powers, watts. `index` numbers the computations, for the fluctuation of the mains. */
export function computeRegisters(
  state: ChipState,
  powersW: readonly number[],
  index: number,
  seed: number,
): Uint8Array {
  const { chip, accumulation, voltageRange, currentRange, powerRange, lineHz, mains } = state;
  const registers = new Uint8Array(0x100);
  const view = new DataView(registers.buffer);
  const voltage = mains ? NOMINAL_TENTHS_OF_VOLT + wander(seed + 2, index) : 6;
  let status = ALL_POSITIVE | AC_STATUS;
  for (const [at, channel] of chip.channels.entries()) {
    const powerW = mains ? (powersW[at] ?? 0) : 0;
    const apparentVa = Math.abs(powerW) / POWER_FACTOR;
    const countW = state.countW ?? wattsPerCount(powerRange);
    view.setUint32(channel.activePower, Math.min(LARGEST_COUNT, Math.round(Math.abs(powerW) / countW)), true);
    view.setUint32(channel.apparentPower, Math.round(apparentVa / COUNT_VA), true);
    view.setInt16(channel.powerFactor, powerW === 0 ? 0 : Math.round(POWER_FACTOR * 2 ** 15), true);
    view.setUint32(reactivePower(channel.activePower, chip), Math.round((apparentVa * 0.3) / COUNT_VA), true);
    view.setUint32(current(at), Math.round((apparentVa / voltage) * 1e5), true);
    view.setUint8(channel.currentRange, currentRange);
    view.setUint8(channel.powerRange, powerRange);
    if (powerW < 0) status &= ~(1 << channel.signBit);
  }
  view.setUint16(STATUS_REGISTER, status, true);
  view.setUint16(VERSION_REGISTER, state.version ?? EMULATOR_VERSION, true);
  view.setUint16(VOLTAGE_REGISTER, voltage, true);
  view.setUint16(FREQUENCY_REGISTER, mains ? Math.round(lineHz * 1000) + wander(seed + 4, index) : 0, true);
  view.setUint16(chip.accumulation, accumulation, true);
  view.setUint8(chip.voltageRange, voltageRange);
  return registers;
}

/** -20 to 20 counts, so that hardly two results in a row are alike, as with real mains. */
function wander(seed: number, index: number): number {
  return Math.floor(randomUnit(seed, index) * 41) - 20;
}

function current(channel: number): number {
  return 0x000e + 4 * channel;
}

/** After the active powers of all channels. */
function reactivePower(activePower: number, { channels }: Chip): number {
  return activePower + 4 * channels.length;
}
