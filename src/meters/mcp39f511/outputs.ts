import {
  type Chip,
  type ChipChannel,
  FREQUENCY_REGISTER,
  STATUS_REGISTER,
  VERSION_REGISTER,
  VOLTAGE_REGISTER,
} from './chips.ts';

/** A stretch of registers as read, accessed by register address; numbers are little-endian. RangeError outside of it. */
export class Block {
  readonly #address: number;
  readonly #view: DataView;

  constructor(address: number, data: Uint8Array) {
    this.#address = address;
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  /** Does every register have the same content? */
  equals(other: Block): boolean {
    return Buffer.compare(bytesOf(this.#view), bytesOf(other.#view)) === 0;
  }

  u8(address: number): number {
    return this.#view.getUint8(address - this.#address);
  }

  u16(address: number): number {
    return this.#view.getUint16(address - this.#address, true);
  }

  s16(address: number): number {
    return this.#view.getInt16(address - this.#address, true);
  }

  u32(address: number): number {
    return this.#view.getUint32(address - this.#address, true);
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: DataView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export interface Outputs {
  /** Date code set in the factory. */
  readonly version: number;
  readonly voltageV: number;
  readonly lineFrequencyHz: number;
}

/** Outputs that both chips have at the same addresses. The voltage is right only at its default range. */
export function outputsOf(block: Block): Outputs {
  return {
    version: block.u16(VERSION_REGISTER),
    voltageV: block.u16(VOLTAGE_REGISTER) / 10,
    lineFrequencyHz: block.u16(FREQUENCY_REGISTER) / 1000,
  };
}

/** Whether there is mains voltage; without it, the frequency is 0. */
export function hasMains({ lineFrequencyHz }: Outputs): boolean {
  return lineFrequencyHz >= 45 && lineFrequencyHz <= 65;
}

/** Range byte at which a power register counts 10 mW. */
export const DEFAULT_POWER_RANGE = 19;

/** Watts of one count: 0.01·2^(range − 19), inferred from the constants of the Green Metrics Tool (19 is 10 mW, 6 is 1.22 µW). */
export function wattsPerCount(powerRange: number): number {
  return 0.01 * 2 ** (powerRange - DEFAULT_POWER_RANGE);
}

/** Watts of a channel: the register holds the magnitude, and a bit of System Status is 1 where power flows to the load. */
export function activePowerW(block: Block, { activePower, signBit }: ChipChannel, powerRange: number): number {
  const magnitudeW = block.u32(activePower) * wattsPerCount(powerRange);
  const positive = ((block.u16(STATUS_REGISTER) >> signBit) & 1) === 1;
  return positive || magnitudeW === 0 ? magnitudeW : -magnitudeW;
}

export interface Settings {
  /** N: a computation takes 2^N line cycles. */
  readonly accumulation: number;
  readonly voltageRange: number;
  /** Current range of each channel. */
  readonly currentRanges: readonly number[];
  readonly powerRanges: readonly number[];
}

export function parseSettings(block: Block, chip: Chip): Settings {
  return {
    accumulation: block.u16(chip.accumulation),
    voltageRange: block.u8(chip.voltageRange),
    currentRanges: chip.channels.map(({ currentRange }) => block.u8(currentRange)),
    powerRanges: chip.channels.map(({ powerRange }) => block.u8(powerRange)),
  };
}

/** Seconds of one computation: 2^N line cycles (data sheet, Accumulation Interval Parameter). */
export function accumulationS({ accumulation }: Settings, lineFrequencyHz: number): number {
  return 2 ** accumulation / lineFrequencyHz;
}
