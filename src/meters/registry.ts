import { readFile } from 'node:fs/promises';
import type { MeterInfo } from '../contracts/reading.ts';
import { InputError } from '../errors.ts';
import { SYSTEM_CLOCK } from '../system/clock.ts';
import { amdGpu } from './amd-gpu/amd-gpu.ts';
import { chooseMeter } from './auto.ts';
import { battery } from './battery/battery.ts';
import { command } from './command/command.ts';
import { described } from './described/described.ts';
import { estimate } from './estimate/estimate.ts';
import { fnirsi } from './fnirsi/fnirsi.ts';
import { HidrawLine } from './fnirsi/hidraw.ts';
import { httpJson } from './http-json/http-json.ts';
import { hwmon } from './hwmon/hwmon.ts';
import { ipmi } from './ipmi/ipmi.ts';
import { mcp39f511, mcp39f511n } from './mcp39f511/mcp39f511.ts';
import type { Meter, MeterHost, MeterSink, MeterType, Replies } from './meter.ts';
import { type MeterName, parseMeterNames } from './name.ts';
import { openHttp } from './network/connection.ts';
import { TcpLine } from './network/tcp-line.ts';
import { nvidia } from './nvidia/nvidia.ts';
import { checkNoAddress, checkOptionNames } from './options.ts';
import { perf } from './perf/perf.ts';
import { pmic } from './pmic/pmic.ts';
import { startProgram } from './program/program.ts';
import { pzem004t } from './pzem-004t/pzem-004t.ts';
import { rapl } from './rapl/rapl.ts';
import { redfish } from './redfish/redfish.ts';
import { scpi } from './scpi/scpi.ts';
import { UsbtmcLine } from './scpi/usbtmc-line.ts';
import { sdm120 } from './sdm120/sdm120.ts';
import { SerialLine } from './serial/line.ts';
import { shelly } from './shelly/shelly.ts';
import { tasmota } from './tasmota/tasmota.ts';
import { kasa } from './tp-link/kasa.ts';
import { openKasa } from './tp-link/kasa-connection.ts';
import { tapo } from './tp-link/tapo.ts';
import { wattsUpPro } from './watts-up-pro/watts-up-pro.ts';

/**
 * Every meter type; a new one is one line here. `auto` tries them in this order, so `estimate`, which is always there, is the last.
 * Serial ones stand from the fastest line to the slowest: what a meter hears before its own question is then so short at its own
 * rate that it can't be a frame of its own protocol.
 */
export const meterTypes: readonly MeterType[] = [
  wattsUpPro,
  mcp39f511n,
  mcp39f511,
  pzem004t,
  sdm120,
  scpi,
  shelly,
  tasmota,
  kasa,
  tapo,
  fnirsi,
  hwmon,
  nvidia,
  amdGpu,
  battery,
  pmic,
  redfish,
  ipmi,
  httpJson,
  described,
  command,
  perf,
  rapl,
  estimate,
];

/** Types that can be emulated on a serial port, and in the network. */
export const emulatedTypes = meterTypes.flatMap(({ type, models = [], emulate }) =>
  emulate ? [{ type, models, emulate }] : [],
);
export const emulatedDevices = meterTypes.flatMap(({ type, models = [], emulateDevice }) =>
  emulateDevice ? [{ type, models, emulateDevice }] : [],
);

const AUTO = 'auto';

export interface OpenedMeters {
  /** The meters in the order of their names: the first is primary. Channel names are unique over all of them. */
  readonly meters: Meter[];
  /** What `auto` chose and why, a sentence to be shown; null when the meters were named. */
  readonly chosen: string | null;
}

/**
 * The names taken apart and checked: types, addresses, options. Touches no hardware.
 * Throws InputError with what is possible.
 */
export function validateMeterNames(texts: readonly string[]): MeterName[] {
  const names = parseMeterNames(texts, [...meterTypes.map(({ type }) => type), AUTO]);
  for (const name of names) {
    if (name.type !== AUTO) {
      typeOf(name).check(name);
      continue;
    }
    checkNoAddress(name);
    checkOptionNames(name, []);
    if (names.length > 1) {
      throw new InputError('auto chooses one meter and cannot be combined with others.', {
        advice: 'Name the meters that you want to use together.',
      });
    }
  }
  return names;
}

