import type { Parsed } from '../modbus/answer.ts';

/** Input registers from 0x0000 (user manual of the PZEM-004T V3.0, 2.2). */
export const REGISTERS = { address: 0x0000, count: 10, countWithoutAlarm: 9 } as const;

export interface PzemReading {
  readonly voltageV: number;
  readonly currentA: number;
  readonly powerW: number;
  readonly frequencyHz: number;
  readonly powerFactor: number;
  /** Alarm: 0xFFFF on, 0 off; null: this firmware has no such register. */
  readonly alarm: number | null;
}

/** Value of the alarm register by which joulediff's own emulator tells what it is. */
export const EMULATOR_ALARM = 0x4a44;

/**
 * Reads the data of a reply with 10 or 9 registers: high byte first in a register, low register first in a pair. Steps of
 * 0.1 V, 0.001 A, 0.1 W, 0.1 Hz, 0.01. What no PZEM can measure is no reading.
 */
export function readRegisters(data: Uint8Array): Parsed<PzemReading> {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const word = (register: number) => view.getUint16(2 * register);
  const pair = (register: number) => word(register) + word(register + 1) * 0x10000;
  const reading = {
    voltageV: word(0) / 10,
    currentA: pair(1) / 1000,
    powerW: pair(3) / 10,
    frequencyHz: word(7) / 10,
    powerFactor: word(8) / 100,
    alarm: data.length >= 2 * REGISTERS.count ? word(9) : null,
  };
  const wrong = (what: string) => ({ implausible: `it answered with ${what}` });
  if (reading.voltageV < 60 || reading.voltageV > 300) return wrong(`${reading.voltageV} V`);
  if (reading.powerW > 25_000) return wrong(`${reading.powerW} W`);
  if (reading.frequencyHz < 40 || reading.frequencyHz > 70) return wrong(`${reading.frequencyHz} Hz`);
  if (reading.powerFactor > 1) return wrong(`a power factor of ${reading.powerFactor}`);
  return { value: reading };
}

export function readPower(data: Uint8Array): Parsed<number> {
  const reading = readRegisters(data);
  return 'value' in reading ? { value: reading.value.powerW } : reading;
}
