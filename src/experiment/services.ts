import * as z from 'zod';
import { isPhasePattern } from '../executors/phases/phase-lines.ts';
import { type Ready, SERVICE_SIGNALS, type Service } from '../executors/service.ts';
import { HOST_ADDRESS } from '../hosts/address.ts';
import { command, duration, environment, hostPath, map, text, wholeNumber } from '../input/leaves.ts';
import type { Path } from '../input/words.ts';
import type { Experiment } from './experiment.ts';
import { inOrder } from './order.ts';
import { profile } from './profiles.ts';

const HOUR_S = 3600;
const MAX_SERVICES = 20;

const NAME = '1 to 40 letters, digits and any of "_.-", beginning with a letter or digit';
const LINE =
  'text of a line of its output, such as "Ready to accept connections": plain text, with * for anything, ^ for the start and $ for the end of the line, and no regular expression';
const READY = 'a map with one of tcp, http, log and command, such as { tcp: 6379, within: 30s }';
const URL_TEXT = 'an address that begins with http://, such as http://localhost:8080/health';
const SERVICES = `a map of names and services, such as { server: { run: ./server, ready: { tcp: 8080 } } }, ${MAX_SERVICES} at most`;
const PLACE = '"variant", "host", or another machine as ssh knows it, such as ssh://bench@db';
const ADDRESS = 'a name or an address of that machine, without a port';
const within = duration('a time above 0 and up to 1h', (s) => s > 0 && s <= HOUR_S);

const ready = map(
  {
    tcp: wholeNumber(1, 65_535, 'a port').optional().meta({ description: 'Port on which it listens.' }),
    http: text(URL_TEXT, /^http:\/\/[^\s\p{C}]+$/u, 2000)
      .refine((url) => URL.canParse(url), { error: URL_TEXT })
      .optional()
      .meta({ description: 'URL that answers, as the client would request it.' }),
    status: wholeNumber(100, 599).optional().meta({ description: 'HTTP status of that answer; default: 200.' }),
    log: text(LINE, /^[^\p{C}]{1,500}$/u, 500)
      .refine(isPhasePattern, { error: LINE })
      .optional()
      .meta({ description: 'Line of its output that says so.' }),
    command: command
      .optional()
      .meta({ description: "Command that ends with exit code 0, run again and again in the service's own place." }),
    within: within.prefault('30s').meta({ description: 'Longest time until it is ready.' }),
  },
  READY,
);

const service = map({
  run: command.meta({ description: 'Starts it in the foreground. A string goes through `sh -c`, a list is argv.' }),
  ready: ready.optional().meta({ description: 'When it counts as ready; default: as soon as it has started.' }),
  place: z
    .union([z.enum(['variant', 'host'], { error: PLACE }), text(PLACE, HOST_ADDRESS, 400)], { error: PLACE })
    .prefault('variant')
    .meta({
      description:
        "variant: in each variant's own place, as a process or a container; host: on the host; ssh://user@machine: on another machine, which is not measured.",
    }),
  address: text(ADDRESS, /^[A-Za-z0-9](?:[\w.:-]{0,251}[A-Za-z0-9])?$/, 253)
    .optional()
    .meta({
      description:
        'Address at which this machine reaches a service on another machine; default: the address that ssh connects to.',
    }),
  lifetime: z.enum(['run', 'experiment'], { error: '"run" or "experiment"' }).prefault('run').meta({
    description: 'run: started anew for every run; experiment: once, before the first run.',
  }),
  stop: map({
    signal: z
      .enum(SERVICE_SIGNALS, { error: `one of ${SERVICE_SIGNALS.join(', ')}` })
      .prefault('SIGTERM')
      .meta({ description: 'Signal that asks it to end.' }),
    within: within.prefault('10s').meta({ description: 'Time after which it is killed.' }),
  })
    .prefault({})
    .meta({ description: 'How it is ended.' }),
  profile: profile.optional(),
  env: environment.nullish().meta({ description: 'Environment variables, in addition to those of the variant.' }),
  workdir: hostPath('a path').nullish().meta({
    description: "Working directory; default with place: variant: the workload's, else the folder of this file.",
  }),
});

export const services = z
  .record(text(NAME, /^[A-Za-z0-9][\w.-]{0,39}$/, 40), service, { error: SERVICES })
  .refine((given) => Object.keys(given).length <= MAX_SERVICES, { error: SERVICES })
  .meta({
    description:
      'Services that the workload talks to. They are started in this order before the rest, each once the previous one is ready, and ended in reverse order after the guard.',
  });

/** The services in the order of their start: that of the file, then those that were added to it. */
export function resolveServices(
  given: z.output<typeof services> | undefined,
  order: (path: Path) => readonly string[],
): Pick<Experiment, 'services'> {
  const all = inOrder(Object.entries(given ?? {}), ([name]) => name, order(['services']));
  if (all.length === 0) return {};
  return {
    services: all.map(([name, { run, ready, place, address, lifetime, stop, env, workdir }]): Service => {
      return {
        name,
        run,
        place: place as Service['place'],
        ...(address !== undefined && { address }),
        lifetime,
        env: { ...env },
        workdir: workdir ?? null,
        ready: ready === undefined ? null : resolveReady(ready),
        readyWithinS: ready?.within ?? 30,
        stop: { signal: stop.signal, withinS: stop.within },
      };
    }),
  };
}

function resolveReady({ tcp, http, status, log, command }: z.output<typeof ready>): Ready | null {
  if (tcp !== undefined) return { kind: 'tcp', port: tcp };
  if (http !== undefined) return { kind: 'http', url: http, status: status ?? 200 };
  if (log !== undefined) return { kind: 'log', line: log };
  return command === undefined ? null : { kind: 'command', command };
}
