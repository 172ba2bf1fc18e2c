import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CounterMeter } from '../../src/meters/counter-meter.ts';
import { readDescription } from '../../src/meters/described/description.ts';
import { emulateDescribed } from '../../src/meters/described/emulator.ts';
import { EnergyRegister, runEmulator } from '../../src/meters/emulator/emulator.ts';
import type { EmulatedDevice } from '../../src/meters/emulator/http-device.ts';
import { modelCounter } from '../../src/meters/estimate/estimate.ts';
import type { Meter } from '../../src/meters/meter.ts';
import { PASSWORD, RedfishEmulator, USER } from '../../src/meters/redfish/emulator.ts';
import { emulatedDevices, emulatedTypes, openMeters } from '../../src/meters/registry.ts';
import { NvidiaEnergy } from '../emulators/nvidia-energy.ts';
import { FnirsiEmulator, hidrawTree } from './fnirsi/emulator.ts';
import { World } from './network/runs.ts';
import { answerOf } from './pmic/rails.ts';
import { keepPrinting } from './program/played.ts';
import { PowercapTree } from './rapl/powercap-tree.ts';
import { shownFile } from './shown-file.ts';
import type { VirtualDevice, VirtualProgram } from './virtual-host.ts';

/** The way to a meter in the network. */
export type Wire = Pick<VirtualDevice, 'fail' | 'waiting' | 'slowMs'>;

