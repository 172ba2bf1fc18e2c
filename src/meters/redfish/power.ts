import * as z from 'zod';
import { InputError } from '../../errors.ts';
import { listed, visible } from '../../text/plain.ts';
import { HttpFault } from '../network/connection.ts';
import type { RedfishSession } from './session.ts';

/** Resource of a controller that holds its server's power. */
export interface PowerResource {
  readonly chassis: string;
  readonly model: string;
  readonly serial: string;
  /** Asks for the serial number again. Throws HttpFault. */
  askSerial(): Promise<string>;
  /** Form of the resource: the newest one that the controller has. */
  readonly form: 'EnvironmentMetrics' | 'PowerSubsystem' | 'Power';
  /** Averaging time that the controller tells, seconds; null: it doesn't. */
  readonly averageS: number | null;
  /** Accuracy that the sensor tells, percent; null: it doesn't. */
  readonly accuracyPercent: number | null;
  /** Number of values whose sum is the power. */
  readonly values: number;
  /** Asks for the power, watts; null: there is none at the moment. Throws HttpFault. */
  read(deadlineMs: number): Promise<{ readonly powerW: number | null; readonly tNs: bigint }>;
}

const CHASSIS = '/redfish/v1/Chassis';
const MAX_CHASSIS = 16;

export const Link = z.object({ '@odata.id': z.string().regex(/^\/redfish\/v1\/[\w./~%:-]*$/) });
export const Collection = z.object({ Members: z.array(Link) });
export const text = z.string().nullish();
const Chassis = z.object({
  Manufacturer: text,
  Model: text,
  SerialNumber: text,
  EnvironmentMetrics: Link.optional(),
  PowerSubsystem: Link.optional(),
  Power: Link.optional(),
});
const Reading = z.object({ Reading: z.number().nullish() });
const EnvironmentMetrics = z.object({ PowerWatts: Reading.extend({ DataSourceUri: text }).nullish() });
/** ISO 8601 durations of the kinds that sensors tell: `PT30S`, `PT1M`. */
export const Sensor = z.object({ AveragingInterval: text, SensingInterval: text, Accuracy: z.number().nullish() });
const PowerSubsystem = z.object({ PowerSupplies: Link.optional() });
const PowerSupply = z.object({ Metrics: Link.optional() });
const SupplyMetrics = z.object({ InputPowerWatts: Reading.nullish() });
const Power = z.object({
  PowerControl: z
    .array(
      z.object({
        PowerConsumedWatts: z.number().nullish(),
        PowerMetrics: z.object({ IntervalInMin: z.number().nullish() }).nullish(),
      }),
    )
    .optional(),
});

/** The power of the chassis that is named, or of the only one that tells any. Throws HttpFault, InputError (which one?). */
export async function powerOf(session: RedfishSession, named: string | null): Promise<PowerResource> {
  const { Members } = (await session.get(CHASSIS, Collection)).value;
  const all = Members.slice(0, MAX_CHASSIS).map((link) => link['@odata.id']);
  const ids = all.map(idOf);
  const chosen = named === null ? all : all.filter((path) => idOf(path) === named);
  if (chosen.length === 0) {
    throw new InputError(`This server has no chassis ${visible(named ?? '')}; it has ${listed(ids.map(visible))}.`, {
      advice: 'Name one of them, as in ?chassis=1.',
    });
  }
  const found: PowerResource[] = [];
  for (const path of chosen) {
    const resource = await fetchResource(session, path);
    if (resource !== null) found.push(resource);
  }
  const [first] = found;
  if (first === undefined) throw new HttpFault('it reports no power');
  if (found.length === 1) return first;
  throw new InputError(`Several chassis report their power: ${listed(found.map(({ chassis }) => visible(chassis)))}.`, {
    advice: 'Name the one that is metered, as in ?chassis=1.',
  });
}

export const idOf = (path: string): string => path.replace(/\/$/, '').split('/').at(-1) ?? '';

async function fetchResource(session: RedfishSession, path: string): Promise<PowerResource | null> {
  const ask = async () => (await session.get(path, Chassis)).value;
  const chassis = await ask();
  const reported = {
    chassis: idOf(path),
    model: [chassis.Manufacturer, chassis.Model].filter(Boolean).join(' ') || '?',
    serial: chassis.SerialNumber || '?',
    askSerial: async () => {
      const { SerialNumber: serial } = await ask();
      // After a start, a controller may answer before its inventory is filled.
      if (!serial && chassis.SerialNumber) throw new HttpFault('it does not tell its serial number yet');
      return serial || '?';
    },
  };
  return (
    (await environment(session, chassis.EnvironmentMetrics, reported)) ??
    (await supplies(session, chassis.PowerSubsystem, reported)) ??
    (await control(session, chassis.Power, reported))
  );
}

