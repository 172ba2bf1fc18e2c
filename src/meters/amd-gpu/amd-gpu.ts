import type { ChannelInfo, MeterInfo } from '../../contracts/reading.ts';
import { InputError, MeasureError } from '../../errors.ts';
import { listed } from '../../text/plain.ts';
import { sensorSource } from '../hwmon/hwmon.ts';
import { findSensors, HWMON, readMillionths, type Sensor } from '../hwmon/sensor.ts';
import type { MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { accuracyOption, checkOptionNames, secondsOption } from '../options.ts';
import { PolledMeter } from '../polled-meter.ts';

/** Name of the chips in the kernel's driver. */
const CHIP = 'amdgpu';
const DEFAULT_PERIOD_S = 0.1;
/** Guard: the firmware averages over an undocumented time of about a second. */
const GUARD_S = 2;

const channelOf = (samplingPeriodS: number): Omit<ChannelInfo, 'channel'> => ({
  integration: 'guard',
  samplingPeriodS,
  clock: 'host',
  edgeS: samplingPeriodS + DEFAULT_PERIOD_S,
});

const SHEET: MeterSheet = {
  product: 'AMD GPUs, by the kernel’s driver amdgpu',
  price: 'nothing',
  accuracy: null,
  minimumGuardS: GUARD_S,
  channel: channelOf(DEFAULT_PERIOD_S),
  wiring: 'none',
  blind: 'anything but that GPU: no memory, disk or network; on many cards not its own fans and converters',
  risks: 'on a processor with graphics it is often the power of the whole processor; how it averages is not documented',
};

/** One AMD GPU's own sensor, as its driver shows it among those of the board. `root` names another tree, for tests: then the source is `emulated`. */
export const amdGpu: MeterType = {
  type: 'amd-gpu',
  ownMachine: true,
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    parseSettings(name);
  },
  found: (root = HWMON) => gpusIn(root).map(nameOf),
  async open(name, host) {
    const { device, root, periodS, accuracy } = parseSettings(name);
    const sensor = chooseGpu(root, device);
    readMillionths(sensor);
    const emulated = root !== HWMON;
    const info: MeterInfo = {
      type: amdGpu.type,
      address: device,
      source: emulated ? 'emulated' : 'measured',
      identity: { device: sensor.device, ...(sensor.label === null ? {} : { label: sensor.label }) },
      accuracy,
      minimumGuardS: GUARD_S,
      channels: [{ channel: 'gpu', ...channelOf(periodS) }],
      remarks: [
        'As reported by the driver amdgpu: a graphics card’s chip, or a processor with its graphics, without the rest of the machine; AMD publishes no accuracy for it.',
        ...(emulated ? ['These numbers come from a replaced hwmon tree; they were not measured.'] : []),
      ],
    };
    return new PolledMeter(info, sensorSource(sensor, host), host.clock);
  },
};

function parseSettings(name: MeterName) {
  checkOptionNames(name, ['period', 'gain', 'offset', 'root']);
  return {
    device: name.address,
    root: name.options.root ?? HWMON,
    periodS: secondsOption(name, 'period', { minimum: 0.02, maximum: 10 }, DEFAULT_PERIOD_S),
    accuracy: accuracyOption(name),
  };
}

const nameOf = (gpu: Sensor): string => `${amdGpu.type}:${gpu.device}`;

/** All AMD GPUs, each with its first sensor: a second one measures a part of the first. */
function gpusIn(root: string): Sensor[] {
  const all = findSensors(root).filter(({ chip, kind }) => chip === CHIP && kind === 'power');
  return [...new Map(all.toReversed().map((sensor) => [sensor.device, sensor])).values()].toReversed();
}

function chooseGpu(root: string, device: string | null): Sensor {
  const gpus = gpusIn(root);
  const fitting = gpus.filter((gpu) => device === null || gpu.device === device);
  const there = listed(gpus.map(nameOf));
  if (fitting.length > 1) {
    throw new InputError(`This machine has ${fitting.length} AMD GPUs.`, { advice: `Say which: there are ${there}.` });
  }
  if (fitting[0] !== undefined) return fitting[0];
  throw new MeasureError(`This machine has no AMD GPU${device === null ? '' : ` ${device}`} that reports its power.`, {
    advice:
      gpus.length === 0
        ? `There is no sensor of power of the driver amdgpu in ${root}.`
        : `There ${gpus.length === 1 ? 'is' : 'are'} ${there}.`,
  });
}
