import { readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputError, MeasureError, messageOf } from '../../errors.ts';
import { listed } from '../../text/plain.ts';
import { excerpt } from '../excerpt.ts';
import type { MeterHost } from '../meter.ts';
import { entries, text } from '../sysfs.ts';

/** Power or energy that a chip reports in its files (Documentation/ABI/testing/sysfs-class-hwmon of the kernel). */
export interface Sensor {
  readonly chip: string;
  /** Name of the kernel's file without its ending: `power1`, `energy1`. A rail is named after its voltage, `in1`. */
  readonly name: string;
  readonly kind: 'power' | 'energy' | 'rail';
  /** What is read: microwatts or microjoules; of a rail its millivolts and milliamperes, whose product is microwatts. */
  readonly files: readonly string[];
  /** Where the chip is, as the kernel calls its device: `1-0040`. Chips are numbered anew at every start, devices are not. */
  readonly device: string;
  readonly label: string | null;
  /** Averaging time of the driver's value, seconds; null: it is the power at a moment. */
  readonly averageS: number | null;
  /** Seconds from one value to the next; null: unknown. */
  readonly updateS: number | null;
  /** Resistance of the shunt that the driver computes with, micro-ohms; null: there is none. */
  readonly shuntUohm: string | null;
  /** The file that switches its channel on and off. */
  readonly switchFile: string;
}

type Files = Pick<Sensor, 'name' | 'kind' | 'files'>;

/**
 * Chips that show no power, by the name of their driver: which voltage and which current are of one rail. What else an INA3221 shows as
 * voltages (in4 to in7) are drops over its resistors.
 */
const RAILS: ReadonlyMap<string, readonly (readonly [voltage: string, current: string])[]> = new Map([
  [
    'ina3221',
    [
      ['in1', 'curr1'],
      ['in2', 'curr2'],
      ['in3', 'curr3'],
    ],
  ],
  // POWER-Z KM002C and KM003C, meters for USB-C.
  ['powerz', [['in0', 'curr1']]],
]);

/** The kernel's own tree. */
export const HWMON = '/sys/class/hwmon';

/** All power and energy sensors in such a tree. */
export function findSensors(root: string = HWMON): Sensor[] {
  return entries(root).flatMap((entry) => {
    const folder = join(root, entry);
    const chip = text(join(folder, 'name'));
    if (chip === null) return [];
    const files = entries(folder);
    const names = new Set(files.flatMap((file) => /^((?:power|energy)\d+)_(?:input|average)$/.exec(file)?.[1] ?? []));
    const rails = (RAILS.get(chip) ?? []).map((rail) => rail.map((name) => `${name}_input`));
    return [
      ...[...names].map((name): Files => {
        const file = files.includes(`${name}_average`) ? `${name}_average` : `${name}_input`;
        return { name, kind: name.startsWith('energy') ? 'energy' : 'power', files: [file] };
      }),
      ...rails
        .filter((rail) => rail.every((file) => files.includes(file)))
        .map((rail): Files => ({ name: rail[0]?.replace('_input', '') ?? '', kind: 'rail', files: rail })),
    ].map((one) => describeSensor(folder, chip, one));
  });
}

function describeSensor(folder: string, chip: string, { name, kind, files }: Files): Sensor {
  const milliseconds = (file: string) => {
    const value = Number(text(join(folder, file)) ?? Number.NaN);
    return value > 0 ? value / 1000 : null;
  };
  return {
    chip,
    name,
    kind,
    files: files.map((file) => join(folder, file)),
    device: readDeviceName(folder),
    label: text(join(folder, `${name}_label`)),
    averageS: files.includes(`${name}_average`) ? milliseconds(`${name}_average_interval`) : null,
    updateS: milliseconds('update_interval'),
    shuntUohm: text(join(folder, kind === 'rail' ? `${name.replace('in', 'shunt')}_resistor` : 'shunt_resistor')),
    switchFile: join(folder, `${name}_enable`),
  };
}

function readDeviceName(folder: string): string {
  try {
    return basename(realpathSync(join(folder, 'device')));
  } catch {
    return basename(folder); // chips without a device of their own
  }
}

/** The one sensor that `CHIP/NAME` or `CHIP/LABEL` means, with `device` where several chips have it. Throws InputError or MeasureError with what there is. */
export function chooseSensor(root: string, address: string, device: string | null): Sensor {
  const all = findSensors(root);
  const fitting = all.filter(
    (one) =>
      [one.name, one.label].some((called) => `${one.chip}/${called}` === address) &&
      (device === null || one.device === device),
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
  const isOff = text(sensor.switchFile) === '0';
  if (fitting.length === 1 && !isOff) return sensor;
  if (fitting.length === 1) {
    throw new MeasureError(`The channel ${address} is switched off.`, {
      advice: `If it is connected, switch it on: echo 1 | sudo tee ${sensor.switchFile}`,
    });
  }
  const isOneName = fitting.every(({ name }) => name === sensor.name);
  throw new InputError(`This machine has ${fitting.length} sensors ${address}.`, {
    advice: isOneName
      ? `Say on which device, as in ?device=${sensor.device}. There are ${listed(fitting.map((one) => one.device))}.`
      : `Say which one: there are ${listed(fitting.map((one) => `hwmon:${one.chip}/${one.name}?device=${one.device}`))}.`,
  });
}

/** Reads a sensor, in millionths. Throws MeasureError where a file is gone, can't be read (a disabled sensor), or holds something else. */
export function readMillionths(sensor: Sensor): number {
  return product(
    sensor,
    sensor.files.map((file) => {
      try {
        return readFileSync(file, 'utf8');
      } catch (cause) {
        throw unreadable(sensor, cause);
      }
    }),
  );
}

/** The same while this process goes on: drivers wait for the chip's next conversion, a rail's for that of each of its files. Throws MeasureError. */
export async function awaitMillionths(sensor: Sensor, host: MeterHost): Promise<number> {
  const contents = await Promise.all(sensor.files.map((file) => host.readFile(file))).catch((cause: unknown) => {
    throw unreadable(sensor, cause);
  });
  return product(sensor, contents);
}

const unreadable = ({ chip, name }: Sensor, cause: unknown): MeasureError =>
  new MeasureError(`The sensor ${chip}/${name} can't be read: ${messageOf(cause)}.`, { cause });

function product({ chip, name }: Sensor, contents: readonly string[]): number {
  return contents.reduce((factor, content) => {
    const number = content.trim();
    if (/^-?\d{1,18}$/.test(number)) return factor * Number(number);
    throw new MeasureError(`The sensor ${chip}/${name} gives ${excerpt(number, 40)}, which is not a number.`);
  }, 1);
}
