import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { RunTelemetry } from '../../contracts/execution.ts';
import type { PlaceFacts } from '../../contracts/variant.ts';
import { InputError, MeasureError, withoutFullStop } from '../../errors.ts';
import { counted } from '../../findings/resources.ts';
import { machineOf } from '../../hosts/address.ts';
import type { RemoteHost } from '../../hosts/host.ts';
import { HelperError } from '../../hosts/link.ts';
import { decorate } from '../decorate.ts';
import type { Executor, PreparedRun } from '../executor.ts';
import type { Service } from '../service.ts';
import { serviceSubject } from '../services/failures.ts';
import { isOnlyHeardHere } from '../services/listeners.ts';
import { telling } from './machine.ts';

/** How long the client's machine may take to reach a service, and to find that nothing is there. */
const REACH_S = 10;
const NOBODY_S = 3;

export interface RemoteClient {
  readonly host: RemoteHost;
  /** Where that machine finds the services; null: at the address that it sees this one come from. */
  readonly serviceHost: string | null;
  readonly served: readonly Served[];
}

interface Served {
  readonly service: Service;
  /** Ports of this machine at which it may answer; none: they aren't known, so nothing is tried. */
  readonly ports: readonly number[];
  /** It starts in the window: before the command runs it can't be reached. */
  readonly startsInWindow: boolean;
}

/**
 * An executor of commands on another machine, as the client of services on this one: it tells them where these are, proves once that they can be
 * reached, and tells what they used apart from what is used here.
 */
export function asRemoteClient(place: Executor, client: RemoteClient): Executor {
  const { host } = client;
  let address = '';
  let isReached = false;
  return decorate(place, {
    async setup(signal, recorded) {
      checkIsAnother(
        host,
        'Name a machine of its own for the client, or give place: host to run it here for all variants.',
      );
      address = client.serviceHost ?? addressSeen(host);
      await telling(() => refuseOthers(client, address));
      const { client_machine: machine = null, client_hardware: hardware = null } = recorded ?? {};
      const told = await place.setup(signal, recorded && { host_machine: machine, host_hardware: hardware });
      return {
        client: told.host ?? machineOf(host.address),
        client_machine: told.host_machine ?? null,
        client_hardware: told.host_hardware ?? null,
      } satisfies PlaceFacts;
    },
    async prepare(context) {
      if (!isReached) await telling(() => reachAll(client, address));
      isReached = true;
      return toldApart(await place.prepare({ ...context, serviceHost: () => address, stampsOutput: true }));
    },
  });
}

/** Whatever is used there would be measured, and told as used elsewhere. Throws InputError. */
export function checkIsAnother(host: RemoteHost, advice: string): void {
  if (host.connection.boot !== readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) return;
  throw new InputError(`${host.address} is this machine, whose energy is measured, under another name.`, { advice });
}

/** Throws InputError where that address is none of this machine's: behind it may be anybody. */
export function addressSeen({ address, connection: { seenFrom } }: RemoteHost): string {
  // A link-local address is told with its interface there.
  const plainly = seenFrom.replace(/%.*$/, '');
  const own = Object.values(networkInterfaces()).flatMap((all = []) => all.filter((one) => one.address === plainly));
  // With the loopback's, as through a tunnel, it would ask itself.
  if (own.some(({ internal }) => !internal)) return seenFrom;
  const whose = own.length === 0 ? 'not its own address' : 'where each machine finds itself';
  const what = /^[\d.:a-fA-F]+$/.test(plainly) ? `come from ${seenFrom}, which is ${whose}` : 'come from no address';
  throw new InputError(
    `Where ${address} finds the services is not known: it sees this machine ${what}, as behind a jump host, a tunnel or a router that translates addresses.`,
    { advice: 'Give the name or address at which it reaches this machine: workload: { service-host: ADDRESS }.' },
  );
}

/**
 * None of the services has started, and nobody listens on their ports here: whatever answers there is something else, and would be loaded in their
 * place. Throws InputError, and HostLostError.
 */
async function refuseOthers({ host, served }: RemoteClient, address: string): Promise<void> {
  for (const { service, ports } of served) {
    for (const port of ports) {
      if ((await refusal(host, { address, port, within: NOBODY_S })) !== null) continue;
      throw new InputError(
        `${serviceSubject(service)} has not started, and something answers ${host.address} at ${address}, port ${port}: that would be loaded, and this machine measured.`,
        {
          advice:
            'Give the address at which that machine reaches this one (workload: { service-host: ADDRESS }), and the service a port that nothing else has.',
        },
      );
    }
  }
}

/** Throws MeasureError where a service can't be reached from there, and HostLostError. */
async function reachAll({ host, served }: RemoteClient, address: string): Promise<void> {
  for (const { service, ports } of served.filter(({ startsInWindow }) => !startsInWindow)) {
    const refused: { port: number; cause: HelperError }[] = [];
    for (const port of ports) {
      const cause = await refusal(host, { address, port, within: REACH_S });
      if (cause === null) break;
      refused.push({ port, cause });
    }
    const [first] = refused;
    // Of the ports that a container publishes, a service may listen on one only.
    if (first === undefined || refused.length < ports.length) continue;
    throw unreachable(service, { from: host.address, address, port: first.port }, first.cause);
  }
}

/** Null: something there takes connections. */
async function refusal(
  { connection }: RemoteHost,
  { address, ...asked }: { readonly address: string; readonly port: number; readonly within: number },
): Promise<HelperError | null> {
  try {
    await connection.ask('reach', { host: address, ...asked });
    return null;
  } catch (thrown) {
    if (thrown instanceof HelperError) return thrown;
    throw thrown;
  }
}

function unreachable(
  service: Service,
  { from, address, port }: { readonly from: string; readonly address: string; readonly port: number },
  cause: Error,
): MeasureError {
  const what = `${serviceSubject(service)} can’t be reached from ${from}`;
  if (isOnlyHeardHere(port)) {
    return new MeasureError(`${what}: it listens on port ${port} of the loopback address only.`, {
      advice: 'Have it listen on an address of this machine in your network, or on all of them (0.0.0.0, or ::).',
      cause,
    });
  }
  return new MeasureError(`${what} at ${address}, port ${port}: ${withoutFullStop(cause.message)}.`, {
    advice:
      'Let that machine through to the port (a firewall?), or give the address at which it reaches this one: workload: { service-host: ADDRESS }.',
    cause,
  });
}

/** What a run used there is no part of what is used here. */
function toldApart(run: PreparedRun): PreparedRun {
  const telemetry = run.telemetry?.bind(run);
  return {
    get leftByPrepare() {
      return run.leftByPrepare;
    },
    execute: (hooks) => run.execute(hooks),
    ...(run.settle && { settle: (execution) => (run as Required<PreparedRun>).settle(execution) }),
    ...(telemetry && { telemetry: async () => apart(await telemetry()) }),
    dispose: () => run.dispose(),
  };
}

function apart(told: RunTelemetry): RunTelemetry {
  const used = { cpuS: null, peakMemoryBytes: null, readBytes: null, writtenBytes: null };
  const unread = ['What the client uses is used on another machine, and only its processor time is told.'];
  const cpu = counted('client_cpu_s' as const, told.usage?.cpuS ?? null, 'gone');
  return { ...told, usage: { ...used, unread, counters: [cpu] } };
}
