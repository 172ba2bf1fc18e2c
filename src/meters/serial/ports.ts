import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { InputError } from '../../errors.ts';
import type { MeterName } from '../name.ts';

export interface SerialPortName {
  /** Stable name, for use in a meter name. */
  readonly path: string;
  /** What it points at now, for example `/dev/ttyUSB0`. */
  readonly device: string;
}

/**
 * Folder of the stable names of serial ports; `JOULEDIFF_SERIAL_PORTS` names another one
 * (`/dev/serial/by-path` for adapters without a serial number).
 */
export function serialPortFolder(): string {
  return process.env.JOULEDIFF_SERIAL_PORTS || '/dev/serial/by-id';
}

/** The serial ports that udev gave a stable name, sorted; empty where there are none. Opens nothing. */
export function listSerialPorts(folder: string = serialPortFolder()): SerialPortName[] {
  return entries(folder).flatMap((entry) => {
    const path = join(folder, entry);
    try {
      return [{ path, device: realpathSync(path) }];
    } catch {
      return []; // a link that points nowhere: unplugged a moment ago
    }
  });
}

/**
 * The name by which a port that was lost is opened again; null: it has none, or this is it. Adapters without a serial number of their own share one name in by-id,
 * which udev moves to the one that is left: those are known by their socket alone. `root`: of the tree that is looked at.
 */
export function lastingName(path: string, root = '/'): string | null {
  try {
    const device = realpathSync(path);
    const byId = hasOwnNumber(device, root) ? ['by-id'] : [];
    const folders = process.env.JOULEDIFF_SERIAL_PORTS
      ? [serialPortFolder()]
      : [...byId, 'by-path'].map((name) => join(root, 'dev/serial', name));
    const names = folders.flatMap((folder) => listSerialPorts(folder)).filter((port) => port.device === device);
    return names.some((port) => port.path === path) ? null : (names[0]?.path ?? null);
  } catch {
    return null;
  }
}

/** Whether no other adapter that is plugged in has the same maker, model and serial number: some makers give all the same. */
function hasOwnNumber(device: string, root: string): boolean {
  const own = numberAbove(root, join(root, 'sys/class/tty', basename(device), 'device'));
  const all = join(root, 'sys/bus/usb/devices');
  return own !== null && entries(all).filter((entry) => numberIn(join(all, entry)) === own).length === 1;
}

/** Number of the USB device above a folder of sysfs; null: there is none. */
function numberAbove(root: string, link: string): string | null {
  if (!existsSync(link)) return null;
  for (let folder = realpathSync(link); folder !== dirname(folder) && folder !== root; folder = dirname(folder))
    if (existsSync(join(folder, 'idVendor'))) return numberIn(folder);
  return null;
}

function numberIn(folder: string): string | null {
  try {
    const [vendor, product, serial] = ['idVendor', 'idProduct', 'serial'].map((file) =>
      readFileSync(join(folder, file), 'latin1').trim(),
    );
    return serial ? `${vendor}:${product}:${serial}` : null;
  } catch {
    return null;
  }
}

/** Each device once, under the first of its names. */
export function uniquePorts(ports: readonly SerialPortName[]): SerialPortName[] {
  return ports.filter(({ device }, index) => ports.findIndex((other) => other.device === device) === index);
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Advice for an error: which ports there are. */
export function portsThatAreThere(folder: string = serialPortFolder()): string {
  const ports = listSerialPorts(folder);
  if (ports.length === 0) return `There is no serial port in ${folder}: is the meter plugged into this machine?`;
  return `Serial ports of this machine: ${ports.map((port) => port.path).join(', ')}.`;
}

/** The port in a serial meter's name. Throws InputError when there is none. */
export function portAddress(name: MeterName): string {
  if (name.address !== null) return name.address;
  throw new InputError(`The meter "${name.text}" needs its port: ${name.type}:/dev/serial/by-id/….`, {
    advice: portsThatAreThere(),
  });
}
