import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { JoulediffError, messageOf } from '../../../errors.ts';
import type { MeterHost, MeterType } from '../../../meters/meter.ts';
import { powercapRoot, rapl } from '../../../meters/rapl/rapl.ts';
import { findZones, withoutMirrors } from '../../../meters/rapl/zones.ts';
import { THIS_HOST } from '../../../meters/registry.ts';
import { type Holder, portHolder } from '../../../meters/serial/holder.ts';
import { listSerialPorts, type SerialPortName, uniquePorts } from '../../../meters/serial/ports.ts';
import { entries, text } from '../../../meters/sysfs.ts';
import { inNumberOrder } from '../../../text/order.ts';

export interface FoundPort extends SerialPortName {
  /** `meter`: a known meter answers. `silent`: no answer. `unusable`: it was not queried, and `detail` says why. */
  readonly state: 'meter' | 'silent' | 'unusable';
  /** Name for --meter; null: no known meter, or only the user knows its name. */
  readonly meter: string | null;
  /** What answers, or why nothing does; as a sentence. */
  readonly detail: string;
  readonly advice: string | null;
  /** The process that uses the port. */
  readonly holder: Holder | null;
}

/**
 * Lists the serial ports of this machine and what answers. Sends only the queries of `auto`, which change nothing on any meter, and
 * nothing to ports that other processes use. Takes some seconds; all ports are queried in parallel.
 */
export async function findPorts(
  types: readonly MeterType[],
  host: MeterHost = THIS_HOST,
  ports: readonly SerialPortName[] = allPorts(),
): Promise<FoundPort[]> {
  return await Promise.all(ports.map((port) => ask(port, types, host)));
}

/** Every port once, under its most stable name: by-id, else by-path, else the USB driver's device. */
function allPorts(): SerialPortName[] {
  const named = listSerialPorts();
  const others = process.env.JOULEDIFF_SERIAL_PORTS ? [] : [...listSerialPorts('/dev/serial/by-path'), ...usbDevices()];
  return uniquePorts([...named, ...others]);
}

function usbDevices(): SerialPortName[] {
  return readdirSync('/dev')
    .filter((name) => /^tty(USB|ACM)\d+$/.test(name))
    .sort(inNumberOrder)
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
    // Both chips give the same hint, so the first one suffices.
    const what = await types.find(({ hint }) => hint !== undefined)?.hint?.(port.path, host);
    if (what) return { ...port, state: 'meter', meter: null, detail: `It is ${what}.`, advice: null, holder: null };
  } catch (error) {
    return unusable(port, error);
  }
  return {
    ...port,
    state: 'silent',
    meter: null,
    detail: 'No meter that can be identified answers.',
    advice: 'Is it switched on? A meter with unusual settings must be named together with them.',
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

export interface RaplDomain {
  readonly path: string;
  /** Content of its `name` file: `package-0`, `dram`, … */
  readonly name: string;
  /** Whether this user may read its energy. */
  readonly readable: boolean;
  /** Whether the meter `rapl` adds it to its sum. The others are parts of these, or duplicates. */
  readonly counted: boolean;
}

export interface FoundRapl {
  readonly root: string;
  readonly domains: readonly RaplDomain[];
  /** Whether the meter `rapl` can be used. */
  readonly usable: boolean;
  /** What the meter reports about itself, or why it can't be used; as sentences. */
  readonly detail: string;
  readonly advice: string | null;
}

/** The energy counters of the processor, with permissions. Changes nothing. */
export async function findRapl(): Promise<FoundRapl> {
  const root = powercapRoot();
  const readable = findZones(root).filter(
    ({ path, kind }) => kind !== 'psys' && text(join(path, 'energy_uj')) !== null,
  );
  const single = await withoutMirrors(readable, THIS_HOST.clock).catch(() => readable);
  const mirrors = readable.filter((zone) => !single.includes(zone));
  const counted = new Set(
    findZones(root).flatMap(({ path, kind }) =>
      kind === 'psys' || mirrors.some((zone) => zone.path === path) ? [] : path,
    ),
  );
  const domains = entries(root)
    .filter((entry) => /^intel-rapl[^:]*:/.test(entry))
    .map((entry) => join(root, entry))
    .map((path) => ({
      path,
      name: text(join(path, 'name')) ?? '?',
      readable: text(join(path, 'energy_uj')) !== null,
      counted: counted.has(path),
    }));
  try {
    const meter = await rapl.open({ text: rapl.type, type: rapl.type, address: null, options: {} }, THIS_HOST);
    await meter.stop();
    return { root, domains, usable: true, detail: meter.info.remarks.join(' '), advice: null };
  } catch (error) {
    const advice = error instanceof JoulediffError ? error.advice : null;
    return { root, domains, usable: false, detail: messageOf(error), advice };
  }
}
