import type { ChannelInfo, MeterInfo } from '../../contracts/reading.ts';
import { InputError, MeasureError } from '../../errors.ts';
import { listed } from '../../text/plain.ts';
import { excerpt } from '../excerpt.ts';
import type { MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { accuracyOption, checkOptionNames } from '../options.ts';
import { PolledMeter } from '../polled-meter.ts';
import { findHidDevices, HIDRAW, type HidDevice, hidDevice } from './hidraw.ts';
import { type Polling, ReportSource } from './report-source.ts';

const PERIOD_S = 0.2;

/** Models by USB vendor and product. The older ones stop unless they are asked after every report. */
const MODELS: ReadonlyMap<string, readonly [model: string, Polling]> = new Map([
  ['0483:003a', ['FNB48', 'report']],
  ['0483:003b', ['C1', 'report']],
  ['2e3c:0049', ['FNB48S', 'second']],
  ['2e3c:5558', ['FNB58', 'second']],
]);
const POLLINGS: readonly Polling[] = ['second', 'report'];

const CHANNEL: Omit<ChannelInfo, 'channel'> = {
  integration: 'guard',
  samplingPeriodS: PERIOD_S,
  clock: 'host',
  edgeS: PERIOD_S,
};

const SHEET: MeterSheet = {
  product: 'FNIRSI FNB58, FNB48, FNB48S, C1',
  price: 'under €50',
  accuracy: null,
  minimumGuardS: 1,
  channel: CHANNEL,
  wiring: 'into the USB-C cable; its own USB port to the machine that reads it',
  blind: 'the power supply’s losses; what a laptop’s battery gives or takes',
  risks: 'a charging battery counts as work; it does not report which way the current flows',
};

/**
 * FNIRSI's meters for USB-C, on Linux's hidraw: volts times amperes of what flows through them, the DC side of a laptop or board.
 * `root` names another tree of devices, for tests: then the source is `emulated`.
 */
export const fnirsi: MeterType = {
  type: 'fnirsi',
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    parseSettings(name);
  },
  found: (root = HIDRAW) => metersIn(root).map(({ path }) => `${fnirsi.type}:${path}`),
  async open(name, host) {
    const { path, root, polling, accuracy } = parseSettings(name);
    const device = chooseDevice(path, root);
    const [model, usual] = MODELS.get(device.id) ?? [device.name, 'second'];
    const source = new ReportSource(await host.openHidraw(device.path), host.clock, polling ?? usual);
    try {
      await source.begin();
      const first = await source.read();
      if ('missing' in first) {
        throw new MeasureError(`The meter ${device.path} gives no readings: ${first.missing}.`, {
          advice: `Plug it in again. With new firmware of an FNB58, try ${fnirsi.type}:${device.path}?poll=report.`,
        });
      }
    } catch (error) {
      await source.close();
      throw error;
    }
    const emulated = root !== HIDRAW;
    const info: MeterInfo = {
      type: fnirsi.type,
      address: path,
      source: emulated ? 'emulated' : 'measured',
      identity: { model, ...(device.serial === null ? {} : { serial: device.serial }) },
      accuracy,
      minimumGuardS: SHEET.minimumGuardS,
      channels: [{ channel: 'usb-c', ...CHANNEL }],
      remarks: [
        'It sees the DC side, without the power supply. A laptop’s battery must be full: while it charges or helps, the numbers are of the battery too.',
        ...(emulated ? ['These numbers come from a replaced hidraw tree; they were not measured.'] : []),
      ],
    };
    return new PolledMeter(info, source, host.clock);
  },
};

function parseSettings(name: MeterName) {
  checkOptionNames(name, ['poll', 'gain', 'offset', 'root']);
  const { poll, root = HIDRAW } = name.options;
  const polling = POLLINGS.find((one) => one === poll) ?? null;
  if (poll !== undefined && polling === null) {
    throw new InputError(`The option poll=${poll} in the meter name "${name.text}" is not possible.`, {
      advice: `Possible: ${POLLINGS.join(', ')}.`,
    });
  }
  if (name.address !== null && !name.address.startsWith('/')) {
    throw new InputError(`The meter "${name.text}" does not name a device.`, {
      advice: `Write ${fnirsi.type}, or ${fnirsi.type}:/dev/hidraw0 for one of several.`,
    });
  }
  return { path: name.address, root, polling, accuracy: accuracyOption(name) };
}

const metersIn = (root: string): HidDevice[] => findHidDevices(root).filter(({ id }) => MODELS.has(id));

function chooseDevice(path: string | null, root: string): HidDevice {
  const meters = metersIn(root);
  const there =
    meters.length === 0
      ? `There is no FNIRSI meter in ${root}.`
      : `There ${meters.length === 1 ? 'is' : 'are'} ${listed(meters.map((one) => one.path))}.`;
  if (path !== null) {
    const device = hidDevice(root, path);
    if (device !== null && MODELS.has(device.id)) return device;
    const what = device === null ? '' : `: it says that it is ${excerpt(device.name)}`;
    throw new MeasureError(`${path} is no FNIRSI meter${what}.`, { advice: there });
  }
  const [only, other] = meters;
  if (only === undefined) throw new MeasureError('This machine has no FNIRSI meter.', { advice: there });
  if (other === undefined) return only;
  throw new InputError(`This machine has ${meters.length} FNIRSI meters.`, { advice: `Say which one. ${there}` });
}