/** The names of those that tell only what this machine uses. Throws InputError as `validateMeterNames`. */
export function ownMachineMeters(texts: readonly string[]): string[] {
  return validateMeterNames(texts)
    .filter((name) => {
      if (name.type === AUTO) return true;
      const { ownMachine = false } = typeOf(name);
      return typeof ownMachine === 'function' ? ownMachine(name) : ownMachine;
    })
    .map(({ text }) => text);
}

/**
 * Opens and identifies the meters; `stop` them all in the end. A meter that is named and not available is an error, never replaced by another.
 * When one fails, those opened before it are stopped. Throws InputError as `validateMeterNames`, and MeasureError.
 */
export async function openMeters(texts: readonly string[], host: MeterHost = THIS_HOST): Promise<OpenedMeters> {
  const names = validateMeterNames(texts);
  if (names[0]?.type === AUTO) {
    const { meter, sentence } = await chooseMeter(meterTypes, host);
    return { meters: [meter], chosen: sentence };
  }
  const meters: Meter[] = [];
  try {
    for (const name of names) meters.push(await typeOf(name).open(name, host));
  } catch (error) {
    await Promise.all(meters.map((meter) => meter.stop()));
    throw error;
  }
  return { meters: withUniqueChannels(meters), chosen: null };
}

/** Whether a meter is read over a serial line, with a cable and an adapter between. */
export function isSerial({ type }: Pick<MeterInfo, 'type'>): boolean {
  return meterTypes.some((one) => one.type === type && one.probe !== undefined);
}

function typeOf(name: MeterName): MeterType {
  const found = meterTypes.find(({ type }) => type === name.type);
  if (!found) throw new InputError(`Unknown meter type "${name.type}".`);
  return found;
}

/** Text that is the same whenever the same meter is opened, and differs for another meter. */
export function identityOf(info: Identified): string {
  return JSON.stringify([info.type, info.source, lasting(info)]);
}

type Identified = Pick<MeterInfo, 'type' | 'source' | 'identity'>;

function lasting({ type, identity }: Identified): [string, unknown][] {
  const momentary = meterTypes.find((one) => one.type === type)?.momentary ?? [];
  return Object.entries(identity)
    .filter(([key]) => !momentary.includes(key))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The identity for a reader: `sdm120 (measured; serial 1234, unit 1)`. */
export function identityText(info: Identified): string {
  const facts = lasting(info).map(([key, value]) => `${key} ${value}`);
  return `${info.type} (${[info.source, facts.join(', ')].filter(Boolean).join('; ')})`;
}

export const THIS_HOST: MeterHost = {
  clock: SYSTEM_CLOCK,
  openLine: SerialLine.open,
  openTcp: TcpLine.open,
  openUsbtmc: UsbtmcLine.open,
  openHidraw: HidrawLine.open,
  readFile: (path) => readFile(path, 'utf8'),
  openHttp,
  openKasa,
  startProgram,
};

/** The meters with channel names that are unique over all of them: the second `wall` becomes `wall-2`. */
export function withUniqueChannels(meters: readonly Meter[]): Meter[] {
  const taken = new Set<string>();
  return meters.map((meter) => {
    const names = new Map<string, string>();
    for (const { channel } of meter.info.channels) {
      let name = channel;
      for (let number = 2; taken.has(name); number++) name = `${channel}-${number}`;
      taken.add(name);
      names.set(channel, name);
    }
    return [...names].every(([from, to]) => from === to) ? meter : new RenamedMeter(meter, names);
  });
}

class RenamedMeter implements Meter {
  readonly info: MeterInfo;
  readonly #meter: Meter;
  readonly #names: ReadonlyMap<string, string>;

  constructor(meter: Meter, names: ReadonlyMap<string, string>) {
    this.#meter = meter;
    this.#names = names;
    const channels = meter.info.channels.map((info) => ({ ...info, channel: this.#nameOf(info.channel) }));
    this.info = { ...meter.info, channels };
  }

  start(sink: MeterSink): Promise<void> {
    const given = [...this.#names.keys()];
    return this.#meter.start({
      sample: (channel, sample) => sink.sample(this.#nameOf(channel), sample),
      event: (event) => sink.event({ ...event, channels: (event.channels ?? given).map((one) => this.#nameOf(one)) }),
      lost: (error) => sink.lost(error),
    });
  }

  mark(): void {
    this.#meter.mark();
  }

  replies(): Replies | null {
    return this.#meter.replies?.() ?? null;
  }

  stop(): Promise<void> {
    return this.#meter.stop();
  }

  #nameOf(channel: string): string {
    return this.#names.get(channel) ?? channel;
  }
}
