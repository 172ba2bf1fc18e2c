import type { MeterInfo } from '../../contracts/reading.ts';
import { InputError } from '../../errors.ts';
import { EMULATED_REMARK } from '../emulator/emulator.ts';
import type { Meter, MeterHost, MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { type DeviceAddress, deviceAddress, secretOption } from '../network/address.ts';
import type { HttpConnection } from '../network/connection.ts';
import { openDevice, PATIENT_MS, PLUG_ADVICE, PLUG_READINGS, plugChannel, READING_MS } from '../network/device.ts';
import { getJson, jsonSource } from '../network/json.ts';
import { accuracyOption, checkOptionNames, secondsOption } from '../options.ts';
import { PolledMeter } from '../polled-meter.ts';
import { ShellyEmulator, type ShellyTraits } from './emulator.ts';
import { firstGeneration } from './first-generation.ts';
import { Greeting } from './greeting.ts';
import { laterGeneration, type Phase } from './later-generation.ts';

const SHEET: MeterSheet = {
  product: 'Shelly Plug S, Plug S Gen3, 1PM, PM Mini, EM, 3EM',
  price: 'under €50',
  accuracy: null,
  // The plug's value is a mean over the last second, renewed every second and read twice a second over a radio.
  minimumGuardS: 3,
  // Not published. Plugs were seen to show 0 below 0.3 to 0.5 W (bramstroker/homeassistant-powercalc, issues 115 and 371).
  smallestLoadW: 0.5,
  channel: { part: 'machine', integration: 'guard', clock: 'host', samplingPeriodS: 1, edgeS: 0.5, resolutionW: 0.1 },
  wiring: 'between plug and socket; Wi-Fi',
  blind: 'which part of the machine, or which program, draws the power',
  risks: 'it can switch the machine off: set a password (forks then can’t be measured); no accuracy is published',
};

/** Shelly plugs and in-wall meters: the power at an outlet. Asks only what is measured, never switches. */
export const shelly: MeterType = {
  type: 'shelly',
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    parseSettings(name);
  },
  async open(name, host) {
    const settings = parseSettings(name);
    const password = secretOption(name, 'password-env');
    const reported = { failed: `No Shelly can be read at ${settings.address.text}`, advice: PLUG_ADVICE };
    return openDevice(host.openHttp(settings.address), reported, (connection) =>
      openOn(connection, { ...settings, password }, host),
    );
  },
  models: ['plus-plug-s', 'plug-s', 'pro-em'],
  emulateDevice: (settings, model = '') => new ShellyEmulator(settings, MODEL_TRAITS[model]),
};

const MODEL_TRAITS: Readonly<Record<string, ShellyTraits>> = {
  'plug-s': { generation: 1 },
  'pro-em': { component: 'em1' },
};

const isPhase = (text: string): text is 'a' | 'b' | 'c' => ['a', 'b', 'c'].includes(text);

interface Settings {
  /** Phase of a three-phase meter; null: the sum of all. */
  readonly phase: Phase;
  readonly address: DeviceAddress;
  /** Number of the outlet; null: the only one. */
  readonly outlet: number | null;
  readonly periodS: number;
  readonly accuracy: MeterInfo['accuracy'];
}

function parseSettings(name: MeterName): Settings {
  checkOptionNames(name, ['id', 'phase', 'password-env', 'period', 'gain', 'offset']);
  const { id, phase = null } = name.options;
  if (id !== undefined && !/^\d{1,3}$/.test(id)) {
    throw new InputError(`The option id=${id} in the meter name "${name.text}" is not the number of an outlet.`, {
      advice: 'Outlets are numbered from 0 on.',
    });
  }
  if (phase !== null && !isPhase(phase)) {
    throw new InputError(`The option phase=${phase} in the meter name "${name.text}" is not a phase.`, {
      advice: 'Possible: a, b, c.',
    });
  }
  return {
    phase,
    address: deviceAddress(name),
    outlet: id === undefined ? null : Number(id),
    periodS: secondsOption(name, 'period', { minimum: 0.5, maximum: 5 }, 1),
    accuracy: accuracyOption(name),
  };
}

async function openOn(
  connection: HttpConnection,
  { address, outlet, phase, periodS, accuracy, password }: Settings & { readonly password: string | null },
  host: MeterHost,
): Promise<Meter> {
  const greet = async (deadlineMs: number) =>
    (await getJson(connection, { path: '/shelly', deadlineMs }, Greeting)).value;
  const greeting = await greet(PATIENT_MS);
  const open = greeting.gen === undefined ? firstGeneration : laterGeneration;
  const { identity, resolutionW, quantities, remarks, read } = await open(connection, {
    greeting,
    outlet,
    phase,
    password,
  });
  const emulated = greeting.emulated === true;
  const info: MeterInfo = {
    type: shelly.type,
    address: address.text,
    source: emulated ? 'emulated' : 'measured',
    identity,
    accuracy,
    minimumGuardS: SHEET.minimumGuardS,
    channels: [{ ...plugChannel(periodS, resolutionW), ...(quantities && { quantities }) }],
    remarks: [...(emulated ? [EMULATED_REMARK] : accuracy === null ? [UNPUBLISHED] : []), ...remarks],
  };
  const device = { id: idOf(greeting), ask: async () => idOf(await greet(READING_MS)) };
  return new PolledMeter(info, jsonSource(connection, read, device), host.clock, PLUG_READINGS);
}

const idOf = ({ id, mac }: Greeting): string => id ?? mac ?? '?';

const UNPUBLISHED =
  'Shelly publishes no accuracy for this meter. A proportional error cancels in percentages, but joules may be off by it.';
