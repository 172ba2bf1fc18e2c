import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { InputError } from '../../errors.ts';
import { machineOf } from '../../hosts/address.ts';
import { RemoteFiles } from '../../hosts/files.ts';
import type { RemoteHost } from '../../hosts/host.ts';
import type { Service, ServiceMachine, ServiceRunner } from '../service.ts';
import { ServiceError, serviceSubject } from '../services/failures.ts';
import { listenersIn } from '../services/listeners.ts';
import { listenedPorts } from '../services/ready.ts';
import { checkIsAnother } from './client.ts';
import { telling } from './machine.ts';

/** Time limit for a connection. */
const CONNECT_MS = 2000;
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/** A machine with services, whose commands `place` runs. */
export function asServiceMachine(place: ServiceRunner, host: RemoteHost, number: number): ServiceMachine {
  const fact = `service${number}`;
  return {
    host,
    number,
    async setup(signal, recorded) {
      checkIsAnother(host, 'Name a machine of its own for the service, or give it place: host to run it here.');
      const known = recorded && {
        host_machine: recorded[`${fact}_machine`] ?? null,
        host_hardware: recorded[`${fact}_hardware`] ?? null,
      };
      const reported = await place.setup(signal, known);
      return {
        [fact]: machineOf(host.address),
        [`${fact}_machine`]: reported.host_machine ?? null,
        [`${fact}_hardware`]: reported.host_hardware ?? null,
      };
    },
    async makeService(service, context) {
      const address = foundAt(service, host);
      const made = await place.makeService(service, context);
      return {
        ...made,
        addresses: async () => [address],
        listens: (port) => answers(address, port),
        unheard: (port) => whyUnheard(host, address, port),
        async start() {
          await telling(async () => refuseOther(service, address, host));
          await made.start();
        },
      };
    },
    recover: (signal) => host.recover(signal),
  };
}

/** Where the measured machine finds a service of another one. Throws InputError where that can't be known. */
export function foundAt(service: Pick<Service, 'name' | 'address'>, host: RemoteHost): string {
  if (service.address !== undefined) return service.address;
  const seen = host.connection.seenAt.replace(/^::ffff:(?=\d+\.)/i, '');
  const all = Object.values(networkInterfaces()).flatMap((found = []) => found.map((one) => one.address));
  const what = !/^[\d.:a-fA-F]+$/.test(seen)
    ? /%/.test(seen)
      ? `it was reached at ${seen}, an address of one network card alone`
      : 'it sees no address at which it was reached'
    : /^127\.|^::1$/.test(seen)
      ? `it was reached at ${seen}, where each machine finds itself, as through a tunnel`
      : all.includes(seen)
        ? `it was reached at ${seen}, which is an address of this machine, too`
        : null;
  if (what === null) return seen;
  throw new InputError(
    `Where the service ${JSON.stringify(service.name)} of ${host.address} is found is not known: ${what}.`,
    {
      advice: `Give the name or address at which this machine reaches that one: services: { ${service.name}: { address: ADDRESS } }.`,
    },
  );
}

/** Throws ServiceError where something answers at the address of a service that has not started: it would be used in its place. */
export async function refuseOther(service: Service, address: string, host: RemoteHost): Promise<void> {
  for (const port of listenedPorts(service)) {
    if (!(await answers(address, port))) continue;
    throw new ServiceError(
      'port-taken',
      `${serviceSubject(service)} was not started: something answers at ${address}, port ${port} already, where ${host.address} is found.`,
      'Stop that, or give the service another port.',
    );
  }
}

/** Whether something accepts connections there. */
export function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = connect({ host, port });
    const done = (isThere: boolean) => {
      clearTimeout(late);
      asking.destroy();
      resolve(isThere);
    };
    const late = setTimeout(() => done(false), CONNECT_MS);
    asking.once('connect', () => done(true)).once('error', () => done(false));
  });
}

async function whyUnheard(
  { connection, address: machine }: RemoteHost,
  address: string,
  port: number,
): Promise<string> {
  const files = await RemoteFiles.read(connection, { patterns: TABLES });
  const there = TABLES.flatMap((path) => listenersIn(files.text(path) ?? '')).filter((one) => one.port === port);
  if (there.length === 0) return `nothing listens on port ${port} of ${machine}`;
  if (there.every(({ isLoopback }) => isLoopback)) {
    return `it listens on port ${port} of the loopback address of ${machine} only, which no other machine can reach`;
  }
  return `it listens on port ${port} there, and at ${address}, where ${machine} is looked for, nothing answers (a firewall, or another address: services.NAME.address)`;
}
