import { z } from 'zod';
import { InputError, MeasureError } from '../../errors.ts';
import type { Quantity } from '../../sampling/told.ts';
import { listed } from '../../text/plain.ts';
import { type HttpConnection, HttpFault } from '../network/connection.ts';
import { MOST_PLUG_W, PATIENT_MS, READING_MS } from '../network/device.ts';
import { DigestConnection } from '../network/digest-connection.ts';
import { getJson } from '../network/json.ts';
import { CounterCheck } from './counter-check.ts';
import { type Greeting, type Outlet, UNLOCKED } from './greeting.ts';

/** Components that meter: `switch` plugs and relays, `pm1` meters without one, `em1` clamps, which tell no energy. */
const METHODS = { switch: 'Switch.GetStatus', pm1: 'PM1.GetStatus', em1: 'EM1.GetStatus' } as const;
type Kind = keyof typeof METHODS;

const Status = z.object({
  apower: z.number().optional(),
  act_power: z.number().optional(),
  output: z.boolean().optional(),
  aenergy: z.object({ total: z.number() }).optional(),
});

const Config = z.object({
  auto_off: z.boolean().optional(),
  auto_off_delay: z.number().optional(),
  power_limit: z.number().optional(),
});

/** Too coarse to measure with. */
const COUNTER: Quantity = { name: 'aenergy.total', unit: 'Wh', role: 'beside' };

interface Options {
  readonly greeting: Greeting;
  readonly outlet: number | null;
  readonly password: string | null;
}

/** Shelly's official API, generations 2 to 4. Throws HttpFault, InputError (which outlet?), MeasureError (switched off). */
export async function laterGeneration(plain: HttpConnection, { greeting, outlet, password }: Options): Promise<Outlet> {
  const connection = password === null ? plain : new DigestConnection(plain, { user: 'admin', password });
  const { value: all } = await getJson(
    connection,
    { path: '/rpc/Shelly.GetStatus', deadlineMs: PATIENT_MS },
    z.record(z.string(), z.unknown()),
  );
  const { kind, id } = chosen(metersOf(all), outlet);
  const path = `/rpc/${METHODS[kind]}?id=${id}`;
  const { value: first } = await getJson(connection, { path, deadlineMs: PATIENT_MS }, Status);
  if (first.output === false) {
    throw new MeasureError('The outlet is switched off: what is plugged in there has no power.', {
      advice: 'Switch it on in its app. joulediff never switches anything.',
    });
  }
  const counter = new CounterCheck();
  const counts = first.aenergy !== undefined;
  return {
    identity: {
      generation: greeting.gen ?? 2,
      model: greeting.model ?? '?',
      id: greeting.id ?? '?',
      firmware: greeting.ver ?? '?',
      outlet: `${kind}:${id}`,
    },
    resolutionW: 0.1,
    ...(counts && { quantities: [COUNTER] }),
    remarks: [
      ...(greeting.auth_en === false && kind === 'switch' ? [UNLOCKED] : []),
      ...(kind === 'switch' ? await dangers(connection, id) : []),
    ],
    async read() {
      const { value, tNs } = await getJson(connection, { path, deadlineMs: READING_MS }, Status);
      const powerW = value.apower ?? value.act_power;
      if (value.output === false) return { missing: 'the outlet has been switched off' };
      if (powerW === undefined) return { missing: 'it reports no power' };
      if (!(Math.abs(powerW) <= MOST_PLUG_W)) return { missing: `it reports ${powerW} W` };
      const totalWh = value.aenergy?.total ?? null;
      const told = !counts || totalWh === null ? undefined : { tNs, values: [totalWh], since: null };
      return { tNs, powerW: [powerW], note: counter.look(tNs, powerW, totalWh), told };
    },
  };
}

function metersOf(status: Readonly<Record<string, unknown>>): { kind: Kind; id: number }[] {
  return Object.entries(status).flatMap(([key, value]) => {
    const [, kind, id] = /^(switch|pm1|em1):(\d{1,3})$/.exec(key) ?? [];
    const { data } = Status.safeParse(value);
    if (kind === undefined || (data?.apower ?? data?.act_power) === undefined) return [];
    return [{ kind: kind as Kind, id: Number(id) }];
  });
}

function chosen(meters: readonly { kind: Kind; id: number }[], outlet: number | null): { kind: Kind; id: number } {
  if (meters.length === 0) throw new HttpFault('it has no power meter');
  const fitting = meters.filter(({ id }) => outlet === null || id === outlet);
  const [first] = fitting;
  if (first !== undefined && fitting.length === 1) return first;
  const all = meters.map((meter) => `${meter.kind}:${meter.id}`);
  const wrong =
    outlet === null ? 'several meters' : first === undefined ? `no meter ${outlet}` : `two meters ${outlet}`;
  throw new InputError(`This Shelly has ${wrong}; it has ${listed(all)}.`, {
    advice: 'Say which one the machine is on by its number, as in ?id=0.',
  });
}

/** Below this, watts: a limit that a computer under load may reach. */
const LOW_LIMIT_W = 1000;

/** Settings by which the plug may cut the machine off in the middle of an experiment. */
async function dangers(connection: HttpConnection, id: number): Promise<string[]> {
  const question = { path: `/rpc/Switch.GetConfig?id=${id}`, deadlineMs: PATIENT_MS };
  const { auto_off, auto_off_delay, power_limit } = (await getJson(connection, question, Config)).value;
  return [
    ...(auto_off === true
      ? [
          `This outlet switches itself off ${auto_off_delay ?? '?'} s after it was switched on (auto_off): turn that off.`,
        ]
      : []),
    ...(power_limit !== undefined && power_limit < LOW_LIMIT_W
      ? [`This outlet switches itself off above ${power_limit} W (power_limit): the machine must stay below.`]
      : []),
  ];
}
