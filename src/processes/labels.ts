import { createHash, randomUUID } from 'node:crypto';
import type Docker from 'dockerode';
import { machineId, ownerToken } from './owner.ts';

/** Networks and volumes with this label were made by joulediff, and are removed by it; a container needs its own name as a label too. */
export const EXPERIMENT_LABEL = 'joulediff.experiment';
export const RUN_LABEL = 'joulediff.run';
export const OWNER_LABEL = 'joulediff.owner';

/** Machine of the owner, since several may share an engine. */
export const MACHINE_LABEL = 'joulediff.machine';

/** What that label says of a machine, by its machine-id, which must not be published (machine-id(5)); empty: it has none. */
export const machineMark = (id = machineId()): string => (id ? digest(`joulediff ${id}`) : '');

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Whether a process of this machine made what has these labels, as far as is known. */
export const isOfThisMachine = ({ [MACHINE_LABEL]: given = '' }: Readonly<Record<string, string>>): boolean =>
  given !== '' && given === machineMark();

/**
 * The name that joulediff gave a container. Whoever commits that container makes an image whose containers have all its labels, but no container
 * of the same name.
 */
export const NAME_LABEL = 'joulediff.name';

/** Label of an image that was built, with its tag. What is made from it inherits it: an image is only ours under a name that we gave it. */
export const IMAGE_LABEL = 'joulediff.image';

/** Labels of a container, network or volume of this process. */
export function labelsOf(experimentId: string, runId: number | null): Record<string, string> {
  const run: Record<string, string> = runId === null ? {} : { [RUN_LABEL]: String(runId) };
  return { [EXPERIMENT_LABEL]: experimentId, ...run, [OWNER_LABEL]: ownerToken(), [MACHINE_LABEL]: machineMark() };
}

/** The name and the labels of a new container. */
export function named(labels: Readonly<Record<string, string>>): { name: string; Labels: Record<string, string> } {
  const name = `joulediff-${randomUUID()}`;
  return { name, Labels: { ...labels, [NAME_LABEL]: name } };
}

/** Whether joulediff made the container itself, and not somebody from an image that has its labels. Compose appends numbers to the names. */
export function isOwnContainer({ Names, Labels }: Pick<Docker.ContainerInfo, 'Names' | 'Labels'>): boolean {
  const given = Labels[NAME_LABEL];
  if (given === undefined) return false;
  return Names.some((name) => name.startsWith(`/${given}`) && /^(?:-\d+)?$/.test(name.slice(given.length + 1)));
}
