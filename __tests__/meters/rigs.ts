import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runEmulator } from '../../src/meters/emulator/emulator.ts';
import { PASSWORD, RedfishEmulator, USER } from '../../src/meters/redfish/emulator.ts';
import { emulatedDevices, emulatedTypes } from '../../src/meters/registry.ts';
import { NvidiaSmi } from '../emulators/nvidia-smi.ts';
import { World } from './network/runs.ts';
import { keepPrinting } from './program/played.ts';
import { PowercapTree } from './rapl/powercap-tree.ts';
import { shownFile } from './shown-file.ts';
import type { VirtualDevice, VirtualProgram } from './virtual-host.ts';

/** The way to a meter in the network. */
export type Wire = Pick<VirtualDevice, 'fail' | 'waiting' | 'slowMs'>;

/** A meter of every type at a machine of 40 W that stands still, on a clock that the test steps. */
export interface Rig {
  readonly world: World;
  /** With as long a period as it has: a day is then soon over. */
  readonly name: string;
  /** The meter hears this next, in the place of what is true, or between it. Absent: it is read from files that no one else writes. */
  readonly spoil?: (bytes: Buffer) => void;
  /** Of a meter in the network. */
  readonly wire?: Wire;
  /** What is true is there again. */
  restore?(): void;
  /** Lets go of what the test itself remembers. */
  forget?(): void;
}

const WATTS = 40;
const folders: string[] = [];

function folder(): string {
  folders.push(mkdtempSync(join(tmpdir(), 'joulediff-rig-')));
  return folders.at(-1) as string;
}

export function removeRigs(): void {
  for (const one of folders.splice(0)) rmSync(one, { recursive: true, force: true });
}

function serial(type: string): Rig {
  const world = new World();
  const emulate = emulatedTypes.find((one) => one.type === type)?.emulate;
  const far = world.host.wire('rig:5025');
  const meter = emulate!(world.settings);
  runEmulator(meter, far, world.host.clock);
  const told = 'told' in meter && Array.isArray(meter.told) ? meter.told : [];
  return { world, name: `${type}:rig:5025`, spoil: (bytes) => far.write(bytes), forget: () => told.splice(0) };
}

function network(name: (host: string) => string, type?: string): Rig {
  const world = new World();
  const emulateDevice = emulatedDevices.find((one) => one.type === type)?.emulateDevice;
  const json = { delayMs: () => 30, answer: () => ({ status: 200, body: JSON.stringify({ apower: WATTS }) }) };
  const device = world.host.serve('rig.lan', emulateDevice?.(world.settings) ?? json);
  return {
    world,
    name: name('rig.lan'),
    wire: device,
    spoil: (bytes) =>
      device.fail({ status: (bytes[0] ?? 0) < 200 ? 200 : 2 * (bytes[0] ?? 0), body: bytes.toString() }),
    forget: () => device.asked.splice(0),
  };
}

function redfish(): Rig {
  process.env.JOULEDIFF_TEST_BMC = PASSWORD;
  const world = new World();
  const device = world.host.serve('bmc.lan', new RedfishEmulator(world.settings, { sessionUses: 500 }));
  return {
    world,
    name: `redfish:bmc.lan?user=${USER}&password-env=JOULEDIFF_TEST_BMC`,
    wire: device,
    spoil: (bytes) => device.fail({ status: 200, body: bytes.toString() }),
    forget: () => device.asked.splice(0),
  };
}

type Lines = (nowNs: bigint) => readonly string[];

/** `lines`: what the program prints from now on. */
function program(name: string, everyMs: number, lines: (world: World, started: VirtualProgram) => Lines): Rig {
  const world = new World();
  let running: VirtualProgram | null = null;
  world.host.play = (started) => {
    running = started;
    void keepPrinting(world, started, everyMs, lines(world, started));
  };
  const spoil = (bytes: Buffer) => {
    for (const line of bytes.toString('latin1').split('\n')) running?.print(line);
  };
  return { world, name, spoil };
}

