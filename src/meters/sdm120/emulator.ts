import type { EmulatedMeter, EmulatorSettings } from '../emulator/emulator.ts';
import { EnergyRegister } from '../emulator/energy-register.ts';
import { ModbusUnit } from '../emulator/modbus-unit.ts';
import { type Averaging, averagedPowerW, averagedUntilNs } from '../emulator/moving-average.ts';
import { randomUnit } from '../emulator/random.ts';
import { EMULATOR_MARK, REGISTERS } from './registers.ts';

export interface Sdm120Options extends EmulatorSettings {
  /** Default 1. */
  readonly unit?: number;
  /** Default: a mean of 1 s, new every second. */
  readonly averageS?: number;
  readonly refreshS?: number;
}

/** At 2400 baud question and reply alone take 71 ms. */
const SHORTEST_REPLY_MS = 90;
const LONGEST_REPLY_MS = 130;
const VOLTAGE_V = 230;
const POWER_FACTOR = 0.95;

/**
 * An Eastron SDM120 as its bus shows it: floats in pairs of input registers, renewed every second with the mean of the last one.
 * A read across registers that it doesn't have gives zeros there, as long as it has the first. Writes are counted, and echoed.
 */
export class Sdm120Emulator implements EmulatedMeter {
  readonly #options: Sdm120Options;
  readonly #averaging: Averaging;
  readonly #unit: ModbusUnit;
  readonly #energy: EnergyRegister;
  /** Up to this moment the power has been shown: what is switched before it comes too late. */
  shownUntilNs: bigint;

  constructor(options: Sdm120Options) {
    const { averageS = 1, refreshS = 1, latencyNs, originNs, seed, unit: own = 1 } = options;
    this.#options = options;
    this.#averaging = { averageS, refreshS, lagNs: latencyNs, originNs };
    this.shownUntilNs = originNs;
    this.#energy = new EnergyRegister(options, originNs);
    this.#unit = new ModbusUnit({
      answersTo: (unit) => unit === own,
      input: (address, count, nowNs) => this.#input(address, count, nowNs),
      holding: () => null,
      others: new Map([[0x10, 13]]),
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

  #input(address: number, count: number, nowNs: bigint): readonly number[] | null {
    this.shownUntilNs = averagedUntilNs(this.#averaging, nowNs);
    const powerW = averagedPowerW(this.#options, this.#averaging, nowNs);
    const kWh = this.#energy.untilJ(this.shownUntilNs) / 3.6e6;
    const words = new Map<number, number>();
    const float = (register: number, value: number) => {
      const bits = new DataView(new ArrayBuffer(4));
      bits.setFloat32(0, value);
      words.set(register, bits.getUint16(0)).set(register + 1, bits.getUint16(2));
    };
    float(REGISTERS.voltage, VOLTAGE_V);
    float(0x0006, powerW / POWER_FACTOR / VOLTAGE_V);
    float(REGISTERS.power, powerW);
    float(0x0012, powerW / POWER_FACTOR);
    float(0x001e, POWER_FACTOR);
    float(REGISTERS.frequency, 50);
    float(0x0048, kWh);
    float(0x0156, kWh);
    words.set(REGISTERS.emulatorMark, EMULATOR_MARK >>> 16).set(REGISTERS.emulatorMark + 1, EMULATOR_MARK & 0xffff);
    if (!words.has(address) || count < 2 || count % 2 === 1 || count > 80) return null;
    return Array.from({ length: count }, (_, index) => words.get(address + index) ?? 0);
  }
}
