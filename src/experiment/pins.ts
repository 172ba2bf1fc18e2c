import * as z from 'zod';
import type { Pin } from '../contracts/variant.ts';
import { NO_PIN } from '../executors/pins.ts';
import { map, text, wholeNumber } from '../input/leaves.ts';
import { processorsIn } from '../machine/processors.ts';
import type { Experiment } from './experiment.ts';

const CPUS = 'processors such as 0, "0-3" or "0,2-5"';
const cpuList = z
  .union(
    [
      wholeNumber(0, 65_535),
      text(CPUS, /^\d{1,5}(-\d{1,5})?(,\d{1,5}(-\d{1,5})?)*$/, 1000).refine(
        (list) => list.split(',').every((range) => processorsIn(range).length > 0),
        { error: CPUS },
      ),
    ],
    { error: CPUS },
  )
  .transform(String);
const niceValue = wholeNumber(-20, 19);

const WORKLOAD = "what runs in the variants' places: the command, prepare, cleanup and services";
const CLIENT =
  'what runs on the host for all variants: the command, prepare and cleanup with workload.place: host, and services with place: host';

const forEach = <T extends z.ZodType>(leaf: T) => ({
  workload: leaf.optional().meta({ description: `For ${WORKLOAD}.` }),
  client: leaf.optional().meta({ description: `For ${CLIENT}.` }),
  joulediff: leaf.optional().meta({ description: 'For joulediff itself and the meters that it reads.' }),
});

export const cpus = map(forEach(cpuList), 'a map such as { workload: 2-7, client: 0-1, joulediff: 0 }').meta({
  description: 'Processors that each of these may use; default: all.',
});
export const nice = map(forEach(niceValue), 'a map such as { workload: 5, joulediff: -10 }').meta({
  description: 'Nice values from -20 to 19; default: the one that joulediff was started with. Lower ones need root.',
});

interface GivenPins {
  readonly cpus?: z.output<typeof cpus> | undefined;
  readonly nice?: z.output<typeof nice> | undefined;
}

const WHO = ['workload', 'client', 'joulediff'] as const;

export function resolvePins({ cpus: lists, nice: values }: GivenPins): Pick<Experiment, 'pins'> {
  const given = WHO.flatMap((who): [string, Pin][] => {
    const pin = { cpus: lists?.[who] ?? null, nice: values?.[who] ?? null };
    return pin.cpus === NO_PIN.cpus && pin.nice === NO_PIN.nice ? [] : [[who, pin]];
  });
  return given.length === 0 ? {} : { pins: Object.fromEntries(given) };
}
