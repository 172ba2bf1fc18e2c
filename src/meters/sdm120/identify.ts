import { MeasureError } from '../../errors.ts';
import type { MeterHost } from '../meter.ts';
import { notHere } from '../modbus/answer.ts';
import type { ReadRequest } from '../modbus/frames.ts';
import { ModbusLine, type Patience } from '../modbus/modbus-line.ts';
import type { LineFormat } from '../serial/line.ts';
import { REGISTERS, readFrequency, readMark, readPower, readVoltage } from './registers.ts';

export const DEFAULT_UNIT = 1;
export const DEFAULT_BAUD_RATE = 2400;

/** Time limit of an exchange: 300 ms for the meter, and 17 characters of 11 bits on the wire. */
const THINKING_MS = 300;
const EXCHANGE_BITS = 17 * 11;
/** Power below which energy clearly flows back, watts; values nearer to zero may be noise. */
const BACKWARDS_W = -2;

export interface Settings {
  readonly path: string;
  readonly format: LineFormat;
  readonly unit: number;
}

export interface Identity {
  readonly voltageV: number;
  readonly frequencyHz: number;
  readonly emulated: boolean;
}

export function requestFor(unit: number, register: keyof typeof REGISTERS): ReadRequest {
  return { unit, registers: 'input', address: REGISTERS[register], count: 2 };
}

export function patienceFor({ baudRate }: LineFormat, attempts = 3): Patience {
  return { timeoutMs: Math.ceil(THINKING_MS + (EXCHANGE_BITS * 1000) / baudRate), attempts };
}

/**
 * Opens the port and makes sure that an SDM answers at its end: voltage, frequency and power that it can measure.
 * Throws MeasureError with the port closed again: not there, not allowed, in use, something else on it, wired the wrong way round.
 */
export async function openIdentified(host: MeterHost, settings: Settings): Promise<[ModbusLine, Identity]> {
  const { path, unit, format } = settings;
  const modbus = await ModbusLine.open(host, path, format);
  const patience = patienceFor(format);
  try {
    const mains = await askMains(modbus, unit, patience);
    if ('none' in mains) throw notHere('SDM120 or SDM230', path, mains, ADVICE);
    const power = await modbus.read(requestFor(unit, 'power'), readPower, patience);
    if ('none' in power) throw notHere('SDM120 or SDM230', path, power, ADVICE);
    if (power.value < BACKWARDS_W) {
      throw new MeasureError(`The SDM meter on ${path} counts ${power.value.toFixed(1)} W: energy that flows back.`, {
        advice: 'Its supply and load sides are swapped; have them rewired.',
      });
    }
    return [modbus, { ...mains, emulated: await isEmulated(modbus, unit, patience) }];
  } catch (error) {
    await modbus.close();
    throw error;
  }
}

/** Does an SDM answer on this port, as it comes from the factory? Only reads. Throws MeasureError when the port can't be used. */
export async function probe(host: MeterHost, path: string): Promise<Identity | null> {
  const format = { baudRate: DEFAULT_BAUD_RATE };
  const modbus = await ModbusLine.open(host, path, format);
  const patience = patienceFor(format, 2);
  try {
    const mains = await askMains(modbus, DEFAULT_UNIT, patience);
    return 'none' in mains ? null : { ...mains, emulated: await isEmulated(modbus, DEFAULT_UNIT, patience) };
  } finally {
    await modbus.close();
  }
}

/** Real meters refuse this question, or are silent. Asked as often as the others: an emulator that is not told from a meter would be worse. */
async function isEmulated(modbus: ModbusLine, unit: number, patience: Patience): Promise<boolean> {
  return 'value' in (await modbus.read(requestFor(unit, 'emulatorMark'), readMark, patience));
}

async function askMains(modbus: ModbusLine, unit: number, patience: Patience) {
  const voltage = await modbus.read(requestFor(unit, 'voltage'), readVoltage, patience);
  if ('none' in voltage) return voltage;
  const frequency = await modbus.read(requestFor(unit, 'frequency'), readFrequency, patience);
  if ('none' in frequency) return frequency;
  const rounded = ({ value }: { value: number }) => Number(value.toFixed(2));
  return { voltageV: rounded(voltage), frequencyHz: rounded(frequency) };
}

const ADVICE =
  'Is this the right port, are A and B of the bus the right way round, and do ?unit=, ?baud= and ?parity= agree with the meter’s own settings?';
