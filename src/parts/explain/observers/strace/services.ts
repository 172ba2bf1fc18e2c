import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TRACER_WAYS } from '../../../../contracts/tracers.ts';
import { membersOf } from '../../../../processes/left-groups.ts';
import type { TracerKind } from '../observer.ts';
import { mayTrace, tracesOthers } from '../ptrace.ts';
import { ObserverError, Tool } from '../tool.ts';
import { seenIn, strace, WORDS } from './strace.ts';

const POLL_MS = 20;
/** Time limit for strace to attach to all processes of the services, ms. */
const ATTACH_MS = 10_000;
const WRITE_MS = 30_000;

/**
 * System calls of a run's services, as strace(1) counts them while the client runs. It attaches to every process in the control group of the run just
 * before the client starts, follows what these start, and detaches just after the client. Containers are seen from the host, so their filters of system
 * calls don't matter.
 */
export const straceServices: TracerKind = {
  name: 'strace-services',
  way: TRACER_WAYS['strace-services'],
  places: 'services',
  async probe(folder) {
    await strace.probe(folder);
    if (!mayTrace()) throw new ObserverError('not-allowed');
  },
  async begin(folder, _, group) {
    if (group === null) throw new ObserverError('no-group');
    const tools: Tool[] = [];
    const tables = (): string[] => tools.map((_tool, i) => join(folder, `services-${i}`));
    let failure: unknown = null;
    const attach = async (): Promise<void> => {
      const untilMs = performance.now() + ATTACH_MS;
      if (membersOf(group.folder).size === 0) throw new ObserverError('place-not-seen');
      // Repeated, because a process may start another one while strace attaches to it.
      for (let left = untraced(group.folder); left.length > 0; left = untraced(group.folder)) {
        const output = join(folder, `services-${tools.length}`);
        const tool = await Tool.start('strace', [...WORDS, '-o', output, ...left.flatMap((pid) => ['-p', `${pid}`])]);
        tools.push(tool);
        tool.child.stdout?.resume();
        tool.child.stderr?.resume();
        while (left.some(isUntraced)) {
          if (!tool.isRunning || performance.now() > untilMs)
            throw new ObserverError(tracesOthers() ? 'ended' : 'not-allowed');
          await sleep(POLL_MS);
        }
      }
    };
    const detach = async (): Promise<void> => {
      for (const tool of tools) tool.interrupt();
      for (const tool of tools) await tool.end(WRITE_MS);
    };
    const kept = (thrown: unknown): void => {
      failure ??= thrown;
    };
    return {
      around: { begin: () => attach().catch(kept), end: () => detach().catch(kept) },
      async end(window) {
        if (failure !== null) throw failure;
        return seenIn(tables(), window);
      },
      async leave() {
        for (const tool of tools) await tool.kill();
      },
    };
  },
};

const untraced = (folder: string): number[] => [...membersOf(folder)].filter(isUntraced);

/** Whether a process has an untraced thread. Exited processes and zombies can't be traced. */
function isUntraced(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).some((thread) => {
      const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'latin1');
      return /^TracerPid:\t0$/m.test(status) && !/^State:\t[ZX]/m.test(status);
    });
  } catch {
    return false;
  }
}
