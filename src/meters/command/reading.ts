import { excerpt } from '../excerpt.ts';

/** One line of a program's, taken apart. */
export interface LineReading {
  readonly kind: 'power' | 'energy';
  /** Watts, or joules since some moment of the program's. */
  readonly value: number;
  /** CLOCK_MONOTONIC, nanoseconds; null: the line doesn't tell when it was read. */
  readonly tNs: bigint | null;
}

/** Watts, joules beyond which nothing is a reading. */
export const MOST_W = 1e6;
const MOST_J = 1e15;

/** Why a line is no reading, as a clause: `is not JSON: "41.2 W"`. */
export class LineFault extends Error {}

/** A line of the protocol in docs/meter-protocol.md; null: a blank one. Throws LineFault. */
export function parseLine(line: string): LineReading | null {
  if (line.trim() === '') return null;
  const { power_w: powerW, energy_j: energyJ, t_ns: time } = objectOf(line);
  if (powerW !== undefined && energyJ !== undefined) throw fault('has both power_w and energy_j', line);
  const kind = energyJ === undefined ? 'power' : 'energy';
  const value = powerW === undefined ? energyJ : powerW;
  if (value === undefined) throw fault('has neither power_w nor energy_j', line);
  if (typeof value !== 'number')
    throw fault(`has a ${kind === 'power' ? 'power_w' : 'energy_j'} that is not a number`, line);
  if (!(Math.abs(value) <= (kind === 'power' ? MOST_W : MOST_J))) throw fault('tells more than any meter', line);
  return { kind, value, tNs: timeOf(time, line) };
}

function objectOf(line: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw fault('is not JSON', line);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw fault('is not a JSON object', line);
  return value as Record<string, unknown>;
}

function timeOf(time: unknown, line: string): bigint | null {
  if (time === undefined) return null;
  // Beyond 2^53 a number is no longer exact; whether it can be a time of this machine's is seen later.
  if (typeof time === 'number' && Number.isInteger(time) && time >= 0) return BigInt(time);
  if (typeof time === 'string' && /^\d{1,19}$/.test(time)) return BigInt(time);
  throw fault('has a t_ns that is not a whole number of nanoseconds', line);
}

function fault(clause: string, line: string): LineFault {
  return new LineFault(`${clause}: ${excerpt(line)}`);
}