function ipmi(): Rig {
  const world = new World();
  const end = 'joulediff: ended with';
  const good = [
    `    Instantaneous power reading:              ${String(WATTS).padStart(8)} Watts`,
    '    Power reading state is:                   activated',
    `${end} 0`,
  ];
  let next = good;
  world.host.play = (started) =>
    void world.host.clock.after(60, () => {
      for (const line of next) started.print(line);
      next = good;
    });
  return {
    world,
    name: 'ipmi',
    spoil: (bytes) => {
      next = [...bytes.toString('latin1').split('\n'), `${end} ${(bytes[0] ?? 0) % 2}`];
    },
  };
}

function perf(): Rig {
  const root = folder();
  writeFileSync(join(root, 'energy-pkg'), 'event=0x02\n');
  return program(`perf?root=${encodeURIComponent(root)}&period=5s`, 5000, (world) => {
    const startNs = world.host.clock.nowNs();
    return (nowNs) => [`${(Number(nowNs - startNs) / 1e9).toFixed(9)};200.00;Joules;power/energy-pkg/;1;100.00;;`];
  });
}

/** Files of a folder as the kernel has them; `file` is the one that tells the power. */
function files(inFolder: string, all: Readonly<Record<string, string | number>>, file: string) {
  const root = folder();
  mkdirSync(join(root, inFolder));
  const write = (name: string, content: string | number | Buffer) =>
    writeFileSync(join(root, inFolder, name), typeof content === 'object' ? content : `${content}\n`);
  for (const [name, content] of Object.entries(all)) write(name, content);
  return {
    root: encodeURIComponent(root),
    spoil: (bytes: Buffer) => write(file, bytes),
    restore: () => write(file, all[file] ?? ''),
  };
}

function sensor(type: 'hwmon' | 'amd-gpu'): Rig {
  const name = type === 'hwmon' ? 'ina226' : 'amdgpu';
  const { root, ...rest } = files('hwmon3', { name, power1_average: WATTS * 1e6 }, 'power1_average');
  const address = type === 'hwmon' ? ':ina226/power1' : '';
  return { world: new World(), name: `${type}${address}?root=${root}&period=5s`, ...rest };
}

function battery(): Rig {
  const all = { type: 'Battery', status: 'Discharging', power_now: WATTS * 1e6 };
  const { root, ...rest } = files('BAT0', all, 'power_now');
  return { world: new World(), name: `battery?root=${root}`, ...rest };
}

function rapl(): Rig {
  const world = new World();
  const tree = new PowercapTree();
  folders.push(tree.root);
  tree.zone('intel-rapl:0', 'package-0');
  const show = shownFile(join(tree.root, 'intel-rapl:0/energy_uj'));
  const startNs = world.host.clock.nowNs();
  world.host.clock.onStep = (nowNs) => show(((BigInt(WATTS) * (nowNs - startNs)) / 1000n) % 262_143_328_850n);
  return { world, name: `rapl?root=${tree.root}&period=1s` };
}

/** By type. */
export const rigs: Readonly<Record<string, () => Rig>> = {
  ...Object.fromEntries(emulatedTypes.map(({ type }) => [type, () => serial(type)])),
  shelly: () => network((host) => `shelly:${host}?period=5s`, 'shelly'),
  tasmota: () => network((host) => `tasmota:${host}?period=5s`, 'tasmota'),
  'http-json': () => network((host) => `http-json:http://${host}/?pointer=/apower&unit=W&period=5s`),
  redfish,
  ipmi,
  command: () => program('command:./mine', 5000, () => () => [JSON.stringify({ power_w: WATTS })]),
  nvidia: () =>
    program('nvidia?period=5s', 5000, (world, { command }) => {
      const smi = new NvidiaSmi(command.replace(/^exec 'nvidia-smi' /, '').split(' '), world.load);
      return (nowNs) => smi.lines(nowNs);
    }),
  perf,
  hwmon: () => sensor('hwmon'),
  'amd-gpu': () => sensor('amd-gpu'),
  battery,
  rapl,
  estimate: () => ({ world: new World(), name: 'estimate?period=1s' }),
};
