import type { MeterInfo } from '../../contracts/reading.ts';
import { InputError } from '../../errors.ts';
import { EMULATED_REMARK } from '../emulator/emulator.ts';
import type { MeterSheet, MeterType } from '../meter.ts';
import { powerSource, type Sampling, samplingOption, unitOption } from '../modbus/power-source.ts';
import type { MeterName } from '../name.ts';
import { checkOptionNames } from '../options.ts';
import { PolledMeter } from '../polled-meter.ts';
import { portAddress } from '../serial/ports.ts';
import { Sdm120Emulator } from './emulator.ts';
import {
  DEFAULT_BAUD_RATE,
  DEFAULT_UNIT,
  type Identity,
  openIdentified,
  patienceFor,
  probe,
  requestFor,
  type Settings,
} from './identify.ts';
import { readPower } from './registers.ts';

const BAUD_RATES = ['1200', '2400', '4800', '9600', '19200', '38400'];
const PARITIES = ['none', 'even', 'odd'] as const;

const SHEET: MeterSheet = {
  product: 'Eastron SDM120, SDM230',
  price: '€50 to €300',
  accuracy: { gainPercent: 1, offsetW: 0 },
  // Nothing is published about its settling; this holds a mean of 2 s that is renewed every 2 s.
  minimumGuardS: 4,
  // The data sheet says that the meter starts at 0.4 % of its base current of 5 A, which is 4.6 W at 230 V.
  smallestLoadW: 4.6,
  channel: { part: 'machine', integration: 'guard', clock: 'host', samplingPeriodS: 0.5, edgeS: 0.5 / 3 },
  wiring: 'on the DIN rail, by an electrician; RS-485 adapter',
  blind: 'which part of the machine, or which program, draws the power',
  risks: 'class 1 holds from about 115 W on; the slow line gives few readings',
};

/** Eastron SDM120 and SDM230 on an RS-485 adapter: wall power, renewed about every second. */
export const sdm120: MeterType = {
  type: 'sdm120',
  sheet: SHEET,
  momentary: ['voltageV', 'frequencyHz'],
  check(name) {
    parseSettings(name);
  },
  async open(name, host) {
    const { sampling, ...settings } = parseSettings(name);
    const [modbus, identity] = await openIdentified(host, settings);
    const source = powerSource(modbus, requestFor(settings.unit, 'power'), readPower, patienceFor(settings.format));
    return new PolledMeter(infoOf(settings, sampling, identity), source, host.clock, sampling.readings);
  },
  async probe(port, host) {
    const found = await probe(host, port);
    return found && `${found.emulated ? 'an emulated' : 'an'} Eastron SDM120 or SDM230`;
  },
  emulate: (settings) => new Sdm120Emulator(settings),
};

function parseSettings(name: MeterName): Settings & { sampling: Sampling } {
  checkOptionNames(name, ['unit', 'baud', 'parity', 'period']);
  const baudRate = Number(choice(name, 'baud', BAUD_RATES, String(DEFAULT_BAUD_RATE)));
  const format = { baudRate, parity: choice(name, 'parity', PARITIES, 'none') };
  const sampling = samplingOption(name);
  return { unit: unitOption(name, DEFAULT_UNIT), sampling, format, path: portAddress(name) };
}

function choice<T extends string>(name: MeterName, key: string, possible: readonly T[], fallback: T): T {
  const text = name.options[key] ?? fallback;
  const found = possible.find((one) => one === text);
  if (found !== undefined) return found;
  throw new InputError(`The option ${key}=${text} in the meter name "${name.text}" is not possible.`, {
    advice: `Possible: ${possible.join(', ')}.`,
  });
}

const WALL = { channel: 'wall', part: 'machine', integration: 'guard', clock: 'host' } as const;

function infoOf({ path, unit, format }: Settings, { periodS, readings }: Sampling, identity: Identity): MeterInfo {
  const { emulated, voltageV, frequencyHz } = identity;
  return {
    type: sdm120.type,
    address: path,
    source: emulated ? 'emulated' : 'measured',
    identity: { unit, baudRate: format.baudRate, voltageV, frequencyHz },
    accuracy: SHEET.accuracy,
    minimumGuardS: SHEET.minimumGuardS,
    channels: [{ ...WALL, samplingPeriodS: periodS, edgeS: periodS / readings }],
    remarks: emulated
      ? [EMULATED_REMARK]
      : ['The meter’s class 1 holds from 0.5 A (115 W at 230 V); from 0.25 A to there it allows 1.5 %.'],
  };
}
