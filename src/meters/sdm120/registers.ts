import type { Parsed } from '../modbus/answer.ts';

/** Input registers, each value an IEEE 754 float in two registers, high one first (Eastron SDM120/SDM230 Modbus protocol). */
export const REGISTERS = {
  voltage: 0x0000,
  power: 0x000c,
  frequency: 0x0046,
  /** A register that these meters don't have, in which joulediff's own emulator shows itself. */
  emulatorMark: 0x4a44,
} as const;

/** "JOUL" as the bytes of the mark. */
export const EMULATOR_MARK = 0x4a4f554c;

export const readVoltage = within(60, 300, 'V');
export const readFrequency = within(40, 70, 'Hz');
/** Power; negative where energy flows back. The bounds follow from the 100 A of an SDM230. */
export const readPower = within(-30_000, 30_000, 'W');

export function readMark(data: Uint8Array): Parsed<true> {
  return viewOf(data).getUint32(0) === EMULATOR_MARK
    ? { value: true }
    : { implausible: 'it answered without the mark' };
}

function within(minimum: number, maximum: number, unit: string) {
  return (data: Uint8Array): Parsed<number> => {
    const value = viewOf(data).getFloat32(0);
    if (value >= minimum && value <= maximum) return { value };
    return { implausible: `it answered with ${Number(value.toPrecision(4))} ${unit}` };
  };
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
