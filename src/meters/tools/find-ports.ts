import { readdirSync } from 'node:fs';
import { JoulediffError, messageOf } from '../../errors.ts';
import type { MeterHost, MeterType } from '../meter.ts';
import { type Holder, portHolder } from '../serial/holder.ts';
import { listSerialPorts, type SerialPortName, uniquePorts } from '../serial/ports.ts';
import { THIS_HOST } from '../this-host.ts';

export interface FoundPort extends SerialPortName {
  /** `meter`: a known one answers. `silent`: none does. `unusable`: it was not asked, `detail` says why. */
  readonly state: 'meter' | 'silent' | 'unusable';
  /** Name to be used as --meter; null where no meter is known to be, or only its owner can name it. */
  readonly meter: string | null;
  /** What answers, or why nothing does; a sentence. */
  readonly detail: string;
  readonly advice: string | null;
  /** The process that has the port. */
  readonly holder: Holder | null;
}

/**
 * The serial ports of this machine and what answers on them. Sends only the questions of `auto`, which change nothing on any meter, and
 * nothing at all to a port that another process has. Takes some seconds a port; the ports are asked side by side.
 */
export async function findPorts(
  types: readonly MeterType[],
  host: MeterHost = THIS_HOST,
  ports: readonly SerialPortName[] = allPorts(),
): Promise<FoundPort[]> {
  return await Promise.all(ports.map((port) => ask(port, types, host)));
}

/** Every port once, under its most stable name: by-id, else by-path, else the device that the USB driver made. */
function allPorts(): SerialPortName[] {
  const named = listSerialPorts();
  const others = process.env.JOULEDIFF_SERIAL_PORTS ? [] : [...listSerialPorts('/dev/serial/by-path'), ...usbDevices()];
  return uniquePorts([...named, ...others]);
}

function usbDevices(): SerialPortName[] {
  return readdirSync('/dev')
    .filter((name) => /^tty(USB|ACM)\d+$/.test(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((name) => ({ path: `/dev/${name}`, device: `/dev/${name}` }));
}

async function ask(port: SerialPortName, types: readonly MeterType[], host: MeterHost): Promise<FoundPort> {
  try {
    for (const { type, probe } of types) {
      const what = await probe?.(port.path, host);
      if (!what) continue;
      const detail = `${what.charAt(0).toUpperCase()}${what.slice(1)} answers.`;
      return { ...port, state: 'meter', meter: `${type}:${port.path}`, detail, advice: null, holder: null };
    }
    // Both chips give the same hint: one question is enough.
    const what = await types.find(({ hint }) => hint !== undefined)?.hint?.(port.path, host);
    if (what) return { ...port, state: 'meter', meter: null, detail: `It is ${what}.`, advice: null, holder: null };
  } catch (error) {
    return unusable(port, error);
  }
  return {
    ...port,
    state: 'silent',
    meter: null,
    detail: 'No meter answers that can be told by asking.',
    advice: 'Is it on? One with other settings than the usual ones is named with them.',
    holder: null,
  };
}

function unusable(port: SerialPortName, error: unknown): FoundPort {
  const advice = error instanceof JoulediffError ? error.advice : null;
  return { ...port, state: 'unusable', meter: null, detail: messageOf(error), advice, holder: holderOf(port.path) };
}

function holderOf(path: string): Holder | null {
  try {
    return portHolder(path);
  } catch {
    return null; // unplugged meanwhile
  }
}
