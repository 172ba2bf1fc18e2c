import type { MeterInfo } from '../../contracts/reading.ts';
import { InputError, MeasureError } from '../../errors.ts';
import { EMULATED_REMARK } from '../emulator/emulator.ts';
import { excerpt } from '../excerpt.ts';
import type { Meter, MeterHost, MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { deviceAddress } from '../network/address.ts';
import { accuracyOption, checkOptionNames, numberOption, secondsOption } from '../options.ts';
import { PolledMeter } from '../polled-meter.ts';
import type { Line } from '../serial/line.ts';
import { Conversation, ScpiFault } from './conversation.ts';
import { EMULATED_SERIAL } from './emulated-instrument.ts';
import { HOURS } from './integrator.ts';
import { yokogawa } from './yokogawa.ts';
import { YokogawaEmulator } from './yokogawa-emulator.ts';
import { zes } from './zes.ts';
import { ZesEmulator } from './zes-emulator.ts';

const SCPI_PORT = 5025;
const IDENTIFY_MS = 3000;
/** Upper bound on the time between the end of an update and the arrival of its answer, seconds; undocumented. */
const STAMP_S = 0.1;

const WALL = { part: 'machine', integration: 'guard', clock: 'host', edgeS: STAMP_S } as const;

const SHEET: MeterSheet = {
  product: 'Yokogawa WT310E (the older WT310 and WT500 likewise; ZES LMG600)',
  price: 'thousands of €',
  // These hold for ranges of 300 V and 1 A.
  accuracy: { gainPercent: 0.1, offsetW: 0.3 },
  minimumGuardS: 2,
  channel: { ...WALL, samplingPeriodS: 1 },
  wiring: 'into the supply line by its terminals or a socket adapter; USB',
  blind: 'which part of the machine, or which program, draws the power',
  risks: 'ranges must be fixed by hand; its ± 0.3 W is for 300 V and 1 A; its certificate is good for a year',
};

/** Laboratory power meters that speak SCPI, by network, USB or a serial port. Sets what it reads and nothing of how they measure, and puts it back. */
export const scpi: MeterType = {
  type: 'scpi',
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    parseSettings(name);
  },
  async open(name, host) {
    const settings = parseSettings(name);
    const talk = new Conversation(await settings.line(host), host.clock);
    try {
      return await openOn(talk, settings, host);
    } catch (cause) {
      await talk.close();
      if (!(cause instanceof ScpiFault)) throw cause;
      throw new MeasureError(`No power meter can be used at ${settings.text}: ${cause.message}.`, {
        advice: ADVICE,
        cause,
      });
    }
  },
  models: ['wt310e', 'lmg611'],
  emulate: (settings, model) => (model === 'lmg611' ? new ZesEmulator(settings) : new YokogawaEmulator(settings)),
};

const ADVICE =
  'Is it a Yokogawa of the WT series or a ZES LMG600 that answers *IDN? there, and is nobody else connected to it? docs/meters.md shows how to connect one.';

interface Settings {
  readonly text: string;
  readonly line: (host: MeterHost) => Promise<Line>;
  readonly element: number;
  readonly periodS: number;
  readonly accuracy: MeterInfo['accuracy'];
}

function parseSettings(name: MeterName): Settings {
  checkOptionNames(name, ['element', 'baud', 'period', 'gain', 'offset']);
  const { element = '1' } = name.options;
  if (!/^[1-7]$/.test(element)) {
    throw new InputError(
      `The option element=${element} in the meter name "${name.text}" is not possible: it must be 1 to 7.`,
    );
  }
  return {
    ...lineOf(name),
    element: Number(element),
    periodS: secondsOption(name, 'period', { minimum: 0.1, maximum: 2 }, 1),
    accuracy: accuracyOption(name),
  };
}

function lineOf(name: MeterName): Pick<Settings, 'text' | 'line'> {
  const { address } = name;
  const path = address?.startsWith('/') ? address : null;
  const isSerial = path !== null && !/^\/dev\/usbtmc\d+$/.test(path);
  const baudRate = numberOption(name, 'baud', { minimum: 1200, maximum: 115_200, unit: 'baud' }, 9600);
  if (name.options.baud !== undefined && !isSerial) {
    throw new InputError(`The option baud in the meter name "${name.text}" is for serial ports only.`);
  }
  if (isSerial) return { text: path, line: (host) => host.openLine(path, { baudRate }) };
  if (path !== null) return { text: path, line: (host) => host.openUsbtmc(path) };
  const { host: machine, port, text } = deviceAddress(name, SCPI_PORT);
  return { text, line: (host) => host.openTcp(machine, port) };
}

function findFamily(maker: string, model: string): typeof yokogawa | null {
  if (/yokogawa/i.test(maker) && model !== '') return yokogawa;
  // Older models have other commands.
  return /^LMG6\d\d/i.test(model) ? zes : null;
}

async function openOn(talk: Conversation, settings: Settings, host: MeterHost): Promise<Meter> {
  const said = await talk.identify(IDENTIFY_MS);
  const [maker = '', model = '', serial = '', firmware = ''] = said.split(',').map((part) => part.trim());
  const ready = findFamily(maker, model);
  if (ready === null) throw new ScpiFault(`it says that it is ${excerpt(said)}`);
  const { element, text } = settings;
  const { identity, accuracy, updateS, remarks, read, restore } = await ready(talk, {
    ...settings,
    identity: { maker, model },
  });
  const periodS = Math.max(settings.periodS, updateS);
  const emulated = serial === EMULATED_SERIAL;
  const info: MeterInfo = {
    type: scpi.type,
    address: text,
    source: emulated ? 'emulated' : 'measured',
    identity: { maker, model, serial, firmware, element, ...identity, updateS },
    accuracy: emulated ? settings.accuracy : accuracy,
    // Readings are of whole updates, and at most a second late.
    minimumGuardS: 1 + periodS,
    channels: [{ channel: 'wall', ...WALL, samplingPeriodS: periodS, quantities: [HOURS] }],
    remarks: [...(emulated ? [EMULATED_REMARK] : []), ...remarks],
  };
  let closing: Promise<void> | null = null;
  const close = async () => {
    await restore().catch(() => {}); // the line is lost: whoever is at the instrument finds it as it was measuring
    await talk.close();
  };
  const source = {
    waits: true,
    read,
    onEnd: (listener: (error: MeasureError) => void) => talk.onEnd(listener),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
  return new PolledMeter(info, source, host.clock);
}
