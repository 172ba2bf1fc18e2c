import type { MeterHost } from '../meter.ts';
import { type Answer, notHere } from '../modbus/answer.ts';
import type { ReadRequest } from '../modbus/frames.ts';
import { ModbusLine, type Patience } from '../modbus/modbus-line.ts';
import { type PzemReading, REGISTERS, readRegisters } from './registers.ts';

/** Address to which any single module on the bus answers. */
export const GENERAL_ADDRESS = 0xf8;

const FORMAT = { baudRate: 9600 };
/** Time limit and attempts; a reply takes 70 to 126 ms. */
export const PATIENCE: Patience = { timeoutMs: 300, attempts: 3 };

export interface Identified {
  readonly modbus: ModbusLine;
  /** The request that this firmware answers. */
  readonly request: ReadRequest;
  readonly reading: PzemReading;
}

/**
 * Opens the port and makes sure that a PZEM answers at its end: a reply of the right shape, with values that it can measure.
 * Throws MeasureError with the port closed again: not there, not allowed, in use, something else on it.
 */
export async function openIdentified(host: MeterHost, path: string, unit: number): Promise<Identified> {
  const modbus = await ModbusLine.open(host, path, FORMAT);
  try {
    const { request, answer } = await ask(modbus, unit, PATIENCE);
    if ('none' in answer) throw notHere('PZEM-004T', path, answer, ADVICE);
    return { modbus, request, reading: answer.value };
  } catch (error) {
    await modbus.close();
    throw error;
  }
}

/** Does a PZEM answer on this port, at the general address? Only reads. Throws MeasureError when the port can't be used. */
export async function probe(host: MeterHost, path: string): Promise<PzemReading | null> {
  const modbus = await ModbusLine.open(host, path, FORMAT);
  try {
    const { answer } = await ask(modbus, GENERAL_ADDRESS, { ...PATIENCE, attempts: 2 });
    return 'none' in answer ? null : answer.value;
  } finally {
    await modbus.close();
  }
}

async function ask(
  modbus: ModbusLine,
  unit: number,
  how: Patience,
): Promise<{ request: ReadRequest; answer: Answer<PzemReading> }> {
  const request: ReadRequest = { unit, registers: 'input', address: REGISTERS.address, count: REGISTERS.count };
  const answer = await modbus.read(request, readRegisters, how);
  if (!('none' in answer) || answer.none !== 'refused') return { request, answer };
  // Older firmware has no alarm register and refuses a read that includes it.
  const shorter = { ...request, count: REGISTERS.countWithoutAlarm };
  return { request: shorter, answer: await modbus.read(shorter, readRegisters, how) };
}

const ADVICE =
  'Is this the right port, and is the module connected to the mains? It answers only then; on a PZEM-004T, 5V, RX, TX and GND must all be wired. ' +
  'With several modules on one bus each needs its own ?unit=.';
