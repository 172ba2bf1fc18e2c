import * as z from 'zod';
import { InputError } from '../../errors.ts';
import type { Quantity } from '../../sampling/reported.ts';
import { visible } from '../../text/plain.ts';
import type { Meter, MeterHost, MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { secretOption } from '../network/address.ts';
import { HttpFault } from '../network/connection.ts';
import { openDevice, PATIENT_MS, plugOff, READING_MS } from '../network/device.ts';
import { checkOptionNames } from '../options.ts';
import { answerWith, type KlapAnswer, KlapSession } from './klap-session.ts';
import { type PlugReading, type PlugSettings, plugMeter, plugSettings, TP_LINK_SHEET } from './plug.ts';
import { TapoEmulator } from './tapo-emulator.ts';

const SHEET: MeterSheet = {
  ...TP_LINK_SHEET,
  product: 'TP-Link Tapo P110, P110M, P115; Kasa KP125M, EP25',
  risks: 'it can switch the machine off; no accuracy is published; a new firmware may lock it',
};

/**
 * TP-Link's Tapo plugs, and the Kasa plugs that speak like them: what they measure, by the owner's account. Never switches. Kasa's older plugs and
 * strips with newer firmware (HS300 1.1) prove the account in another way, KLAP version 1, and can't be read.
 */
export const tapo: MeterType = {
  type: 'tapo',
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    parseSettings(name);
  },
  async open(name, host) {
    const settings = parseSettings(name);
    const [user, password] = [secretOption(name, 'user-env'), secretOption(name, 'password-env')];
    if (user === null || password === null) throw noAccount(name);
    const reported = { failed: `No Tapo plug can be read at ${settings.address.text}`, advice: ADVICE };
    return openDevice(host.openHttp(settings.address), reported, (connection) =>
      openOn(new KlapSession(connection, { user, password }, host.clock), settings, host),
    );
  },
  emulateDevice: (settings) => new TapoEmulator(settings),
};

const ADVICE =
  'Check its address, and the user and password of its app. A plug that refuses needs Third-Party Compatibility in the Tapo app (Me, Third-Party Services); after an update, switch that off and on again.';

function parseSettings(name: MeterName): PlugSettings {
  checkOptionNames(name, ['user-env', 'password-env', 'period', 'gain', 'offset']);
  const { 'user-env': user, 'password-env': password } = name.options;
  if (user === undefined || password === undefined) throw noAccount(name);
  return plugSettings(name);
}

function noAccount({ text }: MeterName): InputError {
  return new InputError(`The meter "${text}" does not say where its account is.`, {
    advice:
      'Put the user and the password of its app into environment variables, and their names here, as in ?user-env=TAPO_USER&password-env=TAPO_PASSWORD.',
  });
}

const DeviceInfo = answerWith(
  z.object({
    device_id: z.string(),
    mac: z.string(),
    model: z.string(),
    fw_ver: z.string(),
    /** Whether the plug is on; a power strip has one for each outlet instead. */
    device_on: z.boolean().optional(),
    emulated: z.boolean().optional(),
  }),
);

const Reading = z.object({
  power_mw: z.number().optional(),
  energy_wh: z.number().optional(),
  current_power: z.number().optional(),
});
type Reading = z.output<typeof Reading>;
const ReadingAnswer = answerWith(Reading);

/** A question for the power that some firmware answers. */
interface Question {
  readonly method: string;
  readonly resolutionW: number;
  powerW(reading: Reading): number | undefined;
}

const milliwatts = (amount: number | undefined): number | undefined => amount && amount / 1000;

/** Questions from the finest to the coarsest (`kasa/smart/modules/energy.py` of python-kasa). */
const QUESTIONS: readonly Question[] = [
  { method: 'get_emeter_data', resolutionW: 0.001, powerW: ({ power_mw }) => milliwatts(power_mw) },
  { method: 'get_energy_usage', resolutionW: 0.001, powerW: ({ current_power }) => milliwatts(current_power) },
  { method: 'get_current_power', resolutionW: 1, powerW: ({ current_power }) => current_power },
];

const COUNTER: Quantity = { name: 'energy_wh', unit: 'Wh', role: 'beside' };

async function openOn(session: KlapSession, settings: PlugSettings, host: MeterHost): Promise<Meter> {
  const identify = async (deadlineMs: number) =>
    resultOf((await session.ask('get_device_info', DeviceInfo, deadlineMs)).value);
  const plug = await identify(PATIENT_MS);
  if (plug.device_on === undefined) throw new HttpFault('it is no plug with a single outlet');
  if (!plug.device_on) throw plugOff();
  const { question, total } = await bestQuestion(session);
  const meter = {
    type: tapo.type,
    isEmulated: plug.emulated === true,
    identity: {
      model: visible(plug.model),
      id: visible(plug.device_id),
      mac: visible(plug.mac),
      firmware: visible(plug.fw_ver),
      reading: question.method,
    },
    resolutionW: question.resolutionW,
    counter: total === null ? null : COUNTER,
    remarks: question.resolutionW >= 1 ? [COARSE] : [],
    device: { id: plug.device_id, ask: async () => (await identify(READING_MS)).device_id },
    async read() {
      const { value, tNs } = await session.ask(question.method, ReadingAnswer, READING_MS);
      const reading = readingOf(resultOf(value), question);
      if (reading === null) throw new HttpFault('it reports no power');
      return { ...reading, tNs };
    },
  };
  return plugMeter(session, settings, meter, host);
}

/** The finest question that the plug answers, with its answer. Throws HttpFault: it answers none. */
async function bestQuestion(session: KlapSession): Promise<PlugReading & { readonly question: Question }> {
  for (const question of QUESTIONS) {
    const { result } = (await session.ask(question.method, ReadingAnswer, PATIENT_MS)).value;
    const reading = result && readingOf(result, question);
    if (reading) return { ...reading, question };
  }
  throw new HttpFault('it has no power meter');
}

function readingOf(reading: Reading, { powerW }: Question): PlugReading | null {
  const watts = powerW(reading);
  return watts === undefined ? null : { powerW: watts, total: reading.energy_wh ?? null };
}

/** Throws HttpFault where an error takes the place of the result. */
function resultOf<T>({ result, error_code }: KlapAnswer<T>): T {
  if (result !== null) return result;
  throw new HttpFault(`it answers with the error ${error_code}`);
}

const COARSE = 'This plug reports whole watts only: prefer runs of minutes, or another plug.';
