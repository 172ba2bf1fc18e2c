import type { FoundImage } from '../container/image.ts';
import { networkPath } from '../container/userland-proxy.ts';
import type { PlaceInspection, PlaceInspections } from '../executor.ts';
import { factsOfImages } from './images.ts';
import type { ComposeModel, Stack } from './model.ts';
import { meant } from './run-file.ts';
import type { ComposeVariant } from './variant.ts';

type Images = ReadonlyMap<string, FoundImage>;

/** How to look around in each container of a project: as if its service were the one that the command runs in. */
export function planInspections(
  variant: ComposeVariant,
  { model, workload, ownCommand }: Stack,
  images: Images,
): PlaceInspections {
  const { place: _, ...inside } = variant.workload;
  // Variables and working directory of the command are not for the other services.
  const as = (service: string): ComposeVariant => ({
    ...variant,
    service,
    workload: { ...inside, env: {}, workdir: null },
  });
  const planInspection = (service: string): PlaceInspection => ({
    variant: as(service),
    program: programOf(model, images, service),
    network: networkOf(model, service),
  });
  const own = workload === null ? null : planInspection(workload);
  const { run } = variant.workload;
  const given = ownCommand || typeof run === 'string' ? [] : run.slice(0, 1);
  return {
    client: own && { ...own, variant, program: ownCommand ? own.program : given },
    services: Object.keys(model.services)
      .filter((service) => service !== workload)
      .map((service) => ({ service, ...planInspection(service) })),
    facts: factsOfImages(images),
  };
}

/** Names that a service's program may have: that of the command first, since the entry point may be a script that starts it. */
function programOf({ services }: ComposeModel, images: Images, service: string): readonly string[] {
  const [one, image] = [services[service], images.get(service)];
  const entrypoint = one?.entrypoint?.map(meant) ?? image?.entrypoint ?? [];
  const command = one?.command?.map(meant) ?? (one?.entrypoint ? [] : (image?.command ?? []));
  return [command[0], entrypoint[0]].flatMap((word) => (word === undefined || word.startsWith('-') ? [] : [word]));
}

/** Network of a service, described by its role in the project, so that two projects can be compared. */
function networkOf(model: ComposeModel, service: string, depth = 0): string | null {
  const one = model.services[service];
  const joined = /^service:(.+)$/.exec(one?.network_mode ?? '')?.[1];
  if (joined !== undefined) return depth > 10 ? null : networkOf(model, joined, depth + 1);
  if (one?.network_mode !== undefined) return networkPath(one.network_mode, one.ports?.length ?? 0);
  const names = Object.keys(one?.networks ?? { default: null }).map((name) => {
    const { external, driver } = model.networks[name] ?? {};
    const kind = external ? 'a network outside of the project' : (driver ?? 'bridge');
    return name === 'default' ? kind : `${kind} ${name}`;
  });
  return networkPath(`${names.toSorted().join(', ')} of the project`, one?.ports?.length ?? 0);
}
