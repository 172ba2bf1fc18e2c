/** What goes over a port; a string holds a byte a character (latin1). */
export type Bytes = string | Uint8Array;

/**
 * A meter as far as its port shows it, without a clock of its own: told what arrives and what time it is (CLOCK_MONOTONIC, nanoseconds),
 * it gives the bytes that the meter would send.
 */
export interface EmulatedMeter {
  /** Takes bytes at a moment and gives what is answered at once. */
  receive(bytes: Uint8Array, nowNs: bigint): Bytes;
  /** When it next sends something unasked, or an answer that takes its time; null: nothing is due. */
  dueNs(): bigint | null;
  /** What is due. Called once `dueNs` has come. */
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
  /** From the end of a period to its record, nanoseconds. */
  readonly latencyNs: bigint;
}
