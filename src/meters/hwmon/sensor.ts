import { readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputError, MeasureError, messageOf } from '../../errors.ts';
import { listed } from '../../text/plain.ts';
import { excerpt } from '../excerpt.ts';
import { entries, text } from '../sysfs.ts';

/** One file of a chip's that tells power or energy (Documentation/ABI/testing/sysfs-class-hwmon of the kernel). */
export interface Sensor {
  readonly chip: string;
  /** `power1`, `energy1` */
  readonly name: string;
  readonly kind: 'power' | 'energy';
  /** What is read: microwatts or microjoules. */
  readonly file: string;
  /** Where the chip is, as the kernel calls its device: `1-0040`. Chips are numbered anew at every start, devices are not. */
  readonly device: string;
  readonly label: string | null;
  /** The driver tells a mean of so many seconds; null: the power at a moment. */
  readonly averageS: number | null;
  /** Seconds from one value to the next; null: not told. */
  readonly updateS: number | null;
  /** Micro-ohms of the resistor by which the driver computes; null: there is none. */
  readonly shuntUohm: string | null;
}

/** The kernel's own tree. */
export const HWMON = '/sys/class/hwmon';

/** Every sensor of power and energy in such a tree. */
export function findSensors(root: string = HWMON): Sensor[] {
  return entries(root).flatMap((entry) => {
    const folder = join(root, entry);
    const chip = text(join(folder, 'name'));
    if (chip === null) return [];
    const files = entries(folder);
    const names = new Set(files.flatMap((file) => /^((?:power|energy)\d+)_(?:input|average)$/.exec(file)?.[1] ?? []));
    return [...names].map((name) => sensorOf(folder, chip, name, files));
  });
}

function sensorOf(folder: string, chip: string, name: string, files: readonly string[]): Sensor {
  const average = files.includes(`${name}_average`);
  const milliseconds = (file: string) => {
    const value = Number(text(join(folder, file)) ?? Number.NaN);
    return value > 0 ? value / 1000 : null;
  };
  return {
    chip,
    name,
    kind: name.startsWith('energy') ? 'energy' : 'power',
    file: join(folder, `${name}_${average ? 'average' : 'input'}`),
    device: deviceOf(folder),
    label: text(join(folder, `${name}_label`)),
    averageS: average ? milliseconds(`${name}_average_interval`) : null,
    updateS: milliseconds('update_interval'),
    shuntUohm: text(join(folder, 'shunt_resistor')),
  };
}

function deviceOf(folder: string): string {
  try {
    return basename(realpathSync(join(folder, 'device')));
  } catch {
    return basename(folder); // chips without a device of their own
  }
}

/** The one sensor that `CHIP/NAME` means, with `device` where several chips have that name. Throws InputError or MeasureError with what there is. */
export function chooseSensor(root: string, address: string, device: string | null): Sensor {
  const all = findSensors(root);
  const fitting = all.filter(
    (one) => `${one.chip}/${one.name}` === address && (device === null || one.device === device),
  );
  const [sensor] = fitting;
  if (sensor === undefined) {
    const there = [...new Set(all.map((one) => `hwmon:${one.chip}/${one.name}`))];
    const where = device === null ? '' : ` on the device ${device}`;
    throw new MeasureError(`This machine has no sensor ${address}${where}.`, {
      advice:
        there.length === 0
          ? `There is no sensor of power or energy in ${root}.`
          : `There ${there.length === 1 ? 'is' : 'are'} ${listed(there)}.`,
    });
  }
  if (fitting.length === 1) return sensor;
  throw new InputError(`This machine has ${fitting.length} sensors ${address}.`, {
    advice: `Say on which device, as in ?device=${sensor.device}. There are ${listed(fitting.map((one) => one.device))}.`,
  });
}

/** Millionths, as the file tells them. Throws MeasureError: it is gone, can't be read (a sensor that is switched off), or holds something else. */
export function readMillionths({ file, chip, name }: Sensor): number {
  let content: string;
  try {
    content = readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new MeasureError(`The sensor ${chip}/${name} can't be read: ${messageOf(cause)}.`, { cause });
  }
  if (/^-?\d{1,18}$/.test(content)) return Number(content);
  throw new MeasureError(`The sensor ${chip}/${name} gives ${excerpt(content, 40)}, which is not a number.`);
}
