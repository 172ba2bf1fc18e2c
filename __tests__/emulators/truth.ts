import { readFileSync } from 'node:fs';
import { Load, type LoadOptions } from '../../src/meters/emulator/load.ts';

export interface TruthWindow {
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly energyJ: number;
}

export interface Truth {
  /** Joules that the emulated machine used between two moments on CLOCK_MONOTONIC. */
  energyJ(startNs: bigint, endNs: bigint): number;
  /** From each `on` to its `off`. */
  readonly windows: readonly TruthWindow[];
  /** Everything that was sent to the meter, in order. */
  readonly received: string;
  /** Switches that were told after the record of their second was sent: such a test proves nothing. */
  readonly late: number;
}

/** A time is a bigint, or its digits. */
export type Entry = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** The log of an emulator, as it is now. */
export function readTruth(path: string): Truth {
  const lines = readFileSync(path, 'utf8').split('\n');
  return truthOf(lines.filter((line) => line !== '').map((line) => JSON.parse(line)));
}

export function truthOf(entries: readonly Entry[]): Truth {
  const of = (kind: string) => entries.filter((entry) => entry.kind === kind);
  const [options] = of('load');
  if (!options) throw new Error('this is not the log of an emulator');
  const load = new Load(
    { ...(options as unknown as LoadOptions), originNs: BigInt(options.originNs as string) },
    entries
      .filter(({ kind }) => kind === 'on' || kind === 'off')
      .map((entry) => ({ tNs: BigInt(entry.t_ns as string), on: entry.kind === 'on' })),
  );
  return {
    energyJ: (startNs, endNs) => load.energyJ(startNs, endNs),
    windows: of('window').map((entry) => ({
      startNs: BigInt(entry.start_ns as string),
      endNs: BigInt(entry.end_ns as string),
      energyJ: Number(entry.energy_j),
    })),
    received: of('received')
      .map(({ text }) => text)
      .join(''),
    late: of('late').length,
  };
}
