import type { Quantity } from '../../sampling/reported.ts';
import { EnergySteps } from '../energy-steps.ts';
import { excerpt } from '../excerpt.ts';
import { LineFault, type LineTaker, type TimedPower, TogetherFault } from '../program/line-meter.ts';
import { JumpWatch } from './jump-watch.ts';

/** One parsed line of a program. */
export interface LineReading {
  readonly kind: 'power' | 'energy';
  /** Watts, or joules since some moment that the program chose. */
  readonly value: number;
  /** CLOCK_MONOTONIC, nanoseconds; null: the line doesn't tell when it was read. */
  readonly tNs: bigint | null;
}

/** Upper bounds on watts and joules of a reading. */
const MAX_W = 1e6;
const MAX_J = 1e15;
/** How far a reported time may be after and before the line's arrival, nanoseconds. */
const AHEAD_NS = 100_000_000n;
const BEHIND_NS = 60_000_000_000n;
/** Parses a line of the protocol in docs/own-meter.md; null: it is blank. Throws LineFault. */
export function parseLine(line: string): LineReading | null {
  if (line.trim() === '') return null;
  const { power_w: powerW, energy_j: energyJ, t_ns: time } = parseObject(line);
  if (powerW !== undefined && energyJ !== undefined) throw fault('has both power_w and energy_j', line);
  const kind = energyJ === undefined ? 'power' : 'energy';
  const value = powerW === undefined ? energyJ : powerW;
  if (value === undefined) throw fault('has neither power_w nor energy_j', line);
  if (typeof value !== 'number')
    throw fault(`has a ${kind === 'power' ? 'power_w' : 'energy_j'} that is not a number`, line);
  if (!(Math.abs(value) <= (kind === 'power' ? MAX_W : MAX_J))) throw fault('reports more than any meter could', line);
  return { kind, value, tNs: timeOf(time, line) };
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
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

/** The quantity of a program that counts energy. */
export const JOULES: Quantity = { name: 'energy_j', unit: 'J', role: 'counter' };

/** Parses a program's readings: power as it is, energy as the difference from the reading before. */
export class LineReader implements LineTaker {
  #kind: LineReading['kind'] | null = null;
  #lastNs: bigint | null = null;
  #steps: EnergySteps | null = null;
  readonly #jumps = new JumpWatch();

  /** Key that the program's lines have; known from the first reading on. */
  get key(): 'power_w' | 'energy_j' {
    return this.#kind === 'energy' ? 'energy_j' : 'power_w';
  }

  /** Null: this line gives no reading yet. Throws LineFault. */
  take(line: string, arrivedNs: bigint): TimedPower | null {
    const reading = parseLine(line);
    if (reading === null) return null;
    const { kind, value } = reading;
    if (this.#kind !== null && kind !== this.#kind) throw new LineFault('changes between power_w and energy_j');
    this.#kind = kind;
    const tNs = reading.tNs ?? arrivedNs;
    if (tNs > arrivedNs + AHEAD_NS || tNs < arrivedNs - BEHIND_NS) {
      throw new LineFault('has a t_ns that is not of CLOCK_MONOTONIC, the time since this machine was started');
    }
    if (this.#lastNs !== null && tNs <= this.#lastNs) {
      if (reading.tNs === null) throw new TogetherFault('came together with the one before');
      throw new LineFault('has a t_ns that does not advance');
    }
    this.#lastNs = tNs;
    if (reading.tNs !== null) this.#jumps.take(reading.tNs, arrivedNs);
    if (kind === 'power') return { tNs, powerW: [value] };
    if (this.#steps === null) {
      this.#steps = new EnergySteps(JOULES, tNs, value);
      return null;
    }
    const step = this.#steps.advance(tNs, value);
    if ('missing' in step) throw new LineFault(`says that ${step.missing}`);
    const { powerW, reported } = step;
    if (powerW > MAX_W) throw new LineFault(`means ${powerW} W since the one before, more than any meter could see`);
    return { tNs, powerW: [powerW], reported: [reported] };
  }
}
