import { AveragingUnit, type AveragingUnitSettings, type Shown } from '../emulator/averaging-unit.ts';
import { randomUnit } from '../emulator/emulator.ts';
import { registersFrom } from '../emulator/modbus-unit.ts';
import { EMULATOR_ALARM } from './registers.ts';

export interface PzemOptions extends AveragingUnitSettings {
  /** Whether it emulates older firmware, without the alarm register. */
  readonly withoutAlarm?: boolean;
}

const GENERAL_ADDRESS = 0xf8;
const VOLTAGE_TENTHS = 2300;
const FREQUENCY_TENTHS = 500;

/**
 * A PZEM-004T v3 as its serial side shows it: registers that are renewed every second with the mean of the last 2 s, rounded to 0.1 W, and
 * replies that take 70 to 120 ms. The functions that set, calibrate and reset it are counted, and echoed as it does.
 * It answers to its own address and to the general one.
 */
export class PzemEmulator extends AveragingUnit {
  constructor(options: PzemOptions) {
    const { averageS = 2, refreshS = 1, unit: own = 1 } = options;
    super(
      options,
      { averageS, refreshS },
      {
        answersTo: (unit) => unit === own || unit === GENERAL_ADDRESS,
        input: (address, count, shown) => registersFrom(registers(shown, options), address, count),
        holding: (address, count) => registersFrom([0, 23_000, own], address, count),
        others: new Map([
          [0x06, 8],
          [0x41, 6],
          [0x42, 4],
        ]),
        replyMs: [70, 120],
      },
    );
  }
}

function registers({ untilNs, powerW, energyJ }: Shown, { seed, withoutAlarm = false }: PzemOptions): number[] {
  const power = Math.max(0, Math.round(powerW * 10));
  const voltage = VOLTAGE_TENTHS + Math.floor(randomUnit(seed + 2, Number(untilNs / 1_000_000n)) * 5) - 2;
  const current = Math.round((power * 1000) / (0.95 * voltage));
  const energy = Math.max(0, Math.round(energyJ / 3600));
  const pair = (value: number) => [value & 0xffff, value >>> 16];
  const common = [voltage, ...pair(current), ...pair(power), ...pair(energy), FREQUENCY_TENTHS, power === 0 ? 0 : 95];
  return withoutAlarm ? common : [...common, EMULATOR_ALARM];
}
