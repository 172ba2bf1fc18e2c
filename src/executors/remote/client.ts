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

/** Time limits for the client's machine to reach a service, and to find that nothing is there. */
const REACH_S = 10;
const NOBODY_S = 3;

export interface RemoteClient {
  readonly host: RemoteHost;
  /** Address at which that machine finds the services; null: the one from which it sees this machine connect. */
  readonly serviceHost: string | null;
  readonly served: readonly Served[];
}

interface Served {
  readonly service: Service;
  /** Ports of this machine at which the service may answer; none: they aren't known, and nothing is tried. */
  readonly ports: readonly number[];
  /** Whether it starts in the window, so that it can't be reached before the command runs. */
  readonly startsInWindow: boolean;
}

/**
 * An executor of commands on another machine that are clients of services on this one: it tells them the address, proves once that the services can
 * be reached, and keeps what was used there apart from what is used here.
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
      const reported = await place.setup(signal, recorded && { host_machine: machine, host_hardware: hardware });
      return {
        client: reported.host ?? machineOf(host.address),
        client_machine: reported.host_machine ?? null,
        client_hardware: reported.host_hardware ?? null,
      } satisfies PlaceFacts;
    },
    async prepare(context) {
      if (!isReached) await telling(() => reachAll(client, address));
      isReached = true;
      return keptApart(await place.prepare({ ...context, serviceHost: () => address, stampsOutput: true }));
    },
  });
}

/** Throws InputError where the host is this machine itself: what is used there would be measured here, but reported as used elsewhere. */
export function checkIsAnother(host: RemoteHost, advice: string): void {
  if (host.connection.boot !== readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) return;
  throw new InputError(`${host.address} is this machine, whose energy is measured, under another name.`, { advice });
}

/** Address from which the host sees this machine. Throws InputError where it is none of this machine's, so that anything may be behind it. */
export function addressSeen({ address, connection: { seenFrom } }: RemoteHost): string {
  // A link-local address has an interface there, which this machine does not know.
  const plainly = seenFrom.replace(/%.*$/, '');
  const own = Object.values(networkInterfaces()).flatMap((all = []) => all.filter((one) => one.address === plainly));
  // On a loopback address, as through a tunnel, the client would find itself.
  if (own.some(({ internal }) => !internal)) return seenFrom;
  const whose = own.length === 0 ? 'not its own address' : 'where each machine finds itself';
  const what = /^[\d.:a-fA-F]+$/.test(plainly) ? `come from ${seenFrom}, which is ${whose}` : 'come from no address';
  throw new InputError(
    `Where ${address} finds the services is not known: it sees this machine ${what}, as behind a jump host, a tunnel or a router that translates addresses.`,
    { advice: 'Give the name or address at which it reaches this machine: workload: { service-host: ADDRESS }.' },
  );
}

/**
 * Throws where something answers on the services' ports, although none has started and nothing listens there on this machine: it would be used in
 * their place. Throws InputError, and HostLostError.
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
    // A service may listen on only one of the ports that a container publishes.
    if (first === undefined || refused.length < ports.length) continue;
    throw unreachable(service, { from: host.address, address, port: first.port }, first.cause);
  }
}

/** Why a connection fails; null: something takes it. */
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

/** Marks what a run used there as used elsewhere. */
function keptApart(run: PreparedRun): PreparedRun {
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

function apart(reported: RunTelemetry): RunTelemetry {
  const used = { cpuS: null, peakMemoryBytes: null, readBytes: null, writtenBytes: null };
  const unread = ['What the client uses is used on another machine, and only its processor time is told.'];
  const cpu = counted('client_cpu_s' as const, reported.usage?.cpuS ?? null, 'gone');
  return { ...reported, usage: { ...used, unread, counters: [cpu] } };
}
