import * as z from 'zod';
import type { MeterInfo } from '../../contracts/reading.ts';
import { InputError } from '../../errors.ts';
import { visible } from '../../text/plain.ts';
import { COARSE_MS, COARSE_READINGS, COARSE_SHEET, coarse, MAX_SERVER_W } from '../coarse.ts';
import { EMULATED_REMARK } from '../emulator/emulator.ts';
import type { Meter, MeterHost, MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { type DeviceAddress, deviceAddress, fingerprintOption, secretOption } from '../network/address.ts';
import type { SessionConnection } from '../network/connection.ts';
import { openDevice, PATIENT_MS } from '../network/device.ts';
import { getJson, jsonSource } from '../network/json.ts';
import { accuracyOption, checkOptionNames } from '../options.ts';
import { PolledMeter } from '../polled-meter.ts';
import { RedfishEmulator } from './emulator.ts';
import { meteredOutlet, type OutletAddress } from './outlet.ts';
import { powerOf } from './power.ts';
import { RedfishSession } from './session.ts';

const HTTPS_PORT = 443;

const SHEET: MeterSheet = {
  ...COARSE_SHEET,
  product: 'servers with an iDRAC, iLO, XClarity or OpenBMC',
  wiring: 'none; the network of its management controller',
};

/** A server's management controller by Redfish: the power that its supplies take in, coarsely. Reads only, in a session that it closes. */
export const redfish: MeterType = {
  type: 'redfish',
  momentary: ['voltageV', 'currentA'],
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    parseSettings(name);
  },
  async open(name, host) {
    const settings = parseSettings(name);
    const password = secretOption(name, 'password-env');
    if (password === null) {
      throw new InputError(`The meter "${name.text}" does not say where its password is.`, {
        advice: 'Put it into an environment variable, and its name here, as in ?user=reader&password-env=BMC_PASSWORD.',
      });
    }
    const reported = { failed: `No power can be read from the controller at ${settings.address.text}`, advice: ADVICE };
    return openDevice(host.openHttp(settings.address), reported, (connection) =>
      openOn(connection, settings, password, host),
    );
  },
  models: ['server', 'pdu'],
  // The default emulates a server that doesn't tell its averaging time, as most don't.
  emulateDevice: (settings, model) =>
    new RedfishEmulator(settings, model === 'pdu' ? { pdu: true } : { sensor: false }),
};

const ADVICE =
  'Check its address, its user and password (an account that may only read is enough), and its certificate: one that the controller signed itself is named by ?fingerprint=.';

interface Settings {
  readonly address: DeviceAddress;
  readonly chassis: string | null;
  /** The outlet that is metered; null: the server itself is. */
  readonly outlet: OutletAddress | null;
  readonly user: string;
  readonly accuracy: MeterInfo['accuracy'];
}

function parseSettings(name: MeterName): Settings {
  checkOptionNames(name, ['chassis', 'user', 'password-env', 'fingerprint', 'gain', 'offset']);
  const { chassis = null, user } = name.options;
  if (user === undefined) {
    throw new InputError(`The meter "${name.text}" does not say its user.`, {
      advice: 'Write redfish:HOST?user=reader&password-env=BMC_PASSWORD; a user that may only read is enough.',
    });
  }
  const fingerprint = fingerprintOption(name, true);
  const [host = '', ...place] = name.address?.split('/') ?? [];
  const [pdu, outlet] = place;
  if (place.length !== 0 && !(place.length === 2 && pdu && outlet && chassis === null)) {
    throw new InputError(`The meter "${name.text}" names neither a server nor an outlet.`, {
      advice: 'Write redfish:HOST for a server, or redfish:HOST/PDU/OUTLET for an outlet, as in redfish:pdu.lan/1/A1.',
    });
  }
  const device = deviceAddress({ ...name, address: name.address && host }, HTTPS_PORT);
  return {
    address: { ...device, secure: true, fingerprint, text: name.address ?? '' },
    outlet: pdu && outlet ? { pdu, outlet } : null,
    chassis,
    user,
    accuracy: accuracyOption(name),
  };
}

const Root = z.object({
  RedfishVersion: z.string(),
  Vendor: z.string().nullish(),
  Product: z.string().nullish(),
  Oem: z
    .object({ joulediff: z.object({ emulated: z.boolean() }).optional().catch(undefined) })
    .nullish()
    .catch(null),
});

async function openOn(
  connection: SessionConnection,
  { address, chassis, outlet, user, accuracy }: Settings,
  password: string,
  host: MeterHost,
): Promise<Meter> {
  // The password is only sent to something that speaks Redfish.
  const root = (await getJson(connection, { path: '/redfish/v1/', deadlineMs: PATIENT_MS }, Root)).value;
  const session = new RedfishSession(connection, { user, password });
  try {
    const emulated = root.Oem?.joulediff?.emulated === true;
    const common = {
      type: redfish.type,
      address: address.text,
      source: emulated ? ('emulated' as const) : ('measured' as const),
    };
    const controller = {
      vendor: visible(root.Vendor ?? root.Product ?? '?'),
      redfish: visible(root.RedfishVersion),
    };
    if (outlet !== null) {
      const metered = await meteredOutlet(session, outlet, host.clock);
      const info: MeterInfo = {
        ...common,
        identity: { ...controller, ...metered.identity },
        accuracy: accuracy ?? reportedAccuracy(metered.accuracyPercent),
        minimumGuardS: metered.minimumGuardS,
        channels: [metered.channel],
        remarks: [...metered.remarks, ...(emulated ? [EMULATED_REMARK] : [])],
      };
      const source = jsonSource(session, metered.read, { id: await metered.ask(), ask: metered.ask });
      return new PolledMeter(info, { ...source, waits: metered.waits }, host.clock, metered.readings);
    }
    const power = await powerOf(session, chassis);
    const { minimumGuardS, channels, remarks } = coarse(power.averageS);
    const info: MeterInfo = {
      ...common,
      identity: {
        ...controller,
        chassis: visible(power.chassis),
        model: visible(power.model),
        serial: visible(power.serial),
        resource: power.form,
      },
      accuracy: accuracy ?? reportedAccuracy(power.accuracyPercent),
      minimumGuardS,
      // Each supply's watts are rounded separately.
      channels: channels.map((one) => ({ ...one, resolutionW: Math.sqrt(power.values) * (one.resolutionW ?? 0) })),
      remarks: [...remarks, ...(emulated ? [EMULATED_REMARK] : [])],
    };
    const read = async () => {
      const { powerW, tNs } = await power.read(COARSE_MS);
      if (powerW === null) return { missing: 'it reports no power at the moment' };
      if (!(powerW >= 0 && powerW <= MAX_SERVER_W)) return { missing: `it reports ${powerW} W` };
      return { tNs, powerW: [powerW], note: null };
    };
    const polled = jsonSource(session, read, { id: power.serial, ask: power.askSerial });
    return new PolledMeter(info, polled, host.clock, COARSE_READINGS);
  } catch (error) {
    await session.close();
    throw error;
  }
}

const reportedAccuracy = (percent: number | null): MeterInfo['accuracy'] =>
  percent !== null && percent >= 0 && percent <= 50 ? { gainPercent: percent, offsetW: 0 } : null;
