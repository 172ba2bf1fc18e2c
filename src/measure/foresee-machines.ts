import type { Foreseen } from '../executors/kind.ts';
import { addressSeen, checkIsAnother } from '../executors/remote/client.ts';
import { foundAt, refuseOther } from '../executors/remote/service-machine.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { RemoteFiles } from '../hosts/files.ts';
import { HOLDER, holderIn } from '../hosts/holder.ts';
import { RemoteHost } from '../hosts/host.ts';
import { listed } from '../text/plain.ts';

/**
 * Inspects another machine of the experiment: ssh gets there, the helper runs, and it is free. One that is not the measured machine must be
 * another than this one, and the client and its services must find each other. Reserves nothing. Throws InputError and MeasureError.
 */
export async function foreseeMachine(
  address: string,
  { host: measured, client, services = [] }: Experiment,
): Promise<Foreseen> {
  await using host = await RemoteHost.open(address, new AbortController().signal, () => {});
  const served = services.filter(({ place }) => place === address);
  if (address !== measured) checkIsAnother(host, 'Name a machine of its own, or give place: host.');
  const texts = ['ssh gets there, and Python runs'];
  if (client?.address === address) {
    texts.push(`the client would look for the services at ${client.serviceHost ?? addressSeen(host)}`);
  }
  for (const service of served) await refuseOther(service, foundAt(service, host), host);
  const found = [...new Set(served.map((service) => foundAt(service, host)))];
  if (found.length > 0) {
    texts.push(`${listed(served.map(({ name }) => name))} would be looked for at ${listed(found)}`);
  }
  const holder = holderIn(await RemoteFiles.read(host.connection, HOLDER));
  if (holder === null) return { state: 'ok', text: texts.join('; ') };
  return { state: 'warn', text: `${texts.join('; ')}; another joulediff has it reserved now. ${holder}` };
}
