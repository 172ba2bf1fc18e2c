import type { Experiment } from '../experiment/experiment.ts';
import { isMachine } from '../hosts/address.ts';
import type { RemoteHost } from '../hosts/host.ts';

type Spread = Pick<Experiment, 'client' | 'services'>;

/** Addresses, each once, of machines that work for the measured one and are not measured: that of the clients, and those of services. */
export const otherMachines = ({ client, services }: Spread): string[] => [
  ...new Set([...(client === undefined ? [] : [client.address]), ...serviceMachines(services)]),
];

/** Addresses of all other machines: the measured one first, where it is not this one, then those that work for it. */
export const namedMachines = (experiment: Spread & Pick<Experiment, 'host'>): string[] => [
  ...(experiment.host === undefined ? [] : [experiment.host]),
  ...otherMachines(experiment),
];

/** Addresses of the services' machines, in the order in which their first services start. */
export const serviceMachines = (services: Experiment['services'] = []): string[] => [
  ...new Set(services.map(({ place }) => place).filter(isMachine)),
];

/** Other machines for as long as they are needed, by address. */
export interface Machines extends AsyncDisposable {
  readonly all: ReadonlyMap<string, RemoteHost>;
}

/** Opens machines one after the other. Throws what opening one throws; none is kept then. */
export async function openMachines(
  addresses: readonly string[],
  open: (address: string) => Promise<RemoteHost>,
): Promise<Machines> {
  const all = new Map<string, RemoteHost>();
  const close = async (): Promise<void> => {
    await Promise.all([...all.values()].map((host) => host[Symbol.asyncDispose]()));
  };
  try {
    for (const address of addresses) all.set(address, await open(address));
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return { all, [Symbol.asyncDispose]: close };
}
