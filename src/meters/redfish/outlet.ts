import * as z from 'zod';
import type { ChannelInfo } from '../../contracts/reading.ts';
import { InputError, MeasureError } from '../../errors.ts';
import type { Quantity } from '../../sampling/reported.ts';
import { type Clock, nsToSeconds, sleep } from '../../system/clock.ts';
import { listed, visible } from '../../text/plain.ts';
import { HttpFault } from '../network/connection.ts';
import { MAX_PLUG_W } from '../network/device.ts';
import type { PolledReading } from '../polled-meter.ts';
import { Collection, idOf, Link, notThere, parseSeconds, Sensor, text } from './power.ts';
import type { RedfishSession } from './session.ts';

const RACK_PDUS = '/redfish/v1/PowerEquipment/RackPDUs';
/** Time between two questions, seconds. */
const QUESTION_S = 1;
/** Time between two polls for a new reading, milliseconds: short enough to miss none of those that come every second. */
const POLL_MS = 500;
const ANSWER_MS = 1500;
/** Renewal time where a PDU doesn't tell one, seconds; PDUs renew their values every 1 to 10 s. */
const SLOWEST_S = 10;
/** Number of usual intervals after which a value whose time stands still is old. */
const STALE = 3;

export interface OutletAddress {
  readonly pdu: string;
  readonly outlet: string;
}

/** A value with its sensor, or a link to the sensor alone (DMTF's schemas Outlet 1.5 and Sensor). */
const Excerpt = z
  .object({ Reading: z.number().nullish(), DataSourceUri: text, '@odata.id': text })
  .nullish()
  .catch(null);
const Pdu = z.object({ Manufacturer: text, Model: text, SerialNumber: text, Outlets: Link.optional() });
/** HPE's G2 PDUs list their outlets under another name (Cray-HPE/hms-hmcollector). */
const Outlets = z.union([
  Collection,
  z.object({ Outlets: z.array(Link) }).transform(({ Outlets: MEMBERS }) => ({ Members: MEMBERS })),
]);
const Outlet = z.object({
  PowerState: text,
  ElectricalContext: text,
  PowerWatts: Excerpt,
  EnergykWh: Excerpt,
  Voltage: Excerpt,
  CurrentAmps: Excerpt,
});
const OutletSensor = Sensor.extend({ Reading: z.number().nullish(), ReadingTime: text, ElectricalContext: text });

/** The energy counter, too coarse to measure a run with. */
const ENERGY: Quantity = { name: 'EnergykWh', unit: 'kWh', role: 'beside' };

export interface MeteredOutlet {
  readonly identity: Readonly<Record<string, string | number>>;
  readonly accuracyPercent: number | null;
  readonly minimumGuardS: number;
  readonly channel: ChannelInfo;
  /** Readings per sample. */
  readonly readings: number;
  readonly waits: boolean;
  readonly remarks: readonly string[];
  /** Asks for the PDU's serial number and the outlet. Throws HttpFault. */
  ask(): Promise<string>;
  /** Reads the power. Throws HttpFault. */
  read(): Promise<PolledReading>;
}

