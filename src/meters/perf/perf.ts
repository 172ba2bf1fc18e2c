import { dirname, join } from 'node:path';
import type { ChannelInfo } from '../../contracts/reading.ts';
import { JoulediffError, MeasureError } from '../../errors.ts';
import { processorsIn } from '../../machine/processors.ts';
import { shellWord } from '../../text/shell.ts';
import type { MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { checkNoAddress, checkOptionNames, numberOption, secondsOption } from '../options.ts';
import { firstReadings, LineMeter } from '../program/line-meter.ts';
import { packagesOfMachine } from '../rapl/zones.ts';
import { entries, text } from '../sysfs.ts';
import { type EnergyEvent, IntervalReader } from './interval-reader.ts';

const POWER_EVENTS = '/sys/bus/event_source/devices/power/events';
const CORE_EVENTS = '/sys/bus/event_source/devices/power_core/events';
const CPUS = '/sys/devices/system/cpu';
/** Step to which perf rounds energy, joules, so that short intervals are coarse. */
const STEP_J = 0.01;
/** Range of processor numbers in Linux. */
const PROCESSORS = { minimum: 0, maximum: 8191, unit: 'as the number of a processor' };
const DEFAULT_PERIOD_S = 0.5;
/** Approximate time between updates of the hardware's counters, seconds. */
const UPDATE_S = 0.001;

/** Properties of a channel that sums `events` values: each is rounded, so the error grows with their number. */
const intervals = (samplingPeriodS: number, events = 1) =>
  ({
    integration: 'guard',
    clock: 'host',
    samplingPeriodS,
    edgeS: UPDATE_S,
    resolutionW: (STEP_J * Math.sqrt(events)) / samplingPeriodS,
  }) as const;
const computeGuard = (periodS: number): number => Math.max(1, 2 * periodS);

const SHEET: MeterSheet = {
  product: 'Intel and AMD processors, on bare metal without powercap',
  price: 'nothing',
  accuracy: null,
  minimumGuardS: computeGuard(DEFAULT_PERIOD_S),
  channel: { part: 'package-and-dram', ...intervals(DEFAULT_PERIOD_S) },
  wiring: 'none; root, or a setting of the kernel',
  blind: 'disks, network, graphics cards, fans, board, power supply; memory on AMD and many desktops',
  risks: 'a model on old processors; not there in virtual machines',
};

/**
 * The processor's energy counters through the kernel's energy events, for machines without powercap: one `perf stat` that prints an interval a
 * line. Channels as of `rapl`. `root` names another folder of events, for tests: then the source is `emulated`.
 */
export const perf: MeterType = {
  type: 'perf',
  ownMachine: true,
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    parseSettings(name);
  },
  found: (root) => (energyEvents(root).includes('energy-pkg') ? [perf.type] : []),
  async open(name, host) {
    const { root, program, periodS, core } = parseSettings(name);
    const reader = core === null ? packageReader(root) : coreReader(root, core);
    const words = [
      ...[shellWord(program), 'stat', ...(core === null ? ['--all-cpus'] : [`--cpu=${core}`])],
      ...['--interval-print', Math.round(periodS * 1000)],
      ...['--field-separator', "';'", '--event', reader.events.join(','), '--log-fd', 3],
    ];
    // perf's messages stay on stderr, for the error; LC_ALL=C gives decimal points, whatever the language.
    const running = host.startProgram(`exec env LC_ALL=C ${words.join(' ')} 3>&1 1>/dev/null`, []);
    const emulated = root !== (core === null ? POWER_EVENTS : CORE_EVENTS);
    try {
      const first = await firstReadings(running, reader, host.clock, {
        called: 'perf stat',
        advice: RIGHTS,
        unbuffered: '',
      });
      const info = {
        type: perf.type,
        address: null,
        source: emulated ? ('emulated' as const) : ('measured' as const),
        identity: { events: reader.events.map((one) => one.split('/')[1]).join(', '), ...(core !== null && { core }) },
        accuracy: null,
        minimumGuardS: computeGuard(periodS),
        channels: listChannels(reader, first.periodS),
        remarks: [
          core === null
            ? 'RAPL, read through perf: the processor and its memory only, no power supply, disk, network or board.'
            : `The energy of one core, that of processor ${core}, read through perf: no other core, no memory, no shared cache or other part of the package, which counts it too.`,
          ...(emulated ? ['These events come from a replaced folder; they were not measured.'] : []),
        ],
      };
      return new LineMeter(info, running, reader, host.clock);
    } catch (error) {
      await running.stop();
      if (!(error instanceof JoulediffError) || error.advice !== null) throw error;
      throw new MeasureError(error.message, { advice: RIGHTS, cause: error });
    }
  },
};

