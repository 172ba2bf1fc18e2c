import type { EmulatedMeter, EmulatorSettings } from '../emulator/emulator.ts';
import { EnergyRegister } from '../emulator/energy-register.ts';
import { ModbusUnit, registersFrom } from '../emulator/modbus-unit.ts';
import { type Averaging, averagedPowerW, averagedUntilNs } from '../emulator/moving-average.ts';
import { randomUnit } from '../emulator/random.ts';
import { EMULATOR_ALARM } from './registers.ts';

export interface PzemOptions extends EmulatorSettings {
  /** Its own address beside the general one. Default 1. */
  readonly unit?: number;
  /** Default: a mean of 2 s, new every second. */
  readonly averageS?: number;
  readonly refreshS?: number;
  /** Older firmware without the alarm register. */
  readonly withoutAlarm?: boolean;
}

const GENERAL_ADDRESS = 0xf8;
const SHORTEST_REPLY_MS = 70;
const LONGEST_REPLY_MS = 120;
const VOLTAGE_TENTHS = 2300;
const FREQUENCY_TENTHS = 500;

/**
 * A PZEM-004T v3 as its serial side shows it: registers that are renewed every second with the mean of the last 2 s, rounded to 0.1 W, and
 * replies that take 70 to 120 ms. The functions that set, calibrate and reset it are counted, and echoed as it does.
 */
export class PzemEmulator implements EmulatedMeter {
  readonly #options: PzemOptions;
  readonly #averaging: Averaging;
  readonly #unit: ModbusUnit;
  readonly #energy: EnergyRegister;
  /** Up to this moment the power has been shown: what is switched before it comes too late. */
  shownUntilNs: bigint;

  constructor(options: PzemOptions) {
    const { averageS = 2, refreshS = 1, latencyNs, originNs, seed, unit: own = 1 } = options;
    this.#options = options;
    this.#averaging = { averageS, refreshS, lagNs: latencyNs, originNs };
    this.shownUntilNs = originNs;
    this.#energy = new EnergyRegister(options, originNs);
    this.#unit = new ModbusUnit({
      answersTo: (unit) => unit === own || unit === GENERAL_ADDRESS,
      input: (address, count, nowNs) => registersFrom(this.#registers(nowNs), address, count),
      holding: (address, count) => registersFrom([0, 23_000, own], address, count),
      others: new Map([
        [0x06, 8],
        [0x41, 6],
        [0x42, 4],
      ]),
      replyNs: (index) => {
        const ms = SHORTEST_REPLY_MS + randomUnit(seed + 3, index) * (LONGEST_REPLY_MS - SHORTEST_REPLY_MS);
        return BigInt(Math.round(ms * 1e6));
      },
    });
  }

  get harmed(): number {
    return this.#unit.harmed;
  }

  refuse(code: number): void {
    this.#unit.refuse(code);
  }

  receive(bytes: Uint8Array, nowNs: bigint): Uint8Array {
    return this.#unit.receive(bytes, nowNs);
  }

  dueNs(): bigint | null {
    return this.#unit.dueNs();
  }

  record(): Uint8Array {
    return this.#unit.record();
  }

  #registers(nowNs: bigint): number[] {
    this.shownUntilNs = averagedUntilNs(this.#averaging, nowNs);
    const power = Math.max(0, Math.round(averagedPowerW(this.#options, this.#averaging, nowNs) * 10));
    const voltage =
      VOLTAGE_TENTHS + Math.floor(randomUnit(this.#options.seed + 2, Number(this.shownUntilNs / 1_000_000n)) * 5) - 2;
    const current = Math.round((power * 1000) / (0.95 * voltage));
    const energy = Math.max(0, Math.round(this.#energy.untilJ(this.shownUntilNs) / 3600));
    const pair = (value: number) => [value & 0xffff, value >>> 16];
    const registers = [
      voltage,
      ...pair(current),
      ...pair(power),
      ...pair(energy),
      FREQUENCY_TENTHS,
      power === 0 ? 0 : 95,
    ];
    return this.#options.withoutAlarm ? registers : [...registers, EMULATOR_ALARM];
  }
}
