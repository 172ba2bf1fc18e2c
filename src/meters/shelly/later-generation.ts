import * as z from 'zod';
import { InputError, MeasureError } from '../../errors.ts';
import type { Quantity } from '../../sampling/reported.ts';
import { listed } from '../../text/plain.ts';
import { CounterCheck } from '../counter-check.ts';
import { excerpt } from '../excerpt.ts';
import { type HttpConnection, HttpFault } from '../network/connection.ts';
import { MAX_PLUG_W, PATIENT_MS, READING_MS } from '../network/device.ts';
import { DigestConnection } from '../network/digest-connection.ts';
import { getJson } from '../network/json.ts';
import { type Greeting, type Outlet, UNLOCKED } from './greeting.ts';

/**
 * Components that meter, with the question that reads each: plugs and relays, meters without a relay, clamps of one phase (`em1`) and of three
 * (`em`), and what has a meter beside what it switches.
 */
const METHODS = {
  switch: 'Switch',
  pm1: 'PM1',
  em1: 'EM1',
  em: 'EM',
  light: 'Light',
  cover: 'Cover',
  cct: 'CCT',
  rgb: 'RGB',
  rgbw: 'RGBW',
} as const;
type Kind = keyof typeof METHODS;

/** A phase of a three-phase meter; null: the sum of all. */
export type Phase = 'a' | 'b' | 'c' | null;

/** Power; null: the chip has not measured yet. */
const power = z.number().nullish();
const Status = z.object({
  apower: power,
  act_power: power,
  total_act_power: power,
  a_act_power: power,
  b_act_power: power,
  c_act_power: power,
  output: z.boolean().optional(),
  aenergy: z.object({ total: z.number().nullable() }).optional(),
  errors: z.array(z.string()).nullish(),
  a_errors: z.array(z.string()).nullish(),
  b_errors: z.array(z.string()).nullish(),
  c_errors: z.array(z.string()).nullish(),
});
type Status = z.output<typeof Status>;

const Config = z.object({
  auto_off: z.boolean().optional(),
  auto_off_delay: z.number().optional(),
  power_limit: z.number().optional(),
});

/** Energy between two comparisons with the counter, watt-hours: a hundred pulses of the metering chip, 39 J each. */
const STRETCH_WH = 1.1;
/** The energy counter, too coarse to measure with. */
const COUNTER: Quantity = { name: 'aenergy.total', unit: 'Wh', role: 'beside' };

interface Options {
  readonly greeting: Greeting;
  readonly outlet: number | null;
  readonly phase: Phase;
  readonly password: string | null;
}

/** Shelly's official API, generations 2 to 4. Throws HttpFault, InputError (which outlet?), MeasureError (switched off). */
export async function laterGeneration(
  plain: HttpConnection,
  { greeting, outlet, phase, password }: Options,
): Promise<Outlet> {
  const connection = password === null ? plain : new DigestConnection(plain, { user: 'admin', password });
  const { value: all } = await getJson(
    connection,
    { path: '/rpc/Shelly.GetStatus', deadlineMs: PATIENT_MS },
    z.record(z.string(), z.unknown()),
  );
  const { kind, id } = chosen(metersOf(all), outlet);
  if (phase !== null && kind !== 'em') {
    throw new InputError(`The option phase=${phase} is for three-phase meters, and this Shelly has ${kind}:${id}.`);
  }
  const path = `/rpc/${METHODS[kind]}.GetStatus?id=${id}`;
  const { value: first } = await getJson(connection, { path, deadlineMs: PATIENT_MS }, Status);
  if (first.output === false) {
    throw new MeasureError('The outlet is switched off: what is plugged in there has no power.', {
      advice: 'Switch it on in its app. joulediff never switches anything.',
    });
  }
  const counter = new CounterCheck(STRETCH_WH);
  const counts = typeof first.aenergy?.total === 'number';
  return {
    identity: {
      generation: greeting.gen ?? 2,
      model: greeting.model ?? '?',
      id: greeting.id ?? '?',
      firmware: greeting.ver ?? '?',
      outlet: `${kind}:${id}${phase === null ? '' : `, phase ${phase}`}`,
    },
    resolutionW: 0.1,
    ...(counts && { quantities: [COUNTER] }),
    remarks: [
      ...(greeting.auth_en === false && kind === 'switch' ? [UNLOCKED] : []),
      ...(kind === 'switch' ? await dangers(connection, id) : []),
      ...(kind === 'em' && phase === null ? [ALL_PHASES] : []),
    ],
    async read() {
      const { value, tNs } = await getJson(connection, { path, deadlineMs: READING_MS }, Status);
      const powerW = powerOf(value, phase);
      if (value.output === false) return { missing: 'the outlet has been switched off' };
      const errors = errorsOf(value, phase);
      if (errors.length > 0) return { missing: `it reports the error ${listed(errors)}` };
      if (powerW === null) return { missing: 'it has not measured yet' };
      if (!(Math.abs(powerW) <= MAX_PLUG_W)) return { missing: `it reports ${powerW} W` };
      const totalWh = value.aenergy?.total ?? null;
      const reported = !counts || totalWh === null ? undefined : { tNs, values: [totalWh], since: null };
      return { tNs, powerW: [powerW], note: counter.check(tNs, powerW, totalWh), reported };
    },
  };
}

const POWERS = ['apower', 'act_power', 'total_act_power'] as const;
const ALL_PHASES =
  'This is the sum of three phases. A machine uses one: if the others supply anything else, name its phase, as in ?phase=a.';

/** Watts; null: not measured yet. */
function powerOf(status: Status, phase: Phase): number | null {
  if (phase !== null) return status[`${phase}_act_power`] ?? null;
  return status.apower ?? status.act_power ?? status.total_act_power ?? null;
}

/** Errors of the metering chip that leave its power unknown: `power_meter_failure`, `out_of_range:act_power`. */
function errorsOf({ errors, a_errors: a, b_errors: b, c_errors: c }: Status, phase: Phase): string[] {
  const ofPhases = phase === null ? [a, b, c] : [{ a, b, c }[phase]];
  return [errors, ...ofPhases]
    .flatMap((list) => list ?? [])
    .filter((error) => error === 'power_meter_failure' || error.startsWith('out_of_range:'))
    .map((error) => excerpt(error));
}

function metersOf(status: Readonly<Record<string, unknown>>): { kind: Kind; id: number }[] {
  return Object.entries(status).flatMap(([key, value]) => {
    const [, kind = '', id] = /^([a-z\d]{1,10}):(\d{1,3})$/.exec(key) ?? [];
    const { data } = Status.safeParse(value);
    if (!Object.hasOwn(METHODS, kind) || data === undefined) return [];
    // A chip that has not measured yet, or that failed, still is a meter.
    const meters = POWERS.some((power) => data[power] !== undefined) || errorsOf(data, null).length > 0;
    return meters ? [{ kind: kind as Kind, id: Number(id) }] : [];
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

/** Power limit of the plug, watts, below which a computer under load may be switched off. */
const LOW_LIMIT_W = 1000;

/** Texts on settings by which the plug may cut the machine off in the middle of an experiment. */
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
