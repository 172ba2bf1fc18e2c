import { join } from 'node:path';
import type { ChannelInfo, MeterInfo } from '../../contracts/reading.ts';
import { InputError, MeasureError } from '../../errors.ts';
import { listed } from '../../text/plain.ts';
import type { MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { accuracyOption, checkOptionNames } from '../options.ts';
import { type Missing, PolledMeter } from '../polled-meter.ts';
import { entries, text } from '../sysfs.ts';

const POWER_SUPPLY = '/sys/class/power_supply';

/** Sampling period and readings per sample: gauges renew their values every second to every few seconds, some only twice a minute. */
const PERIOD_S = 5;
const READINGS = 5;
const GUARD_S = 10;
/** Upper bound on the power of a portable machine's battery, watts. */
const MAX_W = 1000;

const CHANNEL: Omit<ChannelInfo, 'channel'> = {
  part: 'machine',
  integration: 'guard',
  samplingPeriodS: PERIOD_S,
  clock: 'host',
  edgeS: PERIOD_S,
};

const SHEET: MeterSheet = {
  product: 'a laptop’s battery, while it discharges',
  price: 'nothing',
  accuracy: null,
  minimumGuardS: GUARD_S,
  channel: CHANNEL,
  wiring: 'none; unplug the charger',
  blind: 'what changes within seconds; which part of the machine, or which program, draws the power',
  risks:
    'screen and charge are in every number; many gauges renew it only every few seconds: find the lag with `meter check`',
};

/**
 * The batteries that a machine runs on, as their gauges tell it (the kernel's Documentation/ABI/testing/sysfs-class-power): all of them
 * together, or one that is named. Only while they discharge: with a charger connected, they see nothing of what the machine draws, or a part.
 * `root` names another tree, for tests: then the source is `emulated`.
 */
export const battery: MeterType = {
  type: 'battery',
  ownMachine: true,
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    parseSettings(name);
  },
  found: (root = POWER_SUPPLY) => (systemBatteries(root).length === 0 ? [] : [battery.type]),
  async open(name, { clock }) {
    const { root, only, accuracy } = parseSettings(name);
    const all = systemBatteries(root);
    const used = only === null ? all : all.filter((one) => one === only);
    if (used.length === 0) throw notThere(root, only, all);
    const first = readBatteries(root, used);
    if ('missing' in first) {
      throw new MeasureError(`The battery can't meter this machine: ${first.missing}.`, {
        advice: 'Unplug the charger. A battery sees what the machine draws only while the machine runs on it alone.',
      });
    }
    const emulated = root !== POWER_SUPPLY;
    const { part, ...rest } = CHANNEL;
    const info: MeterInfo = {
      type: battery.type,
      address: only,
      source: emulated ? 'emulated' : 'measured',
      identity: Object.fromEntries(used.map((one) => [one, text(join(root, one, 'model_name')) ?? 'unknown model'])),
      accuracy,
      minimumGuardS: GUARD_S,
      channels: [{ channel: 'battery', ...rest, ...(used.length === all.length ? { part } : {}) }],
      remarks: [
        'The battery’s gauge is coarse and late, and sees the screen too: compare long runs at one brightness.',
        ...(emulated ? ['These numbers come from a replaced power_supply tree; they were not measured.'] : []),
      ],
    };
    const source = {
      async read() {
        const reading = readBatteries(root, used);
        return 'missing' in reading ? reading : { tNs: clock.nowNs(), powerW: [reading.powerW], note: null };
      },
      onEnd: () => {},
      close: async () => {},
    };
    return new PolledMeter(info, source, clock, READINGS);
  },
};

function parseSettings(name: MeterName) {
  checkOptionNames(name, ['gain', 'offset', 'root']);
  if (name.address !== null && !/^[\w.-]{1,40}$/.test(name.address)) {
    throw new InputError(`The meter "${name.text}" does not name a battery.`, {
      advice: 'Write battery, or battery:BAT0 for one of several.',
    });
  }
  return { root: name.options.root ?? POWER_SUPPLY, only: name.address, accuracy: accuracyOption(name) };
}

/** Batteries that feed this machine, not those of a mouse or a headset. */
function systemBatteries(root: string): string[] {
  const says = (one: string, file: string) => text(join(root, one, file));
  return entries(root).filter(
    (one) => says(one, 'type') === 'Battery' && says(one, 'scope') !== 'Device' && says(one, 'present') !== '0',
  );
}

function notThere(root: string, only: string | null, all: readonly string[]): MeasureError {
  const what = only === null ? 'no battery' : `no battery ${only}`;
  return new MeasureError(`This machine has ${what} that it runs on.`, {
    advice: all.length === 0 ? `There is none in ${root}.` : `There is ${listed(all)}.`,
  });
}

/** What the batteries give together; or why that isn't what the machine draws, as a clause. */
function readBatteries(root: string, used: readonly string[]): { readonly powerW: number } | Missing {
  const says = (one: string, file: string) => text(join(root, one, file));
  // A supply of scope Device feeds something else: a phone at a USB-C port, or a pen. A USB-C port that gives power is online, too.
  // A programmable USB-C charger is 2.
  const isOn = (one: string): boolean => /^[1-9]$/.test(says(one, 'online') ?? '');
  const charger = entries(root).find(
    (one) => says(one, 'type') !== 'Battery' && isOn(one) && says(one, 'scope') !== 'Device',
  );
  if (charger !== undefined) return { missing: `the charger ${charger} is connected` };
  const states = used.map((one) => text(join(root, one, 'status')) ?? 'gone');
  if (!states.includes('Discharging') || states.includes('Charging')) {
    return { missing: `the battery does not discharge, its state is ${listed([...new Set(states)])}` };
  }
  let powerW = 0;
  for (const one of used) {
    const watts = wattsOf(join(root, one));
    if (watts === null) return { missing: `the battery ${one} reports no power` };
    powerW += watts;
  }
  return { powerW };
}

/** `power_now`, else `current_now` times `voltage_now`; millionths, negative with some drivers. Null: it tells neither, or nonsense. */
function wattsOf(folder: string): number | null {
  const millionths = (file: string): number => {
    const content = text(join(folder, file));
    return content !== null && /^-?\d{1,12}$/.test(content) ? Number(content) / 1e6 : Number.NaN;
  };
  const power = millionths('power_now');
  const watts = Math.abs(Number.isNaN(power) ? millionths('current_now') * millionths('voltage_now') : power);
  return watts <= MAX_W ? watts : null;
}
