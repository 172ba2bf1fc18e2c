import { MeasureError, messageOf } from '../../errors.ts';
import { CounterMeter, type EnergyCounter } from '../counter-meter.ts';
import type { ChannelInfo, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { checkNoAddress, checkOptionNames, secondsOption } from '../options.ts';
import { findZones, packagesOfMachine, packagesOfZones, type Zone, ZoneCounter } from './zones.ts';

const POWERCAP = '/sys/class/powercap';

/** The tree in use: `JOULEDIFF_POWERCAP_ROOT` names another one, for tests. */
export const powercapRoot = (): string => process.env.JOULEDIFF_POWERCAP_ROOT || POWERCAP;

/**
 * The processor's own energy counters, through powercap: primary channel `rapl` (packages and dram together), and where there is dram also
 * `package` and `dram`. `root` (or JOULEDIFF_POWERCAP_ROOT) names another tree, for tests: then the source is `emulated`, and the
 * processor packages are counted under its folder `cpu`.
 */
export const rapl: MeterType = {
  type: 'rapl',
  check(name) {
    checkNoAddress(name);
    checkOptionNames(name, ['period', 'root']);
    periodOf(name);
  },
  async open(name, { clock }) {
    rapl.check(name);
    const root = name.options.root ?? powercapRoot();
    const emulated = root !== POWERCAP;
    const zones = findZones(root);
    const packages = packagesOfZones(zones);
    if (packages === 0) throw notAvailable(root);
    const counter = openCounter(zones);
    const machine = packagesOfMachine(emulated ? `${root}/cpu` : '/sys/devices/system/cpu');
    const complete = machine === null || machine === packages;
    const remarks = ['RAPL sees the processor and its memory only: no power supply, disk, network or board.'];
    if (!complete) {
      remarks.push(`RAPL shows ${packages} of ${machine} processor packages: its numbers are incomplete.`);
    }
    if (emulated) remarks.push('These counters come from a replaced powercap tree; they were not measured.');
    return new CounterMeter(
      {
        type: rapl.type,
        address: root,
        source: emulated ? 'emulated' : 'measured',
        identity: { zones: zones.map((zone) => zone.name).join(', '), packages, complete },
        accuracy: null,
        minimumGuardS: 0,
        channels: channelsOf(zones, periodOf(name)),
        remarks,
      },
      counter,
      clock,
    );
  },
};

/** The hardware renews its counters about so often (AMD: every millisecond). */
const UPDATE_S = 0.001;

/** Default 100 ms: the hardware renews the counters every millisecond or so, and they must be read well within a wrap. */
function periodOf(name: MeterName): number {
  return secondsOption(name, 'period', { minimum: 0.02, maximum: 1 }, 0.1);
}

function channelsOf(zones: readonly Zone[], samplingPeriodS: number): ChannelInfo[] {
  const hasDram = zones.some((zone) => zone.kind === 'dram');
  const counter = { integration: 'counter', samplingPeriodS, clock: 'host', edgeS: UPDATE_S } as const;
  return [
    { channel: 'rapl', part: 'package-and-dram', ...counter },
    ...(hasDram ? (['package', 'dram'] as const).map((part) => ({ channel: part, part, ...counter })) : []),
  ];
}

function openCounter(zones: readonly Zone[]): EnergyCounter {
  const counters = zones.map(({ kind, path }) => ({ kind, path, counter: openZone(path) }));
  return {
    advance(elapsedS) {
      const sumUj = { package: 0n, dram: 0n };
      let unknown: string | null = null;
      for (const { kind, path, counter } of counters) {
        const energyUj = counter.advance(elapsedS);
        if (energyUj === null) unknown = path;
        else sumUj[kind] += energyUj;
      }
      if (unknown !== null) {
        return { gap: `The counter ${unknown} was reset, or was not read in time to count its wraps.` };
      }
      return { energyJ: [sumUj.package + sumUj.dram, sumUj.package, sumUj.dram].map((uj) => Number(uj) / 1e6) };
    },
  };
}

function openZone(path: string): ZoneCounter {
  try {
    return new ZoneCounter(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EACCES' || (cause as NodeJS.ErrnoException).code === 'EPERM') {
      throw new MeasureError(`RAPL is available, but this user may not read ${path}/energy_uj.`, {
        advice: REMEDY,
        cause,
      });
    }
    throw new MeasureError(`The RAPL counter in ${path} can't be read: ${messageOf(cause)}`, { cause });
  }
}

const REMEDY = [
  'Since Linux 5.10 only root may read it (the counters are a side channel).',
  'On a machine that is used for measuring, give it to a group: `sudo groupadd rapl`, add the user to it, and write',
  'SUBSYSTEM=="powercap", KERNEL=="intel-rapl*", RUN+="/usr/bin/chgrp rapl /sys/%p/energy_uj", RUN+="/usr/bin/chmod g+r /sys/%p/energy_uj"',
  'on one line into /etc/udev/rules.d/70-rapl.rules; then restart the machine.',
].join(' ');

function notAvailable(root: string): MeasureError {
  return new MeasureError(`RAPL is not available: there is no processor package in ${root}.`, {
    advice:
      'Virtual machines do not have it. On bare metal with an Intel or AMD processor: `sudo modprobe intel_rapl_msr`.',
  });
}
