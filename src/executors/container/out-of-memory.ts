import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import { withDeadline } from '../../system/deadline.ts';

const ASK_MS = 2000;
/** Exit code of what SIGKILL ended. */
const KILLED = 137;
const TRIES = 5;
const PAUSE_MS = 200;

/** Whether the kernel ended the container's command for memory; the engine may hear of it only after it told the end of the container. */
export async function wasOutOfMemory(
  container: Docker.Container,
  exitCode: number | null,
  signal: AbortSignal,
): Promise<boolean> {
  const inspect = (abortSignal: AbortSignal) => container.inspect({ abortSignal });
  for (let tries = 0; ; tries++) {
    const found = await withDeadline(inspect, ASK_MS).catch(() => null);
    if (found?.State.OOMKilled) return true;
    const mayCome = exitCode === KILLED && (found?.HostConfig.Memory ?? 0) > 0 && !signal.aborted;
    if (!mayCome || tries === TRIES) return false;
    await sleep(PAUSE_MS);
  }
}