export type Link = z.output<typeof Link>;
type Reported = Pick<PowerResource, 'chassis' | 'model' | 'serial' | 'askSerial'>;

async function environment(
  session: RedfishSession,
  link: Link | undefined,
  reported: Reported,
): Promise<PowerResource | null> {
  if (link === undefined) return null;
  const ask = async (deadlineMs?: number) => session.get(link['@odata.id'], EnvironmentMetrics, deadlineMs);
  const { PowerWatts } = (await ask()).value;
  if (typeof PowerWatts?.Reading !== 'number') return null;
  const source = Link.safeParse({ '@odata.id': PowerWatts.DataSourceUri });
  // The sensor's own description is worth knowing, and not needed.
  const sensor = source.success ? await session.get(source.data['@odata.id'], Sensor).catch(notThere) : null;
  return {
    ...reported,
    form: 'EnvironmentMetrics',
    values: 1,
    averageS: longest(parseSeconds(sensor?.value.AveragingInterval), parseSeconds(sensor?.value.SensingInterval)),
    accuracyPercent: sensor?.value.Accuracy ?? null,
    async read(deadlineMs) {
      const { value, tNs } = await ask(deadlineMs);
      return { powerW: value.PowerWatts?.Reading ?? null, tNs };
    },
  };
}

/** Power as the sum of all supplies' inputs; if one gives no value at the moment, there is no sum. */
async function supplies(
  session: RedfishSession,
  link: Link | undefined,
  reported: Reported,
): Promise<PowerResource | null> {
  if (link === undefined) return null;
  const { PowerSupplies } = (await session.get(link['@odata.id'], PowerSubsystem)).value;
  if (PowerSupplies === undefined) return null;
  const metrics: string[] = [];
  for (const member of (await session.get(PowerSupplies['@odata.id'], Collection)).value.Members) {
    const { Metrics } = (await session.get(member['@odata.id'], PowerSupply)).value;
    // A supply that is listed twice counts once.
    if (Metrics !== undefined && !metrics.includes(Metrics['@odata.id'])) metrics.push(Metrics['@odata.id']);
  }
  const read = async (deadlineMs?: number) => {
    const watts: (number | null)[] = [];
    const times: bigint[] = [];
    for (const path of metrics) {
      const { value, tNs } = await session.get(path, SupplyMetrics, deadlineMs);
      watts.push(value.InputPowerWatts?.Reading ?? null);
      times.push(tNs);
    }
    const powerW = watts.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0);
    return { powerW, tNs: ((times[0] ?? 0n) + (times.at(-1) ?? 0n)) / 2n };
  };
  if (metrics.length === 0 || (await read()).powerW === null) return null;
  return { ...reported, form: 'PowerSubsystem', values: metrics.length, averageS: null, accuracyPercent: null, read };
}

async function control(
  session: RedfishSession,
  link: Link | undefined,
  reported: Reported,
): Promise<PowerResource | null> {
  if (link === undefined) return null;
  const ask = async (deadlineMs?: number) => session.get(link['@odata.id'], Power, deadlineMs);
  const first = (await ask()).value.PowerControl?.[0];
  if (typeof first?.PowerConsumedWatts !== 'number') return null;
  return {
    ...reported,
    form: 'Power',
    values: 1,
    // `IntervalInMin` is the time of its average, minimum and maximum, not of this value.
    averageS: null,
    accuracyPercent: null,
    async read(deadlineMs) {
      const { value, tNs } = await ask(deadlineMs);
      return { powerW: value.PowerControl?.[0]?.PowerConsumedWatts ?? null, tNs };
    },
  };
}

export function notThere(error: unknown): null {
  if (error instanceof HttpFault) return null;
  throw error;
}

/** Seconds of a duration; null: it is not given in minutes and seconds. */
export function parseSeconds(duration: string | null | undefined): number | null {
  const [, hours = '0', minutes = '0', seconds = '0'] =
    /^P?T?(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:(\d{1,6}(?:\.\d{1,6})?)S)?$/.exec(duration?.replace(/^PT/, '') ?? '-') ?? [];
  const total = 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds);
  return total > 0 ? total : null;
}

function longest(...seconds: (number | null)[]): number | null {
  const known = seconds.filter((one) => one !== null);
  return known.length === 0 ? null : Math.max(...known);
}
