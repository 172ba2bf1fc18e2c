import * as z from 'zod';
import { InputError, MeasureError } from '../../errors.ts';
import { type HttpConnection, HttpFault } from '../network/connection.ts';
import { MAX_PLUG_W, PATIENT_MS, READING_MS } from '../network/device.ts';
import { getJson } from '../network/json.ts';
import { type Greeting, type Outlet, UNLOCKED } from './greeting.ts';

/** `is_valid` is false until the chip has measured. A relay without a chip has `meters`, too: their power is 0 or a number that its owner wrote, and they count nothing. */
const Meter = z.object({
  power: z.number().nullable(),
  is_valid: z.boolean().optional(),
  total: z.number().nullish(),
});

/** Shelly's API for the first generation: `/status`. */
const Status = z.object({
  meters: z.array(Meter).optional(),
  emeters: z.array(Meter).optional(),
  relays: z.array(z.object({ ison: z.boolean() })).optional(),
});

interface Options {
  readonly greeting: Greeting;
  readonly outlet: number | null;
  readonly phase: string | null;
  readonly password: string | null;
}

/** Plug S, 1PM, EM and their like of the first generation. Throws HttpFault, InputError (which outlet?), MeasureError (switched off). */
export async function firstGeneration(connection: HttpConnection, options: Options): Promise<Outlet> {
  const { greeting, outlet, phase, password } = options;
  if (phase !== null) {
    throw new InputError('This generation of Shelly numbers its phases.', { advice: 'Name one as in ?id=0.' });
  }
  // Basic authentication is the only scheme of these devices: the password crosses the network unencrypted.
  const login: Record<string, string> =
    password === null ? {} : { authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}` };
  const ask = (deadlineMs: number) => getJson(connection, { path: '/status', headers: login, deadlineMs }, Status);
  const metersOf = ({ meters, emeters }: z.output<typeof Status>) =>
    (emeters ?? meters ?? []).filter(({ total }) => total !== undefined);
  const { value: first } = await ask(PATIENT_MS);
  const count = metersOf(first).length;
  if (count === 0) throw new HttpFault('it has no power meter');
  const id = outlet ?? 0;
  if (id >= count || (outlet === null && count > 1)) {
    throw new InputError(`This Shelly has ${count} ${count === 1 ? 'outlet' : 'outlets'}, numbered from 0.`, {
      advice: 'Say which one the machine is on, as in ?id=0.',
    });
  }
  // The relay beside clamps is for a contactor: what they measure may have power although it is off.
  if (first.emeters === undefined && first.relays?.[id]?.ison === false) {
    throw new MeasureError('The outlet is switched off: what is plugged in there has no power.');
  }
  return {
    identity: {
      generation: 1,
      model: greeting.type ?? '?',
      id: greeting.mac ?? '?',
      firmware: greeting.fw ?? '?',
      outlet: id,
    },
    resolutionW: 0.01,
    remarks: [
      ...(greeting.auth === false ? [UNLOCKED] : []),
      ...(password === null
        ? []
        : ['This generation takes its password unencrypted: anybody who listens on the network can read it.']),
    ],
    async read() {
      const { value, tNs } = await ask(READING_MS);
      const meter = metersOf(value)[id];
      if (meter === undefined || meter.is_valid === false || meter.power === null)
        return { missing: 'it has not measured yet' };
      if (!(Math.abs(meter.power) <= MAX_PLUG_W)) return { missing: `it reports ${meter.power} W` };
      return { tNs, powerW: [meter.power], note: null };
    },
  };
}
