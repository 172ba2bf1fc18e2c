import { InputError, MeasureError, messageOf } from '../../errors.ts';
import type { TruePower } from './emulator.ts';
import { Load } from './load.ts';
import { ProcessorLoad } from './processor-load.ts';

export interface MachineOptions {
  readonly idleW: number;
  readonly loadW: number;
  /** A constant power instead; null: it follows this machine's processors. */
  readonly steadyW: number | null;
  readonly noiseW: number;
  readonly seed: number;
  readonly originNs: bigint;
}

export interface EmulatedMachine {
  readonly power: TruePower;
  /** What its power is, a sentence. */
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
