import { type Clock, SYSTEM_CLOCK } from '../../system/clock.ts';
import type { Pty } from './pty.ts';

/** Remark in the information of every emulated meter. */
export const EMULATED_REMARK = 'These watts come from an emulated meter; they were not measured.';

/** Bytes of a port; in a string, each character is a byte (latin1). */
export type Bytes = string | Uint8Array;

/**
 * The port side of an emulated meter, without a clock of its own: it gets the bytes that arrive and the time (CLOCK_MONOTONIC, nanoseconds) and gives
 * the bytes that the meter would send.
 */
export interface EmulatedMeter {
  /** Takes bytes at a moment and gives what is answered at once. */
  receive(bytes: Uint8Array, nowNs: bigint): Bytes;
  /** When it next sends a record, or a delayed answer; null: nothing is due. */
  dueNs(): bigint | null;
  /** The bytes that are due. To be called once `dueNs` has come. */
  record(): Bytes;
}

/** The emulated machine: joules that it truly uses between two moments. */
export interface TruePower {
  energyJ(fromNs: bigint, toNs: bigint): number;
}

export interface EmulatorSettings extends TruePower {
  /** Phase of the meter: the start of one of its periods. */
  readonly originNs: bigint;
  readonly seed: number;
  /** Delay from the end of a period to its record, nanoseconds. */
  readonly latencyNs: bigint;
}

/** Runs an emulated meter on a pseudo-terminal, in real time. Gives a function that ends it. */
export function runEmulator(
  meter: EmulatedMeter,
  port: Pick<Pty, 'write' | 'onData'>,
  clock: Clock = SYSTEM_CLOCK,
): () => void {
  let callOff = () => {};
  const plan = () => {
    callOff();
    const dueNs = meter.dueNs();
    if (dueNs === null) return;
    const waitMs = Math.ceil(Number(dueNs - clock.nowNs()) / 1e6);
    callOff = clock.after(Math.max(0, waitMs), send);
  };
  const send = () => {
    const dueNs = meter.dueNs();
    if (dueNs !== null && clock.nowNs() >= dueNs) port.write(bytesOf(meter.record()));
    plan();
  };
  port.onData((chunk) => {
    port.write(bytesOf(meter.receive(chunk, clock.nowNs())));
    plan();
  });
  plan();
  return () => callOff();
}

function bytesOf(bytes: Bytes): Uint8Array {
  return typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
}

/** The energy counter of an emulated meter: joules since its origin, each stretch of time counted once. */
export class EnergyRegister {
  readonly #power: TruePower;
  #untilNs: bigint;
  #energyJ = 0;

  constructor(power: TruePower, originNs: bigint) {
    this.#power = power;
    this.#untilNs = originNs;
  }

  /** Joules up to a moment, or to a later one that was asked for before: a register never counts back. */
  untilJ(tNs: bigint): number {
    if (tNs <= this.#untilNs) return this.#energyJ;
    this.#energyJ += this.#power.energyJ(this.#untilNs, tNs);
    this.#untilNs = tNs;
    return this.#energyJ;
  }
}

/** A number in [0, 1) that only depends on its arguments (murmur3's finalizer over both). */
export function randomUnit(seed: number, index: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index | 0, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** A number of the normal distribution with mean 0 and standard deviation 1 that only depends on its arguments (Box-Muller). */
export function gauss(seed: number, index: number): number {
  const u = 1 - randomUnit(seed, 2 * index);
  return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * randomUnit(seed, 2 * index + 1));
}
