import { OWN, parsePort } from '../executors/container/variant.ts';
import { selectKind } from '../executors/registry.ts';
import { isMachine } from '../hosts/address.ts';
import { type Conflict, type Refuse, refusals } from '../input/conflict.ts';
import type { GivenVariant } from './matrix.ts';
import type { CheckedFile } from './schema.ts';

/** Addresses that only this machine can reach. */
const LOOPBACK = /^127\./;

/** Refuses what a client on a third machine can't do, instead of ignoring it or waiting for an unreachable service. */
export function clientConflicts(file: CheckedFile, variants: readonly GivenVariant[]): Conflict[] {
  const { place, 'service-host': serviceHost } = file.workload;
  const { found, refuse } = refusals(['workload', 'place']);
  if (!isMachine(place)) {
    if (serviceHost !== undefined) {
      const detail = 'it tells a client on another machine where the services are, and workload.place names none';
      refuse(['workload', 'service-host'], detail, ['workload']);
    }
    return found;
  }
  // The check of `host` reports that it excludes a client on another machine.
  if (file.host !== undefined) return found;
  const services = Object.values(file.services ?? {}).filter(({ place: at }) => !isMachine(at));
  if (services.length === 0) {
    const none = file.services === undefined ? 'no service' : 'no service here';
    refuse(['workload', 'place'], `a machine was given, and there is ${none}: nothing would run on the one measured`);
  }
  if (file.explain.when !== 'never') {
    refuse(['explain'], 'runs with a client on another machine can’t be observed yet; leave it out');
  }
  if (file.output === 'file') {
    refuse(['output'], 'what a client on another machine prints is kept in the memory of that machine; leave it out');
  }
  for (const { variant, name, pathOf } of variants) {
    const kind = selectKind(variant);
    if (kind.name === 'container' && variant.network !== 'host') {
      refuseUnpublished(variant, pathOf, refuse);
    } else if (!['native', 'container'].includes(kind.name)) {
      const detail = `${JSON.stringify(name)} runs ${kind.where}, which a client on another machine can’t load yet; its services run natively or in a container with image or build`;
      refuse(['workload', 'place'], detail, pathOf());
    }
  }
  return found;
}

function refuseUnpublished(
  { network, ports }: GivenVariant['variant'],
  pathOf: GivenVariant['pathOf'],
  refuse: Refuse,
): void {
  const published = (ports ?? []).map(parsePort);
  const lead = 'a client on another machine reaches a container';
  if (network === 'none' || /^container:/.test(network ?? '')) {
    const detail = `${lead} by a port of this one, and with network: ${network} none can be published; give network: host, or leave network out and give ports`;
    refuse(pathOf('network'), detail, pathOf());
  } else if (published.length === 0) {
    const detail = `${lead} by a port of this one, and none is published; give it, such as ports: ["6379:6379"], or network: host`;
    refuse(pathOf(network === OWN ? 'network' : 'ports'), detail, pathOf());
  } else if (published.every(({ address }) => LOOPBACK.test(address))) {
    const detail = `${lead} by a port of this one, and with 127.0.0.1 nobody else does; leave the address out, or give one of this machine's in your network`;
    refuse(pathOf('ports'), detail, pathOf());
  }
}
