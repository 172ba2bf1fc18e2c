import { join } from 'node:path';
import type { ObserverData } from '../../../../contracts/observation.ts';
import type { ObserverKind } from '../observer.ts';
import { endRecording, readScript, startRecording, tryOut } from '../perf/control.ts';
import { PerfFile } from '../perf/file.ts';
import { ScriptReader } from '../perf-record/script.ts';
import { ObserverError, Tool } from '../tool.ts';

/** Like perf-record's events, but without kernel time, and only for future children of this process. */
const EVENTS = ['-e', 'cpu-clock:u', '-F', '499', '-g', '-k', 'CLOCK_MONOTONIC', '-p', String(process.pid)];
const MAX_WRITTEN_MB = 1024;

/** User-space processor time by function of programs on the host, which perf samples without special rights; not in containers. */
export const perfUser: ObserverKind = {
  name: 'perf-user',
  unless: 'perf-record',
  async probe(folder) {
    const args = ['record', '-q', '-N', '-o', join(folder, 'probe-user.data'), ...EVENTS];
    await tryOut(() => Tool.start('perf', [...args, '--', 'true']));
  },
  async start({ folder, filesOf, signal }) {
    // Processes started by an engine are not children of this process.
    if (filesOf !== null) throw new ObserverError('place-not-seen');
    const file = new PerfFile(join(folder, 'user.data'), MAX_WRITTEN_MB);
    const tool = await startRecording([...file.words, ...EVENTS], signal);
    return {
      cancel: () => tool.kill(),
      async end(window): Promise<ObserverData> {
        await endRecording(tool, file);
        const reader = new ScriptReader(window);
        const others = new Others((line) => reader.take(line));
        const shown = ['--no-inline', '-F', 'pid,time,period,ip,sym,dso'];
        await readScript(file, shown, signal, (line) => others.take(line));
        reader.end();
        if (reader.isFull) throw new ObserverError('overrun');
        return { counts: [], samples: reader.samples };
      },
    };
  },
};

/** Filters samples by process id, which begins each: passes on those of other processes than `own`, without the id. */
export class Others {
  readonly #take: (line: string) => void;
  readonly #own: number;
  #isOwn = false;

  constructor(take: (line: string) => void, own = process.pid) {
    this.#take = take;
    this.#own = own;
  }

  take(line: string): void {
    const [, pid, head] = /^\s*(\d+)\s+(\d+\.\d{9}:.*)$/.exec(line) ?? [];
    if (pid !== undefined) this.#isOwn = Number(pid) === this.#own;
    if (!this.#isOwn) this.#take(head ?? line);
  }
}
