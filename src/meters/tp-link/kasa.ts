import * as z from 'zod';
import { InputError } from '../../errors.ts';
import type { Quantity } from '../../sampling/reported.ts';
import { visible } from '../../text/plain.ts';
import type { Meter, MeterHost, MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { type HttpConnection, HttpFault } from '../network/connection.ts';
import { openDevice, PATIENT_MS, plugOff, READING_MS } from '../network/device.ts';
import { getJson } from '../network/json.ts';
import { checkOptionNames } from '../options.ts';
import { KASA_PORT } from './kasa-connection.ts';
import { KasaEmulator, type KasaTraits } from './kasa-emulator.ts';
import { type PlugReading, type PlugSettings, plugMeter, plugSettings, TP_LINK_SHEET } from './plug.ts';

const SHEET: MeterSheet = {
  ...TP_LINK_SHEET,
  product: 'TP-Link Kasa HS110, KP115, KP125, EP25, HS300',
  risks: 'anybody on the network can switch the machine off; no accuracy is published',
};

/** TP-Link's Kasa plugs and power strips with the local protocol of port 9999 (python-kasa 0.12.0). Asks only what is measured, never switches. */
export const kasa: MeterType = {
  type: 'kasa',
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    parseSettings(name);
  },
  async open(name, host) {
    const settings = parseSettings(name);
    const reported = { failed: `No Kasa plug can be read at ${settings.address.text}`, advice: ADVICE };
    return openDevice(host.openKasa(settings.address), reported, (connection) => openOn(connection, settings, host));
  },
  models: ['kp115', 'hs110'],
  emulateDevice: (settings, model = '') => new KasaEmulator(settings, MODEL_TRAITS[model]),
};

const MODEL_TRAITS: Readonly<Record<string, KasaTraits>> = { hs110: { version: 1 } };

const ADVICE = `Check its address, and that this machine can reach its port ${KASA_PORT}. Two that ask for an account, KP125M and EP25 of hardware 2.6, are read as tapo:HOST; an HS300 with firmware 1.1 can’t be read.`;

interface Settings extends PlugSettings {
  /** Number of the outlet of a power strip; null: the only one. */
  readonly outlet: number | null;
}

function parseSettings(name: MeterName): Settings {
  checkOptionNames(name, ['id', 'period', 'gain', 'offset']);
  const { id } = name.options;
  if (id !== undefined && !/^\d{1,2}$/.test(id)) {
    throw new InputError(`The option id=${id} in the meter name "${name.text}" is not the number of an outlet.`, {
      advice: 'Outlets are numbered from 0 on.',
    });
  }
  return { ...plugSettings(name, KASA_PORT), outlet: id === undefined ? null : Number(id) };
}

const SystemInfo = z.object({
  system: z.object({
    get_sysinfo: z.object({
      deviceId: z.string(),
      mac: z.string(),
      model: z.string(),
      sw_ver: z.string(),
      relay_state: z.number().optional(),
      /** Outlets of a power strip. */
      children: z.array(z.object({ id: z.string(), state: z.number() })).optional(),
      emulated: z.boolean().optional(),
    }),
  }),
});
type SystemInfo = z.output<typeof SystemInfo>['system']['get_sysinfo'];

/** An HS110 of the first hardware reports `power` and `total`, other plugs `power_mw` and `total_wh`, and an error neither. */
const Realtime = z.object({
  emeter: z.object({
    err_code: z.number().optional(),
    get_realtime: z
      .object({
        err_code: z.number().optional(),
        power: z.number().optional(),
        total: z.number().optional(),
        power_mw: z.number().optional(),
        total_wh: z.number().optional(),
      })
      .optional(),
  }),
});

/** Throws HttpFault where an error takes the place of the power. */
function readingOf({ emeter }: z.output<typeof Realtime>): PlugReading & { readonly counter: Quantity } {
  const { err_code = emeter.err_code ?? 0, power, total, power_mw, total_wh } = emeter.get_realtime ?? {};
  if (power_mw !== undefined) {
    const counter = { name: 'total_wh', unit: 'Wh', role: 'beside' } as const;
    return { powerW: power_mw / 1000, total: total_wh ?? null, counter };
  }
  if (power !== undefined) {
    return { powerW: power, total: total ?? null, counter: { name: 'total', unit: 'kWh', role: 'beside' } };
  }
  throw new HttpFault(`it reports no power (error ${err_code})`);
}

async function openOn(connection: HttpConnection, settings: Settings, host: MeterHost): Promise<Meter> {
  const identify = async (deadlineMs: number) => {
    const question = { path: JSON.stringify({ system: { get_sysinfo: {} } }), deadlineMs };
    return (await getJson(connection, question, SystemInfo)).value.system.get_sysinfo;
  };
  const plug = await identify(PATIENT_MS);
  const child = findOutlet(plug, settings.outlet);
  if ((child?.state ?? plug.relay_state) === 0) throw plugOff();
  const path = JSON.stringify({
    // The first strips number their outlets 00, 01, …, and want their own identifier before it (p-doyle/Python-KasaSmartPowerStrip).
    ...(child && { context: { child_ids: [child.id.length > 2 ? child.id : `${plug.deviceId}${child.id}`] } }),
    emeter: { get_realtime: {} },
  });
  const read = async (deadlineMs = READING_MS) => {
    const { value, tNs } = await getJson(connection, { path, deadlineMs }, Realtime);
    return { ...readingOf(value), tNs };
  };
  const { total, counter } = await read(PATIENT_MS);
  const meter = {
    type: kasa.type,
    isEmulated: plug.emulated === true,
    identity: {
      model: visible(plug.model),
      id: visible(plug.deviceId),
      mac: visible(plug.mac),
      firmware: visible(plug.sw_ver),
      outlet: settings.outlet ?? 0,
    },
    resolutionW: 0.001,
    counter: total === null ? null : counter,
    remarks: [UNLOCKED],
    device: { id: plug.deviceId, ask: async () => (await identify(READING_MS)).deviceId },
    read: () => read(),
  };
  return plugMeter(connection, settings, meter, host);
}

/** The outlet of a power strip; null: a plug, which is its own only one. Throws InputError: which one? */
function findOutlet({ children = [] }: SystemInfo, outlet: number | null) {
  const count = Math.max(1, children.length);
  if (outlet === null ? count > 1 : outlet >= count) {
    throw new InputError(`This plug has ${count === 1 ? 'one outlet, 0' : `the outlets 0 to ${count - 1}`}.`, {
      advice: 'Say which one the machine is on, as in ?id=0.',
    });
  }
  return children[outlet ?? 0] ?? null;
}

const UNLOCKED =
  'Anybody on the network can switch this plug off, and the machine with it: its protocol knows no password.';