function packageReader(root: string): IntervalReader {
  const events = energyEvents(root);
  if (!events.includes('energy-pkg')) {
    throw new MeasureError(`perf has no energy events: there is no energy-pkg in ${root}.`, {
      advice: 'Virtual machines have none. On bare metal with an Intel or AMD processor: `sudo modprobe rapl`.',
    });
  }
  if (countsDies(root)) {
    throw new MeasureError('perf adds the counters of all dies, and a processor of this machine has several dies.', {
      advice:
        'On some of them each die shows the counter of the whole processor, which would count twice. Use `rapl`: it notices that, and counts it once.',
    });
  }
  return new IntervalReader(events);
}

/** A reader of one core, through the one of its processors that `cpumask` lists. */
function coreReader(root: string, core: number): IntervalReader {
  if (!entries(root).includes('energy-core')) {
    throw new MeasureError(`perf has no event for the energy of a core: there is no energy-core in ${root}.`, {
      advice:
        'It needs Linux 6.14 or newer on bare metal, and an AMD processor. With an older kernel, a program can read the register: see the energy of a core in docs/meters.md.',
    });
  }
  const mask = text(join(dirname(root), 'cpumask'));
  if (mask !== null && !processorsIn(mask).includes(core)) {
    throw new MeasureError(`core=${core}: perf counts cores on the processors ${mask}, and ${core} is none of them.`, {
      advice: `Give the first processor of the core: cat ${CPUS}/cpu${core}/topology/thread_siblings_list`,
    });
  }
  return new IntervalReader(core);
}

/** Whether perf adds counters of more processors than there are packages, and so counts a package once for each of its dies. */
function countsDies(root: string): boolean {
  const power = dirname(root);
  const mask = text(join(power, 'cpumask'));
  const packages = packagesOfMachine(root === POWER_EVENTS ? CPUS : join(power, 'cpu'));
  return mask !== null && packages !== null && processorsIn(mask).length > packages;
}

const RIGHTS =
  'perf reads energy for root, for programs with CAP_PERFMON, and for everybody after `sudo sysctl kernel.perf_event_paranoid=0` (the counters are a side channel).';

interface PerfSettings {
  readonly root: string;
  readonly program: string;
  readonly periodS: number;
  /** Number of a processor whose core is read; null: the packages are read. */
  readonly core: number | null;
}

function parseSettings(name: MeterName): PerfSettings {
  checkNoAddress(name);
  checkOptionNames(name, ['core', 'period', 'program', 'root']);
  const core = name.options.core === undefined ? null : Math.trunc(numberOption(name, 'core', PROCESSORS, 0));
  return {
    core,
    root: name.options.root ?? (core === null ? POWER_EVENTS : CORE_EVENTS),
    program: name.options.program ?? 'perf',
    periodS: secondsOption(name, 'period', { minimum: 0.1, maximum: 10 }, DEFAULT_PERIOD_S),
  };
}

/** Energy events that this machine has; empty where there are none. */
export function energyEvents(root: string = POWER_EVENTS): EnergyEvent[] {
  const there = entries(root);
  return (['energy-pkg', 'energy-ram', 'energy-psys'] as const).filter((event) => there.includes(event));
}

function listChannels({ channels }: IntervalReader, samplingPeriodS: number): ChannelInfo[] {
  return channels.map(({ channel, part, quantities }) => {
    const events = quantities.filter(({ role }) => role === 'interval').length;
    return { channel, ...(part && { part }), ...intervals(samplingPeriodS, events), quantities };
  });
}
