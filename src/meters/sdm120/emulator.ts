import { AveragingUnit, type AveragingUnitSettings, type Shown } from '../emulator/averaging-unit.ts';
import { EMULATOR_MARK, REGISTERS } from './registers.ts';

const VOLTAGE_V = 230;
const POWER_FACTOR = 0.95;

/**
 * An Eastron SDM120 as its bus shows it: floats in pairs of input registers, renewed every second with the mean of the last one.
 * A read across registers that it doesn't have gives zeros there, as long as it has the first. Writes are counted, and echoed.
 */
export class Sdm120Emulator extends AveragingUnit {
  constructor(settings: AveragingUnitSettings) {
    const { averageS = 1, refreshS = 1, unit: own = 1 } = settings;
    super(
      settings,
      { averageS, refreshS },
      {
        answersTo: (unit) => unit === own,
        input,
        holding: () => null,
        others: new Map([[0x10, 13]]),
        // At 2400 baud question and reply alone take 71 ms.
        replyMs: [90, 130],
      },
    );
  }
}

function input(address: number, count: number, { powerW, energyJ }: Shown): readonly number[] | null {
  const kWh = energyJ / 3.6e6;
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
