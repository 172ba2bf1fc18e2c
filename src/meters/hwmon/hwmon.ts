import type { ChannelInfo, MeterInfo } from '../../contracts/reading.ts';
import { InputError, JoulediffError } from '../../errors.ts';
import { CounterMeter, type EnergyCounter } from '../counter-meter.ts';
import type { MeterHost, MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { accuracyOption, checkOptionNames, secondsOption } from '../options.ts';
import { PolledMeter, type PolledSource } from '../polled-meter.ts';
import { awaitMillionths, chooseSensor, HWMON, readMillionths, type Sensor } from './sensor.ts';

/** Chip of a server's ACPI meter, which sees the whole machine; what other chips see depends on where they are soldered in. */
const WHOLE_MACHINE = 'power_meter';
const DEFAULT_PERIOD_S = 0.1;

const SHEET: MeterSheet = {
  product: 'INA226 breakout in the supply line, POWER-Z in a USB-C cable, or a chip on the board',
  price: 'under €50',
  accuracy: null,
  minimumGuardS: 1,
  channel: { integration: 'guard', samplingPeriodS: DEFAULT_PERIOD_S, clock: 'host', edgeS: DEFAULT_PERIOD_S },
  wiring: 'into the supply line, on I²C; or none, where the board has one',
  blind: 'loads that are not on the line of its chip; usually the losses of the power supply',
  risks: 'a wrong shunt resistor in its driver makes every joule wrong; ACPI meters average over seconds to minutes',
};

/** Sensors of the board, through the kernel: INA chips, a server's ACPI meter, graphics. `root` names another tree, for tests: then the source is `emulated`. */
export const hwmon: MeterType = {
  type: 'hwmon',
  ownMachine: true,
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    parseSettings(name);
  },
  async open(name, host) {
    const { address, root, device, periodS, accuracy } = parseSettings(name);
    const sensor = chooseSensor(root, address, device);
    const first = readMillionths(sensor);
    // Each of the sensor's files holds the result of a conversion of its own.
    const newS = sensor.averageS ?? (sensor.updateS ?? 0) * sensor.files.length;
    const info = infoOf(sensor, periodS ?? Math.max(DEFAULT_PERIOD_S, newS), accuracy, root !== HWMON);
    if (sensor.kind === 'energy') return new CounterMeter(info, counterOf(sensor, first), host.clock);
    return new PolledMeter(info, sensorSource(sensor, host), host.clock);
  },
};

interface Settings {
  readonly address: string;
  readonly root: string;
  readonly device: string | null;
  /** Sampling period, seconds; null: as the chip has it. */
  readonly periodS: number | null;
  readonly accuracy: MeterInfo['accuracy'];
}

function parseSettings(name: MeterName): Settings {
  checkOptionNames(name, ['device', 'period', 'gain', 'offset', 'root']);
  const { device, root, period } = name.options;
  if (name.address === null || !/^[^/]+\/[^/]+$/.test(name.address)) {
    throw new InputError(`The meter "${name.text}" does not name a sensor.`, {
      advice:
        'Write hwmon:CHIP/powerN, /energyN, or /inN or the label of one rail, as in hwmon:ina226/power1; `joulediff meter list` shows those of this machine. No rails are added: which of them are the board’s whole input, the kernel does not tell.',
    });
  }
  return {
    address: name.address,
    root: root ?? HWMON,
    device: device ?? null,
    periodS: period === undefined ? null : secondsOption(name, 'period', { minimum: 0.02, maximum: 60 }, 1),
    accuracy: accuracyOption(name),
  };
}

function infoOf(sensor: Sensor, periodS: number, accuracy: MeterInfo['accuracy'], emulated: boolean): MeterInfo {
  const { chip, name, kind, device, label, averageS, shuntUohm } = sensor;
  const counts = kind === 'energy';
  const channel: ChannelInfo = {
    channel: label ?? chip,
    ...(chip === WHOLE_MACHINE ? { part: 'machine' as const } : {}),
    integration: counts ? 'counter' : 'guard',
    samplingPeriodS: periodS,
    clock: 'host',
    edgeS: counts ? (sensor.updateS ?? periodS) : periodS,
    ...(counts && { quantities: [{ name, unit: 'uJ', role: 'counter' }] }),
  };
  return {
    type: hwmon.type,
    address: `${chip}/${name}`,
    source: emulated ? 'emulated' : 'measured',
    identity: { device, ...(label === null ? {} : { label }), ...(shuntUohm === null ? {} : { shuntUohm }) },
    accuracy,
    minimumGuardS: counts ? 0 : Math.max(1, 2 * (averageS ?? 0) + 2 * periodS),
    channels: [channel],
    remarks: [
      ...(emulated ? ['These numbers come from a replaced hwmon tree; they were not measured.'] : []),
      ...(chip === WHOLE_MACHINE
        ? []
        : [`The chip ${chip} sees what it is wired to: part of the machine, or all of it.`]),
      ...(kind === 'rail'
        ? [
            'Its watts are a voltage times a current, converted one after the other: right as long as the voltage is steady.',
          ]
        : []),
      ...(shuntUohm === null
        ? []
        : [`Its driver computes with a resistor of ${shuntUohm} µΩ: if that is wrong, so is every joule.`]),
    ],
  };
}

/** Upper bound on a sensor's power, watts, over at least `STEP_S` seconds, since some counters move in steps. */
const MAX_W = 20_000;
const STEP_S = 1;

/** A counter of microjoules. Its range is unknown, so a fall, like an impossible leap, is a gap. */
function counterOf(sensor: Sensor, first: number): EnergyCounter {
  let last = first;
  return {
    advance(elapsedS) {
      const now = readMillionths(sensor);
      const [beforeJ, nowJ] = [last / 1e6, now / 1e6];
      const energyJ = (now - last) / 1e6;
      last = now;
      const known = energyJ >= 0 && energyJ <= MAX_W * Math.max(elapsedS, STEP_S);
      const went = energyJ < 0 ? 'fell' : 'leapt';
      return {
        values: [[now]],
        gaps: [
          known
            ? null
            : `The counter ${sensor.chip}/${sensor.name} ${went} from ${beforeJ} J to ${nowJ} J: it was reset, or began anew.`,
        ],
      };
    },
  };
}

/** A source that asks a power sensor. */
export function sensorSource(sensor: Sensor, host: MeterHost): PolledSource {
  const { clock } = host;
  return {
    // A driver answers only when the next conversion ends, which takes long if the chip averages many.
    waits: sensor.kind === 'rail',
    async read() {
      const askedNs = clock.nowNs();
      try {
        const powerW = (await awaitMillionths(sensor, host)) / 1e6;
        // On a slow bus reading takes a while: the middle of it is the time of the reading.
        return { tNs: askedNs + (clock.nowNs() - askedNs) / 2n, powerW: [powerW], note: null };
      } catch (error) {
        if (!(error instanceof JoulediffError)) throw error;
        return { missing: error.message.replace(/^T/, 't').replace(/\.$/, '') };
      }
    },
    onEnd: () => {},
    close: async () => {},
  };
}
