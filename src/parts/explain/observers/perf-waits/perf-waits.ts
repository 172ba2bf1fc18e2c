import { cpus } from 'node:os';
import { join } from 'node:path';
import type { ObserverData } from '../../../../contracts/observation.ts';
import type { ObserverKind } from '../observer.ts';
import { endRecording, readScript, startRecording, tryOut } from '../perf/control.ts';
import { PerfFile } from '../perf/file.ts';
import { ObserverError, Tool } from '../tool.ts';
import { WaitReader } from './waits.ts';

/** Maximum output of one run: a program with 100,000 context switches per second writes it in ten seconds. */
const MAX_WRITTEN_MB = 512;
/** Buffers of all processors together, for when perf gets no processor time. */
const BUFFERS_MB = 64;

/** Filter for failed calls, without those that the kernel restarts itself (ERESTARTSYS, 512, and following). */
const FAILED = 'ret < 0 && ret > -512';

/** Register that perf samples to learn whether a program has 32 bits, with other call numbers; null: not available here. */
const ABI = { x64: 'ip', arm64: 'pc' }[process.arch as string] ?? null;

/** perf arguments. The first event limits the recorded context switches to its group instead of the whole machine. */
function wordsOf(group: string, into: readonly string[]): string[] {
  const events = ['-e', 'dummy', '-e', 'sched:sched_switch', '-e', 'raw_syscalls:sys_exit', '--filter', FAILED];
  // A power of two per processor.
  const bufferMb = 2 ** Math.floor(Math.log2(Math.max(1, BUFFERS_MB / cpus().length)));
  const options = [
    '-a',
    '-m',
    `${bufferMb}M`,
    '--kernel-callchains',
    '-g',
    ...events,
    '--switch-events',
    ...(ABI === null ? [] : [`--user-regs=${ABI}`]),
    '-k',
    'CLOCK_MONOTONIC',
  ];
  return ['-B', ...into, ...options, '-G', [group, group, group].join()];
}

/** What threads waited for, and calls that failed: a record of each. */
export const perfWaits: ObserverKind = {
  name: 'perf-waits',
  async probe(folder, group) {
    if (group === null) throw new ObserverError('no-group');
    const args = wordsOf(group.name, ['-o', join(folder, 'probe-waits.data')]);
    await tryOut(() => Tool.start('perf', ['record', '-q', '-N', ...args, '--', 'true']));
  },
  async start({ group, folder, signal }) {
    if (group === null) throw new ObserverError('no-group');
    const file = new PerfFile(join(folder, 'waits.data'), MAX_WRITTEN_MB);
    const tool = await startRecording(wordsOf(group.name, file.words), signal);
    return {
      cancel: () => tool.kill(),
      async end(window): Promise<ObserverData> {
        await endRecording(tool, file);
        const reader = new WaitReader(window);
        const fields = `tid,time,event,trace,ip,sym${ABI === null ? '' : ',uregs'}`;
        const shown = ['--show-switch-events', '--show-lost-events', '-F', fields];
        await readScript(file, shown, signal, (line) => reader.take(line));
        if (reader.isUnreadable) throw new ObserverError('unreadable');
        if (reader.isIncomplete) throw new ObserverError('overrun');
        return { counts: reader.end(), samples: [] };
      },
    };
  },
};
