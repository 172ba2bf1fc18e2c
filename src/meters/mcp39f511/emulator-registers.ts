import { randomUnit } from '../emulator/random.ts';
import {
  type Chip,
  emulatorVersion,
  frequencyRegister,
  statusRegister,
  versionRegister,
  voltageRegister,
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
  /** The meter's inlet has mains. */
  readonly mains: boolean;
  /** Watts of one count of active power; default: as the range says. */
  readonly countW?: number;
}

const powerFactor = 0.9;
const nominalTenthsOfVolt = 2300;
const allPositive = 0xf0;
const acStatus = 1 << 12;
/** One count of apparent power, whatever the range of power is. */
const countVa = 0.01;
const largestCount = 2 ** 32 - 1;

/** The chip's registers when its channels show these powers, watts. `index` numbers the computations, for the fluctuation of the mains. */
export function registersOf(state: ChipState, powersW: readonly number[], index: number, seed: number): Uint8Array {
  const { chip, accumulation, voltageRange, currentRange, powerRange, lineHz, mains } = state;
  const registers = new Uint8Array(0x100);
  const view = new DataView(registers.buffer);
  const voltage = mains ? nominalTenthsOfVolt + wander(seed + 2, index) : 6;
  let status = allPositive | acStatus;
  for (const [at, channel] of chip.channels.entries()) {
    const powerW = mains ? (powersW[at] ?? 0) : 0;
    const apparentVa = Math.abs(powerW) / powerFactor;
    const countW = state.countW ?? wattsPerCount(powerRange);
    view.setUint32(channel.activePower, Math.min(largestCount, Math.round(Math.abs(powerW) / countW)), true);
    view.setUint32(channel.apparentPower, Math.round(apparentVa / countVa), true);
    view.setInt16(channel.powerFactor, powerW === 0 ? 0 : Math.round(powerFactor * 2 ** 15), true);
    view.setUint32(reactivePower(channel.activePower, chip), Math.round((apparentVa * 0.3) / countVa), true);
    view.setUint32(current(at), Math.round((apparentVa / voltage) * 1e5), true);
    view.setUint8(channel.currentRange, currentRange);
    view.setUint8(channel.powerRange, powerRange);
    if (powerW < 0) status &= ~(1 << channel.signBit);
  }
  view.setUint16(statusRegister, status, true);
  view.setUint16(versionRegister, state.version ?? emulatorVersion, true);
  view.setUint16(voltageRegister, voltage, true);
  view.setUint16(frequencyRegister, mains ? Math.round(lineHz * 1000) + wander(seed + 4, index) : 0, true);
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