/** A meter of every type at a machine of 40 W, on a clock that the test steps. */
export interface Rig {
  readonly world: World;
  /** With as long a period as it has: a day is then soon over. Where the machine works, with the period that it has by itself. */
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

/** How the machine works; absent: it stands still. */
type Work = ConstructorParameters<typeof World>[0];
type MakeRig = (work?: Work) => Rig;

const WATTS = 40;
const folders: string[] = [];

function folder(): string {
  folders.push(mkdtempSync(join(tmpdir(), 'joulediff-rig-')));
  return folders.at(-1) as string;
}

export function removeRigs(): void {
  for (const one of folders.splice(0)) rmSync(one, { recursive: true, force: true });
}

/** Watts of the machine: the mean of so many milliseconds, renewed every `everyMs`. */
function shownW({ load }: World, nowNs: bigint, meanMs: number, everyMs: number): number {
  const shownNs = nowNs - (nowNs % BigInt(everyMs * 1e6));
  return load.energyJ(shownNs - BigInt(meanMs * 1e6), shownNs) / (meanMs / 1000);
}

/** The option in a meter's name that makes its period long. */
const longPeriod = (work: Work, before: '?' | '&') => (work ? '' : `${before}period=5s`);

function serial(type: string, work: Work): Rig {
  const world = new World(work);
  const emulate = emulatedTypes.find((one) => one.type === type)?.emulate;
  const far = world.host.wire('rig:5025');
  const meter = emulate!(world.settings);
  runEmulator(meter, far, world.host.clock);
  const reported = 'reported' in meter && Array.isArray(meter.reported) ? meter.reported : [];
  return { world, name: `${type}:rig:5025`, spoil: (bytes) => far.write(bytes), forget: () => reported.splice(0) };
}

function network(work: Work, name: (host: string) => string, type?: string): Rig {
  const world = new World(work);
  const emulateDevice = emulatedDevices.find((one) => one.type === type)?.emulateDevice;
  const json: EmulatedDevice = {
    delayMs: () => 30,
    answer: (_, nowNs) => ({ status: 200, body: JSON.stringify({ apower: shownW(world, nowNs, 1000, 1000) }) }),
  };
  const emulated = emulateDevice?.(world.settings) ?? json;
  Object.assign(process.env, emulated.login?.env);
  const query = new URLSearchParams(emulated.login?.options).toString();
  const device = world.host.serve('rig.lan', emulated);
  return {
    world,
    name: `${name('rig.lan')}${query && '&'}${query}`,
    wire: device,
    spoil: (bytes) =>
      device.fail({ status: (bytes[0] ?? 0) < 200 ? 200 : 2 * (bytes[0] ?? 0), body: bytes.toString() }),
    forget: () => device.asked.splice(0),
  };
}

function described(work: Work): Rig {
  const world = new World(work);
  const path = join(folder(), 'mine.yml');
  const line = "name: Mine\nserial: { baud: 9600 }\nline: { separator: ',', starts: '#d' }\n";
  const rate = work ? '1s' : '5s';
  writeFileSync(path, `${line}power: { at: 1, unit: mW }\npart: machine\nperiod: ${rate}\nrenewed: ${rate}\n`);
  const far = world.host.wire('rig:5025');
  const meter = emulateDescribed(readDescription(path).description, world.settings);
  if ('answer' in meter) throw new Error('It is on a serial port');
  runEmulator(meter, far, world.host.clock);
  return { world, name: `file:${path}?at=rig:5025`, spoil: (bytes) => far.write(bytes) };
}

function redfish(work: Work, outlet = ''): Rig {
  process.env.JOULEDIFF_TEST_BMC = PASSWORD;
  const world = new World(work);
  const device = world.host.serve(
    'bmc.lan',
    new RedfishEmulator(world.settings, { sessionUses: 500, pdu: outlet !== '' }),
  );
  return {
    world,
    name: `redfish:bmc.lan${outlet}?user=${USER}&password-env=JOULEDIFF_TEST_BMC`,
    wire: device,
    spoil: (bytes) => device.fail({ status: 200, body: bytes.toString() }),
    forget: () => device.asked.splice(0),
  };
}

/** `lines`: what the program prints from now on, and how often. */
function program(
  work: Work,
  name: string,
  lines: (world: World, started: VirtualProgram) => { everyMs: number; lines: (nowNs: bigint) => readonly string[] },
): Rig {
  const world = new World(work);
  let running: VirtualProgram | null = null;
  world.host.play = (started) => {
    running = started;
    const printed = lines(world, started);
    void keepPrinting(world, started, printed.everyMs, printed.lines);
  };
  const spoil = (bytes: Buffer) => {
    for (const line of bytes.toString('latin1').split('\n')) running?.print(line);
  };
  return { world, name, spoil };
}

function ipmi(work: Work): Rig {
  const world = new World(work);
  const { clock } = world.host;
  const end = 'joulediff: ended with';
  const good = () => [
    `    Instantaneous power reading:              ${`${Math.round(shownW(world, clock.nowNs(), 10_000, 10_000))}`.padStart(8)} Watts`,
    '    Power reading state is:                   activated',
    `${end} 0`,
  ];
  let next: readonly string[] | null = null;
  world.host.play = (started) => {
    const lines = next ?? good();
    next = null;
    clock.after(60, () => {
      for (const line of lines) started.print(line);
    });
  };
  return {
    world,
    name: 'ipmi',
    spoil: (bytes) => {
      next = [...bytes.toString('latin1').split('\n'), `${end} ${(bytes[0] ?? 0) % 2}`];
    },
  };
}

function perf(work: Work): Rig {
  const root = folder();
  writeFileSync(join(root, 'energy-pkg'), 'event=0x02\n');
  const name = `perf?root=${encodeURIComponent(root)}${longPeriod(work, '&')}`;
  return program(work, name, ({ host, load }, { command }) => {
    const startNs = host.clock.nowNs();
    let lastNs = startNs;
    const lines = (nowNs: bigint) => {
      const joules = load.energyJ(lastNs, nowNs).toFixed(2);
      lastNs = nowNs;
      return [`${(Number(nowNs - startNs) / 1e9).toFixed(9)};${joules};Joules;power/energy-pkg/;1;100.00;;`];
    };
    return { everyMs: Number(/--interval-print (\d+) /.exec(command)?.[1]), lines };
  });
}

function command(work: Work): Rig {
  const lines = (world: World) => (nowNs: bigint) => [JSON.stringify({ power_w: shownW(world, nowNs, 1000, 1000) })];
  return program(work, 'command:./mine', (world) => ({ everyMs: work ? 1000 : 5000, lines: lines(world) }));
}

function nvidia(work: Work): Rig {
  return program(work, `nvidia?period=${work ? '500ms' : '5s'}`, ({ settings }, started) => {
    const gpu = new NvidiaEnergy(settings);
    started.print(gpu.board);
    return { everyMs: work ? 500 : 5000, lines: (nowNs) => [gpu.line(nowNs)] };
  });
}

function pmic(work: Work): Rig {
  return program(work, `pmic${longPeriod(work, '?')}`, (world, { command: line }) => ({
    everyMs: 1000 * Number(/; sleep (\S+);/.exec(line)?.[1]) + 20,
    // What flows at the moment that it is asked.
    lines: (nowNs) => answerOf(shownW(world, nowNs, 1, 1)),
  }));
}

/** Files of a folder as the kernel has them; `file` is the one that tells the power, as `shown` has it. */
function files(
  world: World,
  inFolder: string,
  all: Readonly<Record<string, string | number>>,
  file: string,
  shown: (nowNs: bigint) => number,
) {
  const root = folder();
  mkdirSync(join(root, inFolder));
  const write = (name: string, content: string | number | Buffer) =>
    writeFileSync(join(root, inFolder, name), typeof content === 'object' ? content : `${content}\n`);
  for (const [name, content] of Object.entries(all)) write(name, content);
  const show = shownFile(join(root, inFolder, file));
  world.host.clock.onStep = (nowNs) => show(shown(nowNs));
  return {
    root: encodeURIComponent(root),
    spoil: (bytes: Buffer) => write(file, bytes),
    restore: () => write(file, all[file] ?? ''),
  };
}

/** Microwatts in steps of 25 mW, as a chip's register has them. */
const steppedUw = (watts: number) => Math.round(watts / 0.025) * 25_000;

function sensor(type: 'hwmon' | 'amd-gpu', work: Work): Rig {
  const world = new World(work);
  const isChip = type === 'hwmon';
  const file = isChip ? 'power1_input' : 'power1_average';
  const all = { name: isChip ? 'ina226' : 'amdgpu', ...(isChip && { update_interval: 200 }), [file]: WATTS * 1e6 };
  const shown = (nowNs: bigint) => steppedUw(shownW(world, nowNs, isChip ? 200 : 1000, isChip ? 200 : 100));
  const { root, ...rest } = files(world, 'hwmon3', all, file, shown);
  const name = `${isChip ? 'hwmon:ina226/power1' : type}?root=${root}${longPeriod(work, '&')}`;
  return { world, name, ...rest };
}

function fnirsi(work: Work): Rig {
  const world = new World(work);
  const far = world.host.wire('/dev/hidraw0');
  runEmulator(new FnirsiEmulator(world.settings), far, world.host.clock);
  const root = hidrawTree(folder(), { hidraw0: { id: '2E3C:5558' } });
  return { world, name: `fnirsi:/dev/hidraw0?root=${encodeURIComponent(root)}`, spoil: (bytes) => far.write(bytes) };
}

function battery(work: Work): Rig {
  const world = new World(work);
  const all = { type: 'Battery', status: 'Discharging', power_now: WATTS * 1e6 };
  // A gauge that looks at the current once in four seconds.
  const shown = (nowNs: bigint) => Math.round(shownW(world, nowNs, 250, 4000) * 1000) * 1000;
  const { root, ...rest } = files(world, 'BAT0', all, 'power_now', shown);
  return { world, name: `battery?root=${root}`, ...rest };
}

function rapl(work: Work): Rig {
  const world = new World(work);
  const tree = new PowercapTree();
  folders.push(tree.root);
  tree.zone('intel-rapl:0', 'package-0');
  const show = shownFile(join(tree.root, 'intel-rapl:0/energy_uj'));
  const counter = new EnergyRegister(world.settings, world.host.clock.nowNs());
  // Hardware renews its counters 1024 times a second.
  world.host.clock.onStep = (nowNs) =>
    show(BigInt(Math.floor(counter.untilJ(nowNs - (nowNs % 976_562n)) * 1e6)) % 262_143_328_850n);
  return { world, name: `rapl?root=${tree.root}&period=1s` };
}

/** By type. */
export const rigs: Readonly<Record<string, MakeRig>> = {
  ...Object.fromEntries(emulatedTypes.map(({ type }) => [type, (work?: Work) => serial(type, work)])),
  shelly: (work) => network(work, (host) => `shelly:${host}${longPeriod(work, '?')}`, 'shelly'),
  tasmota: (work) => network(work, (host) => `tasmota:${host}${longPeriod(work, '?')}`, 'tasmota'),
  kasa: (work) => network(work, (host) => `kasa:${host}${longPeriod(work, '?')}`, 'kasa'),
  tapo: (work) => network(work, (host) => `tapo:${host}?period=${work ? '1s' : '5s'}`, 'tapo'),
  'http-json': (work) =>
    network(work, (host) => `http-json:http://${host}/?pointer=/apower&unit=W${longPeriod(work, '&')}`),
  file: described,
  redfish: (work) => redfish(work),
  'redfish-outlet': (work) => redfish(work, '/1/A1'),
  ipmi,
  command,
  nvidia,
  pmic,
  perf,
  hwmon: (work) => sensor('hwmon', work),
  'amd-gpu': (work) => sensor('amd-gpu', work),
  battery,
  fnirsi,
  rapl,
  estimate: (work) => (work ? modelled(work) : { world: new World(), name: 'estimate?period=1s' }),
};

/** The model with the watts of the machine, which are then what its four processors did: /proc/stat counts them in steps. */
class ModelledWorld extends World {
  override async open(): Promise<Meter> {
    const { clock } = this.host;
    const { idleW, loadW } = this.load.options;
    const busyS = new EnergyRegister(this.settings, clock.nowNs());
    const startNs = clock.nowNs();
    const stat = () => {
      const nowNs = clock.nowNs();
      const idleJ = (idleW * Number(nowNs - startNs)) / 1e9;
      const ticks = Math.floor((100 * 4 * (busyS.untilJ(nowNs) - idleJ)) / (loadW - idleW) / 4) * 4;
      return `cpu  ${ticks} 0 0 0 0 0 0 0 0 0\n`;
    };
    const { meters } = await openMeters(['estimate?period=1s'], this.host);
    return new CounterMeter(meters[0]!.info, modelCounter(idleW, loadW, 4, stat), clock);
  }
}

const modelled = (work: Work): Rig => ({ world: new ModelledWorld(work), name: 'estimate?period=1s' });
