import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Limit, LimitMet } from '../../contracts/execution.ts';
import { MachineFiles } from '../../machine/files.ts';
import { KernelLog } from '../../machine/kernel-log.ts';
import { withDeadline } from '../../system/deadline.ts';

const ASK_MS = 2000;
/** Exit code of a process that SIGKILL ended. */
const KILLED = 137;
const TRIES = 5;
const PAUSE_MS = 200;

/**
 * Whether the kernel ended the container's command for memory; the engine may hear of it only after it told the end of the container.
 * `withLog`: whether what the kernel's log tells of the container is about this command.
 */
export async function wasOutOfMemory(
  container: Docker.Container,
  exitCode: number | null,
  signal: AbortSignal,
  withLog = true,
): Promise<boolean> {
  const inspect = (abortSignal: AbortSignal) => container.inspect({ abortSignal });
  for (let tries = 0; ; tries++) {
    const found = await withDeadline(inspect, ASK_MS).catch(() => null);
    if (found?.State.OOMKilled) return true;
    const mayCome = exitCode === KILLED && (found?.HostConfig.Memory ?? 0) > 0 && !signal.aborted;
    if (!mayCome) return false;
    // A busy engine may never hear of it, but the kernel logs it before it ends anything.
    if (withLog && limitInKernelLog(container.id) === 'memory') return true;
    if (tries === TRIES) return false;
    await sleep(PAUSE_MS);
  }
}

/** The limit that a service's container met; no accounts of it are kept. */
export async function limitOfService(
  container: Docker.Container,
  exitCode: number | null,
  signal: AbortSignal,
): Promise<LimitMet | null> {
  if (exitCode !== KILLED) return null;
  return (await wasOutOfMemory(container, exitCode, signal))
    ? 'memory'
    : limitWithoutAccounts(container.id, exitCode).limit;
}

/**
 * The limit that a container met whose accounts were gone before they were read, and of which the engine said nothing: as the kernel's log has it, else
 * what its exit code leaves open. To be asked outside of the window: the whole log is read, which takes milliseconds.
 */
export function limitWithoutAccounts(
  id: string,
  exitCode: number | null,
  files?: MachineFiles,
): { readonly limit: LimitMet | null; readonly limitUnseen: boolean } {
  const reported = limitInKernelLog(id, files);
  if (reported !== null && reported !== 'unreadable') return { limit: reported, limitUnseen: false };
  return { limit: exitCode === KILLED ? 'perhaps-memory' : null, limitUnseen: reported === 'unreadable' };
}

/** The limit in the kernel's log, which names a control group by its path; that ends with the container's ID (`/docker/ID`). */
export function limitInKernelLog(id: string, files = new MachineFiles()): Limit | 'unreadable' | null {
  using log = new KernelLog(files);
  const all = log.newMessages();
  if (all === null) return 'unreadable';
  const messages = all.filter(({ text }) => text.includes(id));
  const isThere = (kind: RegExp): boolean => messages.some(({ text }) => kind.test(text));
  if (isThere(new RegExp(`^oom-kill:.*\\b(oom|task)_memcg=[^,]*${id}`))) return 'memory';
  if (isThere(/^cgroup: fork rejected by pids controller in /)) return 'processes';
  // If another processor logged something meanwhile, the path is in a message of its own, some messages later.
  const pathAfter = (at: number) => all.slice(at + 1).find(({ text }) => text.startsWith('/'))?.text;
  const isBroken = all.some(
    ({ text }, at) => text.endsWith('fork rejected by pids controller in ') && pathAfter(at)?.includes(id),
  );
  return isBroken ? 'processes' : null;
}
