import { selectKind } from '../executors/registry.ts';
import { type Conflict, refusals } from '../input/conflict.ts';
import type { GivenVariant } from './matrix.ts';
import type { CheckedFile } from './schema.ts';

const WAYS = ['tcp', 'http', 'log', 'command'] as const;

/** Keys of a variant on the host that only reach what runs in its own place. */
const IN_PLACE = ['revision', 'workdir', 'user', 'memory', 'pids'] as const;

/** Conflicts between the keys of services, and between them and others. */
export function serviceConflicts(file: CheckedFile, variants: readonly GivenVariant[]): Conflict[] {
  const given = Object.entries(file.services ?? {});
  const { found, refuse } = refusals(['services']);
  for (const [name, { ready }] of given) {
    if (ready === undefined) continue;
    const ways = WAYS.filter((way) => ready[way] !== undefined);
    if (ways.length !== 1) {
      const was = ways.length === 0 ? 'none of them was' : `${ways.join(' and ')} were`;
      refuse(['services', name, 'ready'], `it takes one of ${WAYS.join(', ')}, and ${was} given`);
    }
    if (ready.status !== undefined && ready.http === undefined) {
      refuse(['services', name, 'ready', 'status'], 'it is the status of an answer to http, which was not given');
    }
  }
  const bringsServices = ({ variant }: GivenVariant): boolean => selectKind(variant).bringsServices === true;
  const project = variants.find(bringsServices);
  const hooksInPlace = Object.entries(file.hooks ?? {}).filter(
    ([, hook]) => typeof hook === 'object' && 'place' in hook && hook.place === 'variant',
  );
  for (const [name] of project === undefined ? [] : hooksInPlace) {
    const detail = `"variant" was given, and a project like that of ${JSON.stringify(project?.name)} has no place for it; give host, or let a service of the project do it`;
    refuse(['hooks', name, 'place'], detail, ['hooks'], ['variants'], ['matrix']);
  }
  if (file.window === 'service') {
    const inRun = given.some(([, { lifetime }]) => lifetime === 'run');
    const isServed = inRun || variants.every(bringsServices);
    const refuseWindow = (why: string) =>
      refuse(['window'], `"service" was given${why}`, ['workload'], ['variants'], ['matrix']);
    if (!isServed) refuseWindow(', and no service is started in a run');
    for (const stage of ['prepare', 'cleanup'] as const) {
      const isGiven = variants.some(({ variant }) => (variant[stage] ?? file.workload[stage] ?? null) !== null);
      if (isServed && isGiven) {
        refuseWindow(
          `: the services start and end inside the window, and ${stage} can't be run outside of it while they are there; leave ${stage} out`,
        );
      }
    }
  }
  const { place } = file.workload;
  if (place !== 'variant' && !given.some(([, service]) => service.place === 'variant')) {
    const isElsewhere = ({ variant }: GivenVariant) => selectKind(variant).selectedBy.length > 0;
    // A hook there may make, of a revision's files, what the client uses.
    const ofFiles = hooksInPlace.length > 0 ? ['revision', 'workdir'] : [];
    const keyOf = ({ variant }: GivenVariant) =>
      IN_PLACE.find((key) => variant[key] !== undefined && !ofFiles.includes(key));
    const idle = variants.find((one) => !bringsServices(one) && (isElsewhere(one) || keyOf(one) !== undefined));
    if (idle !== undefined) {
      const where = `${isElsewhere(idle) ? 'in' : `with ${keyOf(idle)} of`} ${JSON.stringify(idle.name)}`;
      const detail = `${JSON.stringify(place)} was given, and nothing would run ${where}: there is no service with place: variant`;
      refuse(['workload', 'place'], detail, ['variants'], ['matrix']);
    }
  }
  return found;
}
