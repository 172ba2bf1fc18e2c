import { InputError, MeasureError, messageOf } from '../../errors.ts';
import { gauss, type TruePower } from './emulator.ts';
import { ProcessorLoad } from './processor-load.ts';

/** A switch of the emulated load, with its time on CLOCK_MONOTONIC. */
export interface Switch {
  readonly tNs: bigint;
  readonly on: boolean;
}

export interface LoadOptions {
  readonly idleW: number;
  readonly loadW: number;
  /** Standard deviation of the power's own fluctuation, which is constant over each of the meter's seconds, watts. */
  readonly noiseW: number;
  readonly seed: number;
  /** Start of one of the meter's seconds. */
  readonly originNs: bigint;
}

const SECOND_NS = 1_000_000_000n;

/** The true power of an emulated machine: idle, or under load from one switch to the next. Its energy is exact. */
export class Load implements TruePower {
  readonly options: LoadOptions;
  readonly #switches: Switch[] = [];

  constructor(options: LoadOptions, switches: readonly Switch[] = []) {
    this.options = options;
    for (const one of switches) this.switch(one);
  }

  /** Adds a switch. Switches may be added late and in any order: each takes effect at its own time. */
  switch(one: Switch): void {
    const index = this.#switches.findLastIndex(({ tNs }) => tNs <= one.tNs);
    this.#switches.splice(index + 1, 0, one);
  }

  /** Joules between two moments. */
  energyJ(fromNs: bigint, toNs: bigint): number {
    const { idleW, loadW } = this.options;
    const before = this.#switches.findLastIndex(({ tNs }) => tNs <= fromNs);
    let on = this.#switches[before]?.on ?? false;
    let onNs = 0n;
    let at = fromNs;
    for (const next of this.#switches.slice(before + 1)) {
      if (next.tNs >= toNs) break;
      if (on) onNs += next.tNs - at;
      at = next.tNs;
      on = next.on;
    }
    if (on && toNs > at) onNs += toNs - at;
    return seconds(toNs - fromNs) * idleW + seconds(onNs) * (loadW - idleW) + this.#noiseJ(fromNs, toNs);
  }

  #noiseJ(fromNs: bigint, toNs: bigint): number {
    const { noiseW, originNs, seed } = this.options;
    if (noiseW === 0) return 0;
    let energyJ = 0;
    for (let at = fromNs; at < toNs; ) {
      const block = floorDivide(at - originNs, SECOND_NS);
      const blockEnd = originNs + (block + 1n) * SECOND_NS;
      const end = blockEnd < toNs ? blockEnd : toNs;
      energyJ += noiseW * gauss(seed, Number(block)) * seconds(end - at);
      at = end;
    }
    return energyJ;
  }
}

function seconds(ns: bigint): number {
  return Number(ns) / 1e9;
}

function floorDivide(a: bigint, b: bigint): bigint {
  return a >= 0n ? a / b : -((-a + b - 1n) / b);
}

export interface MachineOptions {
  readonly idleW: number;
  readonly loadW: number;
  /** Constant power, watts; null: the power follows this machine's processors. */
  readonly steadyW: number | null;
  readonly noiseW: number;
  readonly seed: number;
  readonly originNs: bigint;
}

export interface EmulatedMachine {
  readonly power: TruePower;
  /** Sentence that describes its power. */
  readonly sentence: string;
  stop(): void;
}

/** The machine whose power an emulated meter shows. Throws InputError for impossible watts, MeasureError without /proc/stat. */
export function emulatedMachine(options: MachineOptions): EmulatedMachine {
  const { idleW, loadW, steadyW, noiseW, seed, originNs } = options;
  if (steadyW !== null) {
    const power = new Load({ idleW: steadyW, loadW: steadyW, noiseW, seed, originNs });
    return { power, sentence: `Its power is ${steadyW} W, whatever this machine does.`, stop: () => {} };
  }
  if (loadW < idleW) throw new InputError(`--load is less than --idle (${loadW} W against ${idleW} W).`);
  try {
    const power = new ProcessorLoad({ idleW, loadW, noiseW, seed }).start();
    const sentence = `Its power follows this machine's processors: ${idleW} W idle, ${loadW} W when all of them work.`;
    return { power, sentence, stop: () => power.stop() };
  } catch (cause) {
    throw new MeasureError(`The processors' use can't be read: ${messageOf(cause)}.`, {
      advice: 'Give a constant power with --steady.',
      cause,
    });
  }
}
