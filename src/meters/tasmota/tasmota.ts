import * as z from 'zod';
import type { MeterInfo } from '../../contracts/reading.ts';
import { InputError } from '../../errors.ts';
import { EMULATED_REMARK } from '../emulator/emulator.ts';
import type { Meter, MeterHost, MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { type DeviceAddress, deviceAddress, secretOption } from '../network/address.ts';
import { type HttpConnection, HttpFault } from '../network/connection.ts';
import {
  MAX_PLUG_W,
  openDevice,
  PATIENT_MS,
  PLUG_ADVICE,
  PLUG_READINGS,
  plugChannel,
  plugOff,
  READING_MS,
} from '../network/device.ts';
import { getJson, jsonSource } from '../network/json.ts';
import { accuracyOption, checkOptionNames, secondsOption } from '../options.ts';
import { PolledMeter } from '../polled-meter.ts';
import { TasmotaEmulator } from './emulator.ts';

const SHEET: MeterSheet = {
  product: 'Nous A1T, Gosund, Sonoff, Athom and others with Tasmota',
  price: 'under €50',
  accuracy: null,
  minimumGuardS: 3,
  // HLW8012, BL0937: pulses come too seldom below about 5 W. Tasmota keeps the last one for 10 s, and then shows 0 (its HLW_POWER_PROBE_TIME).
  smallestLoadW: 5,
  channel: { part: 'machine', integration: 'guard', clock: 'host', samplingPeriodS: 1, edgeS: 0.5, resolutionW: 1 },
  wiring: 'between plug and socket; Wi-Fi',
  blind: 'which part of the machine, or which program, draws the power',
  risks:
    'it can switch the machine off: set a password (forks then can’t be measured); whole watts until `WattRes 1`; as accurate as its owner’s calibration',
};

/** Plugs with Tasmota's firmware: Nous, Gosund, Sonoff, Athom and many others. Asks `Status` only, never switches. */
export const tasmota: MeterType = {
  type: 'tasmota',
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    parseSettings(name);
  },
  async open(name, host) {
    const settings = parseSettings(name);
    const password = secretOption(name, 'password-env');
    const reported = { failed: `No Tasmota plug can be read at ${settings.address.text}`, advice: PLUG_ADVICE };
    return openDevice(host.openHttp(settings.address), reported, (connection) =>
      openOn(connection, settings, password, host),
    );
  },
  emulateDevice: (settings) => new TasmotaEmulator(settings),
};

interface Settings {
  readonly address: DeviceAddress;
  /** Number of the channel, from 1 on; null: the only one. */
  readonly channel: number | null;
  readonly periodS: number;
  readonly accuracy: MeterInfo['accuracy'];
}

function parseSettings(name: MeterName): Settings {
  checkOptionNames(name, ['channel', 'password-env', 'period', 'gain', 'offset']);
  const { channel } = name.options;
  if (channel !== undefined && !/^[1-9]$/.test(channel)) {
    throw new InputError(
      `The option channel=${channel} in the meter name "${name.text}" is not the number of a channel.`,
      {
        advice: 'Channels are numbered from 1 on, as Tasmota does it.',
      },
    );
  }
  return {
    address: deviceAddress(name),
    channel: channel === undefined ? null : Number(channel),
    periodS: secondsOption(name, 'period', { minimum: 0.5, maximum: 5 }, 1),
    accuracy: accuracyOption(name),
  };
}

const oneOrMore = z.union([z.number().transform((value) => [value]), z.array(z.number()).min(1)]);

/** `Status 8` and its newer name `Status 10`: one number, or one for each channel. */
const Sensor = z.object({ StatusSNS: z.object({ ENERGY: z.object({ Power: oneOrMore }).optional() }) });
const Firmware = z.object({
  StatusFWR: z.object({ Version: z.string(), Hardware: z.string().optional(), Emulated: z.boolean().optional() }),
});
const Net = z.object({ StatusNET: z.object({ Mac: z.string() }) });
const Power = z.object({ POWER: z.string().optional(), POWER1: z.string().optional() });
const WattResolution = z.object({ WattRes: z.number().int().min(0).max(3) });