/** One outlet of a rack's PDU. It is read and never switched. Throws HttpFault, InputError (no such PDU or outlet), MeasureError (switched off). */
export async function meteredOutlet(
  session: RedfishSession,
  named: OutletAddress,
  clock: Clock,
): Promise<MeteredOutlet> {
  const pduPath = chosen(await members(session, RACK_PDUS), named.pdu, 'This controller', 'PDU');
  const askPdu = async () => (await session.get(pduPath, Pdu)).value;
  const pdu = await askPdu();
  const outlets = pdu.Outlets?.['@odata.id'] ?? `${pduPath}/Outlets`;
  const path = chosen(await members(session, outlets), named.outlet, `The PDU ${visible(named.pdu)}`, 'outlet');
  const ask = () => session.get(path, Outlet, ANSWER_MS);
  const { value: first } = await ask();
  if (first.PowerState === 'Off') {
    throw new MeasureError(
      `The outlet ${visible(named.outlet)} is switched off: what is plugged in there has no power.`,
      {
        advice: 'Switch it on at the PDU. joulediff never switches anything.',
      },
    );
  }
  const source = Link.safeParse({ '@odata.id': first.PowerWatts?.DataSourceUri ?? first.PowerWatts?.['@odata.id'] });
  const sensorPath = source.success ? source.data['@odata.id'] : null;
  const askSensor = (at: string) => session.get(at, OutletSensor, ANSWER_MS);
  const sensor = sensorPath === null ? null : ((await askSensor(sensorPath).catch(notThere))?.value ?? null);
  const firstW = first.PowerWatts?.Reading ?? sensor?.Reading;
  if (typeof firstW !== 'number') throw new HttpFault('the outlet reports no power');
  let time = sensor?.ReadingTime ?? null;
  const timeOf = async (at: string) => (await askSensor(at)).value.ReadingTime;
  const seenS = sensorPath === null || time === null ? null : await intervalOf(() => timeOf(sensorPath), time, clock);
  if (seenS === null) time = null;
  const renewedS = Math.max(QUESTION_S, parseSeconds(sensor?.SensingInterval) ?? seenS ?? SLOWEST_S);
  const reportedAverageS = parseSeconds(sensor?.AveragingInterval);
  const isTimed = time !== null;
  const counts = typeof first.EnergykWh?.Reading === 'number';
  const serial = visible(pdu.SerialNumber || '?');

  /** Waits until the sensor's `ReadingTime` changes, and gives that reading; `powerW` is null where the sensor tells no number. */
  const nextTimed = async (at: string): Promise<{ powerW: number | null; tNs: bigint } | { missing: string }> => {
    const sinceNs = clock.nowNs();
    for (;;) {
      const { value, tNs } = await askSensor(at);
      // Without `ReadingTime` it is unknown whether a reading is new.
      if (value.ReadingTime && value.ReadingTime !== time) {
        time = value.ReadingTime;
        return { powerW: value.Reading ?? null, tNs };
      }
      const waitedS = nsToSeconds(clock.nowNs() - sinceNs);
      if (waitedS > STALE * renewedS)
        return { missing: `its reading has been the same one for ${waitedS.toFixed(0)} s` };
      await sleep(clock, POLL_MS);
    }
  };

  return {
    identity: {
      pdu: visible(named.pdu),
      outlet: visible(named.outlet),
      model: visible([pdu.Manufacturer, pdu.Model].filter(Boolean).join(' ') || '?'),
      serial,
      electricalContext: visible(first.ElectricalContext ?? sensor?.ElectricalContext ?? '?'),
      ...(typeof first.Voltage?.Reading === 'number' && { voltageV: first.Voltage.Reading }),
      ...(typeof first.CurrentAmps?.Reading === 'number' && { currentA: first.CurrentAmps.Reading }),
    },
    accuracyPercent: sensor?.Accuracy ?? null,
    minimumGuardS: Math.ceil(2 * renewedS + (reportedAverageS ?? renewedS) + QUESTION_S),
    readings: isTimed ? 1 : Math.max(1, Math.round(renewedS / QUESTION_S)),
    waits: isTimed,
    channel: {
      channel: 'wall',
      part: 'machine',
      integration: 'guard',
      clock: 'host',
      samplingPeriodS: renewedS,
      // A value that is no average may be of any moment since the one before.
      edgeS: (reportedAverageS ?? 0) >= renewedS ? QUESTION_S : renewedS,
      resolutionW: Number.isInteger(firstW) ? 1 : 0.1,
      ...(counts && { quantities: [ENERGY] }),
    },
    remarks: [
      isTimed
        ? `The PDU renews its reading every ${renewedS} s, by the sensor’s own time: each is taken once.`
        : `The PDU doesn’t say when it took a reading, so one is held to be as old as ${renewedS} s. Find its lag with joulediff meter check.`,
    ],
    ask: async () => `${visible((await askPdu()).SerialNumber || '?')}, outlet ${visible(named.outlet)}`,
    async read() {
      const timed = isTimed && sensorPath !== null ? await nextTimed(sensorPath) : null;
      if (timed !== null && 'missing' in timed) return timed;
      const { value, tNs: askedNs } = await ask();
      if (value.PowerState === 'Off') return { missing: 'the outlet has been switched off' };
      const linked = timed === null && sensorPath !== null && typeof value.PowerWatts?.Reading !== 'number';
      const powerW =
        timed?.powerW ?? value.PowerWatts?.Reading ?? (linked ? (await askSensor(sensorPath)).value.Reading : null);
      if (powerW == null) return { missing: 'it reports no power at the moment' };
      if (!(Math.abs(powerW) <= MAX_PLUG_W)) return { missing: `it reports ${powerW} W` };
      const tNs = timed?.tNs ?? askedNs;
      const kWh = value.EnergykWh?.Reading;
      return {
        tNs,
        powerW: [powerW],
        note: null,
        reported: counts && typeof kWh === 'number' ? { tNs, values: [kWh], since: null } : undefined,
      };
    },
  };
}

async function members(session: RedfishSession, path: string): Promise<string[]> {
  return (await session.get(path, Outlets)).value.Members.map((link) => link['@odata.id']);
}

function chosen(paths: readonly string[], id: string, owner: string, kind: string): string {
  const found = paths.find((path) => idOf(path) === id);
  if (found !== undefined) return found;
  const there = paths.length === 0 ? 'none' : listed(paths.map((path) => visible(idOf(path))));
  throw new InputError(`${owner} has no ${kind} ${visible(id)}; it has ${there}.`, {
    advice: 'Name one of them, as in redfish:HOST/PDU/OUTLET.',
  });
}

/** Seconds from the reading of that time to the next one, by the sensor's own clock; null: its time is none, or stands still. */
async function intervalOf(
  ask: () => Promise<string | null | undefined>,
  time: string,
  clock: Clock,
): Promise<number | null> {
  for (let waitedMs = 0; waitedMs < 1500 * SLOWEST_S; waitedMs += POLL_MS) {
    await sleep(clock, POLL_MS);
    const now = (await ask()) ?? time;
    if (now === time) continue;
    const seconds = (Date.parse(now) - Date.parse(time)) / 1000;
    // Two digits are kept, so that guard and rate are the same whenever this outlet is opened.
    return seconds > 0 && seconds <= 6 * SLOWEST_S ? Number(seconds.toPrecision(2)) : null;
  }
  return null;
}
