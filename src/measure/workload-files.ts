import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, resolve } from 'node:path';
import type { Command, WorkloadFiles } from '../contracts/variant.ts';
import { MeasureError } from '../errors.ts';
import { isOnHost } from '../executors/registry.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { isMachine } from '../hosts/address.ts';
import { sentFolder } from '../hosts/host.ts';
import { goOnWords } from '../text/way-in.ts';
import { git } from './checkout/git.ts';
import { otherMachines } from './machines.ts';

type Sent = 'host' | 'client' | 'services';

/** A larger file is known by its size and time: reading it would delay the start. */
const MAX_BYTES = 256 * 2 ** 20;

const DIFFERING = 'files that differ from the commit';

/**
 * The files that variants without a revision run, as they are now: the commit of the repository, what differs from it, and the files that the
 * commands of native variants name; of those that run on another machine, the files that are sent there. What can't be read is left out. Rejects with the signal's reason.
 */
export async function readWorkloadFiles(
  { directory, variants, host, client, services = [] }: Pick<Experiment, 'directory' | 'variants' | Sent>,
  signal: AbortSignal,
): Promise<WorkloadFiles> {
  const named: Record<string, string> = {};
  const add = async (run: Command, folder: string | null | undefined, sent: string | null): Promise<void> => {
    for (const path of filesIn(run, resolve(directory, folder ?? '.'))) {
      if (sent !== null && isOutside(sent, path)) continue;
      const digest = await digestOf(path);
      if (digest !== null) named[nameOf(directory, path)] = digest;
    }
  };
  const isSent = host !== undefined || client !== undefined;
  for (const variant of variants) {
    const { revision, workload } = variant;
    // A client on another machine is the same for all variants, so its files count whatever runs here.
    if (client === undefined && (!isOnHost(variant) || revision !== undefined)) continue;
    const folder = client === undefined ? workload.workdir : workload.hostWorkdir;
    await add(workload.run, folder, isSent ? sentFolder(directory) : null);
  }
  for (const { place, run, workdir } of services) if (isMachine(place)) await add(run, workdir, sentFolder(directory));
  return { ...(await readRepository(directory, signal)), named };
}

/** What differs between two readings, as the names of files. */
export function changedFiles(before: WorkloadFiles, now: WorkloadFiles): string[] {
  const names = [...new Set([...Object.keys(before.named), ...Object.keys(now.named)])];
  return names.filter((name) => before.named[name] !== now.named[name]).sort();
}

/** The same for a reader: with the changes in the repository, where a variant, the client or a service elsewhere runs its files and not a checkout of a revision. */
export function allChanges(
  before: WorkloadFiles,
  now: WorkloadFiles,
  { variants, client, services }: Pick<Experiment, 'variants' | 'client' | 'services'>,
): string[] {
  const changed = changedFiles(before, now);
  const isElsewhere = otherMachines({ client, services }).length > 0;
  if (!isElsewhere && variants.every(({ revision }) => revision !== undefined)) return changed;
  if (before.commit !== now.commit) changed.push('the commit that is checked out');
  if (before.changes !== now.changes) changed.push(DIFFERING);
  return changed;
}

/**
 * A machine that came back is sent the files as they are now: runs of before and after must be of the same. Throws MeasureError where they have
 * changed since `before`, or the signal's reason.
 */
export async function checkSentFiles(
  experiment: Pick<Experiment, 'directory' | 'variants' | Sent>,
  before: WorkloadFiles,
  signal: AbortSignal,
): Promise<void> {
  // The files of a container are in its image, which stays on the machine.
  const variants = experiment.host === undefined ? [] : experiment.variants.filter(isOnHost);
  const there = variants.length > 0 ? experiment.host : otherMachines(experiment)[0];
  if (there === undefined) return;
  const isOfServices = variants.length === 0 && experiment.client === undefined;
  const now = await readWorkloadFiles(isOfServices ? { ...experiment, variants } : experiment, signal);
  // Runs on this machine may write the files that they name; what was not there at first is written by a run or by the service itself.
  const isSent = (name: string): boolean =>
    !isOfServices || (name !== DIFFERING && name in before.named === name in now.named);
  const changed = allChanges(before, now, { ...experiment, variants }).filter(isSent);
  if (changed.length === 0) return;
  throw new MeasureError(
    `${there} is back and needs the workload’s files again, but they are no longer those that were sent first: ${changed.join(', ')} changed.`,
    { advice: `Put them back; ${goOnWords()}.` },
  );
}

async function readRepository(
  directory: string,
  signal: AbortSignal,
): Promise<Pick<WorkloadFiles, 'commit' | 'changes'>> {
  try {
    const head = await git(directory, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { signal });
    if (head.code !== 0) return { commit: null, changes: null };
    const words = ['diff', '--name-only', '-z', '--no-ext-diff', '--no-textconv', '--no-renames', 'HEAD', '--'];
    const top = (await git(directory, ['rev-parse', '--show-toplevel'], { signal })).stdout.trimEnd();
    const differing = (await git(directory, words, { signal })).stdout.split('\0').filter(Boolean).sort();
    const digests = await Promise.all(differing.map(async (name) => `${name}\0${await digestOf(join(top, name))}`));
    return { commit: head.stdout.trim(), changes: digests.length === 0 ? null : hash(digests.join('\0')) };
  } catch {
    // There is no git, or git refuses to read the repository.
    signal.throwIfAborted();
    return { commit: null, changes: null };
  }
}

/** The program of a command, and every other word that is the path of a file. */
function filesIn(command: Command, directory: string): string[] {
  const words = typeof command === 'string' ? command.split(/[\s;&|<>()'"`=]+/).filter(Boolean) : command;
  const [program = ''] = words;
  const onPath = program.includes('/')
    ? []
    : (process.env.PATH ?? '').split(delimiter).map((folder) => resolve(directory, folder, program));
  const found = [...onPath.filter(isFile).slice(0, 1), ...words.map((word) => resolve(directory, word)).filter(isFile)];
  return [...new Set(found)];
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

function nameOf(directory: string, path: string): string {
  return isOutside(directory, path) ? path : relative(directory, path);
}

function isOutside(directory: string, path: string): boolean {
  const name = relative(directory, path);
  return isAbsolute(name) || name.startsWith('..');
}

async function digestOf(path: string): Promise<string | null> {
  try {
    const { size, mtimeMs } = statSync(path);
    if (size > MAX_BYTES) return `${size} bytes of ${mtimeMs}`;
    const sum = createHash('sha256');
    for await (const chunk of createReadStream(path)) sum.update(chunk);
    return sum.digest('hex');
  } catch {
    return null;
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