/** Answer to a request without the right password, in place of what was asked for. */
const Warning = z.object({ WARNING: z.string() });

async function openOn(
  connection: HttpConnection,
  { address, channel, periodS, accuracy }: Settings,
  password: string | null,
  host: MeterHost,
): Promise<Meter> {
  const login = password === null ? '' : `user=admin&password=${encodeURIComponent(password)}&`;
  // Since 15.5.0 a request that doesn't come from the plug's own page is refused.
  const referer = `http://${address.text}/`;
  const ask = async <T>(command: string, shape: z.ZodType<T>, deadlineMs = PATIENT_MS) => {
    const path = `/cm?${login}cmnd=${encodeURIComponent(command)}`;
    const answer = await getJson(connection, { path, headers: { referer }, deadlineMs }, z.union([shape, Warning]));
    if (Warning.safeParse(answer.value).success) throw new HttpFault('it asks for a password');
    return answer as { value: T; tNs: bigint };
  };
  const { StatusFWR: firmware } = (await ask('Status 2', Firmware)).value;
  const macNow = async (deadlineMs: number) => (await ask('Status 5', Net, deadlineMs)).value.StatusNET.Mac;
  const mac = await macNow(PATIENT_MS);
  const { ENERGY } = (await ask('Status 10', Sensor)).value.StatusSNS;
  if (ENERGY === undefined) throw new HttpFault('it has no power meter');
  const channels = ENERGY.Power.length;
  if (channel === null ? channels > 1 : channel > channels) {
    throw new InputError(`This plug has ${channels === 1 ? 'one channel' : `channels 1 to ${channels}`}.`, {
      advice: 'Say which one the machine is on, as in ?channel=1.',
    });
  }
  const at = (channel ?? 1) - 1;
  const { POWER, POWER1 } = (await ask('Power', Power)).value;
  if (channels === 1 && (POWER ?? POWER1) === 'OFF') {
    throw plugOff();
  }
  const decimals = (await ask('WattRes', WattResolution)).value.WattRes;
  const resolutionW = 10 ** -decimals;
  const emulated = firmware.Emulated === true;
  const info: MeterInfo = {
    type: tasmota.type,
    address: address.text,
    source: emulated ? 'emulated' : 'measured',
    identity: { firmware: firmware.Version, hardware: firmware.Hardware ?? '?', mac, channel: at + 1 },
    accuracy,
    minimumGuardS: SHEET.minimumGuardS,
    channels: [plugChannel(periodS, resolutionW)],
    remarks: [
      ...(emulated ? [EMULATED_REMARK] : accuracy === null ? [UNCALIBRATED] : []),
      ...(decimals === 0 ? [COARSE] : []),
      ...(password === null ? [UNLOCKED] : []),
      LOW_POWER,
    ],
  };
  const read = async () => {
    const { value, tNs } = await ask('Status 10', Sensor, READING_MS);
    const powerW = value.StatusSNS.ENERGY?.Power[at];
    if (powerW === undefined) return { missing: 'it reports no power' };
    if (!(Math.abs(powerW) <= MAX_PLUG_W)) return { missing: `it reports ${powerW} W` };
    return { tNs, powerW: [powerW], note: null };
  };
  const device = { id: mac, ask: () => macNow(READING_MS) };
  return new PolledMeter(info, jsonSource(connection, read, device), host.clock, PLUG_READINGS);
}

const UNCALIBRATED =
  'It is only as accurate as its owner’s calibration. A proportional error cancels in percentages, but joules may be off by it.';
const COARSE = 'It reports whole watts only: `WattRes 1` in its console makes that tenths.';
const UNLOCKED = 'Anybody on the network can switch this plug off, and the machine with it: give it a web password.';
const LOW_POWER =
  'Below about 5 W the chips of such plugs show a change only after up to 10 s; a machine that idles there needs `guard: 12s`.';
