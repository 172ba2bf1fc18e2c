import { type EmulatorSettings, EnergyRegister, randomUnit, type TruePower } from './emulator.ts';
import { ModbusUnit, type ModbusUnitOptions } from './modbus-unit.ts';

export interface AveragingUnitSettings extends EmulatorSettings {
  /** Address of the unit; default 1. */
  readonly unit?: number;
  /** Seconds that a value averages, and from one new value to the next. */
  readonly averageS?: number;
  readonly refreshS?: number;
}

/** Values in the registers of a unit at a moment. */
export interface Shown {
  /** End of the stretch that is averaged, CLOCK_MONOTONIC, nanoseconds. */
  readonly untilNs: bigint;
  readonly powerW: number;
  /** Energy since the origin. */
  readonly energyJ: number;
}

export interface AveragingUnitOptions extends Pick<ModbusUnitOptions, 'answersTo' | 'holding' | 'others'> {
  /** As `ModbusUnitOptions.input`. */
  input(address: number, count: number, shown: Shown): readonly number[] | null;
  /** The shortest and the longest time from a request to its reply. */
  readonly replyMs: readonly [number, number];
}

export interface Averaging {
  /** Seconds that a value averages. */
  readonly averageS: number;
  /** Seconds from one new value to the next. */
  readonly refreshS: number;
  /** From the end of the averaged stretch to the moment from which the value can be read, nanoseconds. */
  readonly lagNs: bigint;
  /** End of one of the averaged stretches, CLOCK_MONOTONIC. */
  readonly originNs: bigint;
}

/** A Modbus meter whose registers are renewed periodically with the mean of a stretch, and whose replies have random delays. */
export class AveragingUnit extends ModbusUnit {
  readonly #settings: EmulatorSettings;
  readonly #averaging: Averaging;
  readonly #energy: EnergyRegister;
  /** Moment up to which the power has been shown: a switch of the load before it comes too late. */
  shownUntilNs: bigint;

  constructor(
    settings: EmulatorSettings,
    average: { readonly averageS: number; readonly refreshS: number },
    { input, replyMs: [shortestMs, longestMs], ...unit }: AveragingUnitOptions,
  ) {
    super({
      ...unit,
      input: (address, count, nowNs) => input(address, count, this.#show(nowNs)),
      replyNs: (index) => {
        const ms = shortestMs + randomUnit(settings.seed + 3, index) * (longestMs - shortestMs);
        return BigInt(Math.round(ms * 1e6));
      },
    });
    const { latencyNs, originNs } = settings;
    this.#settings = settings;
    this.#averaging = { ...average, lagNs: latencyNs, originNs };
    this.#energy = new EnergyRegister(settings, originNs);
    this.shownUntilNs = originNs;
  }

  #show(nowNs: bigint): Shown {
    const untilNs = averagedUntilNs(this.#averaging, nowNs);
    this.shownUntilNs = untilNs;
    const powerW = averagedPowerW(this.#settings, this.#averaging, nowNs);
    return { untilNs, powerW, energyJ: this.#energy.untilJ(untilNs) };
  }
}

/** The end of the stretch whose mean can be read at a moment. */
function averagedUntilNs({ refreshS, lagNs, originNs }: Averaging, nowNs: bigint): bigint {
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
