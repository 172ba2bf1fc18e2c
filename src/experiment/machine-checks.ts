import { serviceHostName } from '../executors/environment.ts';
import { selectKind } from '../executors/registry.ts';
import { isMachine } from '../hosts/address.ts';
import { type Conflict, refusals } from '../input/conflict.ts';
import type { Path } from '../input/words.ts';
import type { GivenVariant } from './matrix.ts';
import type { CheckedFile } from './schema.ts';

/** Refuses what services on other machines can't do. */
export function machineConflicts(file: CheckedFile, variants: readonly GivenVariant[]): Conflict[] {
  const { found, refuse } = refusals(['services']);
  const services = Object.entries(file.services ?? {});
  for (const [name, { place, address }] of services) {
    if (address === undefined || isMachine(place)) continue;
    const detail = `it tells where a service of another machine is found, and place is ${JSON.stringify(place)}; leave it out`;
    refuse(['services', name, 'address'], detail);
  }
  // The check of `host` reports that it excludes services altogether.
  if (file.host !== undefined) return found;
  const elsewhere = services.filter(([, { place }]) => isMachine(place));
  const taken = new Map<string, string>();
  for (const [name, { lifetime, profile }] of elsewhere) {
    const path: Path = ['services', name];
    const variable = serviceHostName(name);
    const other = taken.get(variable);
    taken.set(variable, name);
    if (other !== undefined) {
      refuse(path, `the variable ${variable} would tell where ${JSON.stringify(other)} is, too; give one another name`);
    }
    if (profile !== undefined) {
      refuse([...path, 'profile'], 'a service of another machine can’t be observed; leave it out');
    }
    if (file.window === 'service' && lifetime === 'run') {
      const detail = `with window: service, the start and end of services are measured, and ${JSON.stringify(name)} starts and ends on another machine; give it lifetime: experiment`;
      refuse([...path, 'lifetime'], detail, ['window']);
    }
    for (const { variant, name: of, pathOf } of variants) {
      const kind = selectKind(variant);
      if (kind.name === 'native' || kind.name === 'container') continue;
      const detail = `a machine was given, and ${JSON.stringify(of)} runs ${kind.where}, which has no services on other machines yet; with one, variants run natively or in a container with image or build`;
      refuse([...path, 'place'], detail, pathOf());
      break;
    }
  }
  return found;
}
