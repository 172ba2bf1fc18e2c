import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../errors.ts';
import type { MeterName } from '../name.ts';

export interface SerialPortName {
  /** Stable name, to be used in a meter name. */
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

/** The stable name of the port that is at this path now; null: it has none, or this is it. */
export function stableName(path: string): string | null {
  try {
    const device = realpathSync(path);
    return listSerialPorts().find((port) => port.path !== path && port.device === device)?.path ?? null;
  } catch {
    return null;
  }
}

/** Every device once, under the first of its names. */
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

/** A sentence for an error's advice: the ports that are there. */
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
