import { getErrorCode, MeasureError, messageOf } from '../../errors.ts';
import type { MachinePart } from '../../findings/numbers.ts';
import type { Quantity } from '../../sampling/reported.ts';
import { listed } from '../../text/plain.ts';
import { CounterMeter, type EnergyCounter } from '../counter-meter.ts';
import type { MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { checkNoAddress, checkOptionNames, secondsOption } from '../options.ts';
import { energyEvents } from '../perf/perf.ts';
import { findZones, packagesOfMachine, parsePackage, withoutMirrors, type Zone, ZoneCounter } from './zones.ts';

const POWERCAP = '/sys/class/powercap';

/** Root of the powercap tree; `JOULEDIFF_POWERCAP_ROOT` gives another one, for tests. */
export const powercapRoot = (): string => process.env.JOULEDIFF_POWERCAP_ROOT || POWERCAP;

/** Approximate time between updates of the hardware's counters, seconds (AMD: every millisecond). */
const UPDATE_S = 0.001;

/** Key of `identity`: names of zones that are not read, because each shows the counter of another zone. Absent: there are none. */
export const MIRRORS = 'mirrors';

const SHEET: MeterSheet = {
  product: 'Intel and AMD processors, on bare metal',
  price: 'nothing',
  accuracy: null,
  minimumGuardS: 0,
  channel: { part: 'package-and-dram', integration: 'counter', samplingPeriodS: 0.1, clock: 'host', edgeS: UPDATE_S },
  wiring: 'none; root, or a udev rule',
  blind: 'disks, network, graphics cards, fans, board, power supply; memory on AMD and many desktops',
  risks: 'a model on old processors; not there in virtual machines',
};

/**
 * The processor's own energy counters, through powercap: primary channel `rapl` (packages and dram together); where there is dram also
 * `package` and `dram`, where there are several packages each of them, and `psys` where the machine has it. `root` (or JOULEDIFF_POWERCAP_ROOT) names another tree, for tests: then the source is `emulated`, and the
 * processor packages are counted under its folder `cpu`.
 */
export const rapl: MeterType = {
  type: 'rapl',
  ownMachine: true,
  sheet: SHEET,
  check(name) {
    checkNoAddress(name);
    checkOptionNames(name, ['period', 'root']);
    periodOf(name);
  },
  async open(name, { clock }) {
    rapl.check(name);
    const root = name.options.root ?? powercapRoot();
    const emulated = root !== POWERCAP;
    const found = findZones(root);
    const packages = new Set(found.flatMap((zone) => parsePackage(zone) ?? [])).size;
    if (packages === 0) throw notAvailable(`there is no processor package in ${root}`);
    // Opening comes first: it tells what this user may not read.
    openZones(found);
    const single = await withoutMirrors(found, clock);
    const mirrors = found.filter((zone) => !single.includes(zone)).map((zone) => zone.name);
    const opened = openZones(single);
    const zones = opened.map(({ zone }) => zone);
    const tellers = toTellers(zones);
    const machine = packagesOfMachine(emulated ? `${root}/cpu` : '/sys/devices/system/cpu');
    const complete = machine === null || machine === packages;
    const remarks = ['RAPL sees the processor and its memory only: no power supply, disk, network or board.'];
    if (!complete) {
      remarks.push(`RAPL shows ${packages} of ${machine} processor packages: its numbers are incomplete.`);
    }
    if (mirrors.length > 0) {
      remarks.push(`${listed(mirrors)} shows a counter that another zone shows too, and is not added to it.`);
    }
    if (zones.some(isPlatform)) {
      remarks.push('The channel psys is what the maker of this machine wired to it: the whole platform, or a part.');
    }
    if (emulated) remarks.push('These counters come from a replaced powercap tree; they were not measured.');
    return new CounterMeter(
      {
        type: rapl.type,
        address: root,
        source: emulated ? 'emulated' : 'measured',
        identity: {
          zones: zones.map((zone) => zone.name).join(', '),
          packages,
          complete,
          ...(mirrors.length > 0 && { [MIRRORS]: mirrors.join(', ') }),
        },
        accuracy: null,
        minimumGuardS: 0,
        channels: tellers.map(({ channel, part, sums }) => ({
          channel,
          ...(part && { part }),
          quantities: opened.filter(({ zone }) => sums(zone)).map(quantityOf),
          integration: 'counter',
          samplingPeriodS: periodOf(name),
          clock: 'host',
          edgeS: UPDATE_S,
        })),
        remarks,
      },
      counterOf(opened, tellers),
      clock,
    );
  },
};

/** Sampling period; default 100 ms: the hardware renews its counters about every millisecond, and they must be read well within a wrap. */
function periodOf(name: MeterName): number {
  return secondsOption(name, 'period', { minimum: 0.02, maximum: 1 }, 0.1);
}

/** A channel, and which zones it sums. */
interface Teller {
  readonly channel: string;
  readonly part?: MachinePart;
  sums(zone: Zone): boolean;
}

const isPlatform = ({ kind }: Zone): boolean => kind === 'psys';

/** Channels of these zones. Where there are several packages, each has one as well, without a `part`: a part is all packages together. */
function toTellers(zones: readonly Zone[]): Teller[] {
  const hasDram = zones.some(({ kind }) => kind === 'dram');
  const packages = [...new Set(zones.flatMap((zone) => parsePackage(zone) ?? []))];
  const parts = hasDram ? (['package', 'dram'] as const) : [];
  return [
    { channel: 'rapl', part: 'package-and-dram', sums: (zone) => !isPlatform(zone) },
    ...parts.map((part) => ({ channel: part, part, sums: ({ kind }: Zone) => kind === part })),
    ...(packages.length > 1 ? packages : []).map((channel) => ({
      channel,
      sums: (zone: Zone) => parsePackage(zone) === channel,
    })),
    ...zones.filter(isPlatform).map((own) => ({ channel: own.name, sums: (zone: Zone) => zone === own })),
  ];
}

const quantityOf = ({ zone: { name }, counter: { rangeUj } }: OpenZone): Quantity => ({
  name,
  unit: 'uJ',
  role: 'counter',
  range: Number(rangeUj),
});

/** Number of equal advances in a row, one per reading, that two separate registers never have. */
const MAX_ALIKE = 10;

/** Finds zones that would be counted twice. Those that stood still when the meter was opened could not be told apart then. */
class Alike {
  readonly #zones: readonly OpenZone[];
  readonly #inARow = new Map<OpenZone, number>();

  constructor(zones: readonly OpenZone[]) {
    this.#zones = zones;
  }

  /** Takes the advances of a reading, in the order of the zones. Throws MeasureError where two zones show one counter. */
  check(advances: readonly (bigint | null)[]): void {
    for (const [index, zone] of this.#zones.entries()) {
      const own = advances[index];
      if (!own) continue;
      const first = this.#zones.findIndex(
        (one, i) => i < index && one.zone.kind === zone.zone.kind && advances[i] === own,
      );
      const times = first === -1 ? 0 : (this.#inARow.get(zone) ?? 0) + 1;
      this.#inARow.set(zone, times);
      if (times < MAX_ALIKE) continue;
      throw new MeasureError(
        `${zone.zone.name} and ${this.#zones[first]!.zone.name} advance alike: they show one counter, and would be counted twice.`,
        { advice: 'Start again: joulediff tells them apart when it opens the meter, now that they advance.' },
      );
    }
  }
}

function counterOf(zones: readonly OpenZone[], tellers: readonly Teller[]): EnergyCounter {
  const alike = new Alike(zones);
  return {
    advance(elapsedS) {
      const advances = zones.map((zone) => advanceZone(zone, elapsedS, tellers[0]?.sums(zone.zone) ?? true));
      alike.check(advances);
      const reported = ({ sums }: Teller) =>
        zones.filter(({ zone }) => sums(zone)).map(({ counter }) => Number(counter.lastUj ?? Number.NaN));
      const gapOf = ({ sums }: Teller) => {
        const unknown = zones.find(({ zone }, index) => advances[index] === null && sums(zone));
        return unknown === undefined
          ? null
          : `The counter ${unknown.zone.path} was reset, could not be read, or was not read in time to count its wraps.`;
      };
      return { values: tellers.map(reported), gaps: tellers.map(gapOf) };
    },
  };
}

/** Advance of a zone. Null: it failed, and has a gap; the primary channel does not need it. Throws where that needs it. */
function advanceZone({ counter }: OpenZone, elapsedS: number, isNeeded: boolean): bigint | null {
  try {
    return counter.advance(elapsedS);
  } catch (error) {
    if (isNeeded) throw error;
    return null;
  }
}

interface OpenZone {
  readonly zone: Zone;
  readonly counter: ZoneCounter;
}

/** Opens the zones, without a psys that is 0: many machines have one that is wired to nothing. */
function openZones(zones: readonly Zone[]): OpenZone[] {
  return zones.flatMap((zone) => {
    const counter = openZone(zone);
    return isPlatform(zone) && counter.lastUj === 0n ? [] : [{ zone, counter }];
  });
}

function openZone(zone: Zone): ZoneCounter {
  try {
    return new ZoneCounter(zone);
  } catch (cause) {
    const { path } = zone;
    if (['EACCES', 'EPERM'].includes(getErrorCode(cause))) {
      throw new MeasureError(`RAPL is available, but this user may not read ${path}/energy_uj.`, {
        advice: REMEDY,
        cause,
      });
    }
    if (['ENOENT', 'ENODEV'].includes(getErrorCode(cause))) throw notAvailable(`there is no counter in ${path}`, cause);
    throw new MeasureError(`The RAPL counter in ${path} can't be read: ${messageOf(cause)}`, { cause });
  }
}

const REMEDY = [
  'Since Linux 5.10 only root may read it (the counters are a side channel).',
  'On a machine that is used for measuring, give it to a group: `sudo groupadd rapl`, add the user to it, and write',
  'SUBSYSTEM=="powercap", KERNEL=="intel-rapl*", RUN+="/usr/bin/chgrp rapl /sys/%p/energy_uj", RUN+="/usr/bin/chmod g+r /sys/%p/energy_uj"',
  'on one line into /etc/udev/rules.d/70-rapl.rules; then restart the machine.',
].join(' ');

function notAvailable(reason: string, cause?: unknown): MeasureError {
  return new MeasureError(`RAPL is not available: ${reason}.`, {
    cause,
    advice: energyEvents().includes('energy-pkg')
      ? 'The kernel has its energy events: use `perf` as the meter. Or load its other driver: `sudo modprobe intel_rapl_msr`.'
      : 'Virtual machines do not have it. On bare metal with an Intel or AMD processor: `sudo modprobe intel_rapl_msr`.',
  });
}
