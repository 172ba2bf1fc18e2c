import { posix } from 'node:path';
import { OWN_FOLDER, type Tracer } from '../../contracts/observing.ts';
import type { Command } from '../../contracts/variant.ts';
import { shellWord } from '../../text/shell.ts';
import type { Stage } from '../environment.ts';
import { loopsItself, repeated } from '../repeat.ts';
import { tellLeft } from './left-by-prepare.ts';
import type { ContainerVariant } from './variant.ts';

/** Parts of a variant from which a container's command follows. */
export type Commanded = Pick<ContainerVariant, 'name' | 'workload' | 'entrypoint' | 'readOnly'>;

/** What a container starts: `entrypoint` null leaves the image's own. */
export interface ContainerCommand {
  readonly entrypoint: readonly string[] | null;
  readonly cmd: readonly string[];
}

/**
 * How a command of the experiment file becomes a container's:
 * - a list is what follows the image in `docker run IMAGE …`: the image's ENTRYPOINT, where it has one, gets it as arguments;
 * - a string is a shell's command line: `sh -c` takes the place of the image's ENTRYPOINT, which could make nothing of `sh`;
 * - with `entrypoint` in the file, that stands before both (`sh -c …` or the list); an empty list is no entry point.
 */
export function containerCommand(command: Command, entrypoint: readonly string[] | null): ContainerCommand {
  const argv = typeof command === 'string' ? ['sh', '-c', command] : command;
  if (entrypoint === null && typeof command !== 'string') return { entrypoint: null, cmd: argv };
  // The engine takes an empty entry point for none, and would use the image's: so the first word becomes the entry point.
  const [program = '', ...rest] = [...(entrypoint ?? []), ...argv];
  return { entrypoint: [program], cmd: rest };
}

/** Command that does nothing, and starts only where there is a shell. */
export const SHELL_TRIAL: ContainerCommand = { entrypoint: ['sh'], cmd: ['-c', ':'] };

/** Command that does nothing, whatever the image's entry point is. */
export const TRUE: ContainerCommand = { entrypoint: ['true'], cmd: [] };

/** Command of a run's container, with all its executions; `before`: words in front of it. */
export function runCommand(
  { workload, entrypoint }: Commanded,
  imageEntrypoint: readonly string[],
  executions: number,
  before: readonly string[] = [],
): ContainerCommand {
  if (executions === 1 && before.length === 0 && !loopsItself(workload.run))
    return containerCommand(workload.run, entrypoint);
  const argv = repeated(argvOf(workload.run, entrypoint, imageEntrypoint), executions);
  const [first = '', ...rest] = [...before, ...argv];
  return { entrypoint: [first], cmd: rest };
}

/** All words of a command, including those of the entry point. */
function argvOf(
  command: Command,
  entrypoint: readonly string[] | null,
  imageEntrypoint: readonly string[],
): readonly string[] {
  const { entrypoint: own, cmd } = containerCommand(command, entrypoint);
  return [...(own ?? imageEntrypoint), ...cmd];
}

/** File in the container that holds the command of the next stage. */
export const STAGE_FILE = 'joulediff-stage';

/** Folder of joulediff's own files in the container, with its slash: a read-only root file system takes none, so that they get a volume. */
export const stageFolder = ({ readOnly }: Commanded): string => (readOnly ? OWN_FOLDER : '/');

/** The volume that such a container needs for them; undefined: none. */
export const ownVolume = (variant: Commanded, tracer: Tracer | undefined): string | undefined =>
  variant.readOnly && (hasStages(variant) || tracer?.inside !== undefined) ? posix.resolve(OWN_FOLDER) : undefined;

/** A variant with `prepare` or `cleanup` starts one container several times; see StageFile. */
export function hasStages(variant: Commanded): boolean {
  return variant.workload.prepare !== null || variant.workload.cleanup !== null;
}

/**
 * A container's command is fixed when it is created, and a container's files live as long as it: so that `prepare`, `run` and
 * `cleanup` see the same files, one container with this command is started once for each of them, and finds in STAGE_FILE
 * (put there between the starts) what to do this time.
 *
 * `docker exec` into a container kept alive would be simpler, but the window of such a run would not hold the start of a
 * container, which is part of what a container costs; an image committed after `prepare` would have another layer than the user's.
 * What it costs: one more start of a shell inside the window (which then becomes the workload: no extra process stays), and
 * nothing but files outlives `prepare`: its processes end with it (which ones is told), tmpfs mounts are empty again, an address may change.
 */
export function stageDispatcher(variant: Commanded): ContainerCommand {
  return { entrypoint: ['sh'], cmd: [`${stageFolder(variant)}${STAGE_FILE}`] };
}

/** Contents of STAGE_FILE for one stage. */
export function stageScript(
  stage: Stage,
  command: Command,
  variant: Commanded,
  imageEntrypoint: readonly string[],
  { executions = 1, before = [] }: { readonly executions?: number; readonly before?: readonly string[] } = {},
): string {
  const argv = [...before, ...repeated(argvOf(command, variant.entrypoint, imageEntrypoint), executions)];
  const started = `exec ${argv.map(shellWord).join(' ')}`;
  return `export JOULEDIFF_STAGE=${stage}\n${stage === 'prepare' ? `(${started})\n${tellLeft(stageFolder(variant))}` : started}\n`;
}
