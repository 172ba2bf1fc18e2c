import type { TruePower } from './emulator.ts';

export interface Averaging {
  /** Seconds that a value averages. */
  readonly averageS: number;
  /** Seconds from one new value to the next. */
  readonly refreshS: number;
  /** From the end of the averaged stretch to the moment from which the value can be read, nanoseconds. */
  readonly lagNs: bigint;
  /** The end of one of the averaged stretches. */
  readonly originNs: bigint;
}

/** The end of the stretch whose mean can be read at a moment. */
export function averagedUntilNs({ refreshS, lagNs, originNs }: Averaging, nowNs: bigint): bigint {
  const refreshNs = BigInt(Math.round(refreshS * 1e9));
  const sinceNs = nowNs - lagNs - originNs;
  const past = ((sinceNs % refreshNs) + refreshNs) % refreshNs;
  return nowNs - lagNs - past;
}

/** What a meter that averages shows at a moment: the true mean power of the last finished stretch, watts. */
export function averagedPowerW(power: TruePower, averaging: Averaging, nowNs: bigint): number {
  const untilNs = averagedUntilNs(averaging, nowNs);
  const averageNs = BigInt(Math.round(averaging.averageS * 1e9));
  return power.energyJ(untilNs - averageNs, untilNs) / averaging.averageS;
}
