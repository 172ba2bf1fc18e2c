import { join } from 'node:path';
import type { ObserverData, StackSample, Window } from '../../../../contracts/observation.ts';
import { makeFolder } from '../../../../system/make-folder.ts';
import type { Observation, ObserverKind, Target } from '../observer.ts';
import { readScript, startRecording, tryOut } from '../perf/control.ts';
import { PerfFile } from '../perf/file.ts';
import { ObserverError, Tool } from '../tool.ts';
import { ScriptReader } from './script.ts';

/** Sampling frequency, prime, so that samples don't coincide with periodic activity of programs and kernels. */
const FREQUENCY_HZ = 499;
const WRITE_MS = 120_000;
/** Maximum samples of one run in one place, MB. */
const MAX_WRITTEN_MB = 1024;

/** With resolved inlined functions, another program takes minutes to look up the addresses. */
const NO_INLINE = '--no-inline';

/** Samples by each process's own processor time, with timestamps on the clock of the meter's readings. */
const EVENTS = ['-a', '-e', 'cpu-clock', '-F', String(FREQUENCY_HZ), '-g', '-k', 'CLOCK_MONOTONIC'];

/** Processor time by function, from stacks sampled 499 times per second of processor time. */
export const perfRecord: ObserverKind = {
  name: 'perf-record',
  async probe(folder, group) {
    if (group === null) throw new ObserverError('no-group');
    const args = ['record', '-q', '-N', '-o', join(folder, 'probe.data'), ...EVENTS, '-G', group.host.name];
    await tryOut(() => Tool.start('perf', [...args, '--', 'true']));
  },
  async start(target) {
    const { group, folder, signal } = target;
    if (group === null) throw new ObserverError('no-group');
    // Programs in an image have other files with the same paths, so each place gets its own recording.
    const parts: Recording[] = [];
    try {
      for (const place of target.filesOf === null ? (['host'] as const) : (['host', 'inside'] as const)) {
        const file = new PerfFile(join(folder, `${place}.data`), MAX_WRITTEN_MB);
        // Without build ids: perf would take that of the host's file with the same path, and reject the image's.
        const args = ['-B', ...file.words, ...EVENTS, '-G', group[place].name];
        parts.push({ place, file, tool: await startRecording(args, signal) });
      }
    } catch (thrown) {
      await Promise.all(parts.map(({ tool }) => tool.kill()));
      throw thrown;
    }
    return observation(parts, target);
  },
};

interface Recording {
  readonly place: 'host' | 'inside';
  readonly file: PerfFile;
  readonly tool: Tool;
}

function observation(parts: readonly Recording[], target: Target): Observation {
  const cancel = async (): Promise<void> => {
    await Promise.all(parts.map(({ tool }) => tool.kill()));
  };
  return {
    cancel,
    async end(window): Promise<ObserverData> {
      const gone = parts.find(({ tool }) => !tool.isRunning);
      if (gone !== undefined) {
        const lost = gone.file.lost(gone.tool);
        await cancel();
        throw lost;
      }
      for (const { tool } of parts) tool.interrupt();
      try {
        for (const { tool } of parts) await tool.end(WRITE_MS);
      } catch (thrown) {
        await cancel();
        throw thrown;
      }
      const samples: (readonly StackSample[])[] = [];
      for (const part of parts) samples.push(await read(part, target, window));
      return { counts: [], samples: samples.flat() };
    },
  };
}

async function read(part: Recording, target: Target, window: Window): Promise<readonly StackSample[]> {
  const files = part.place === 'host' ? [] : await filesInside(part.file, target);
  const reader = new ScriptReader(window);
  const shown = [NO_INLINE, ...files, '-F', 'time,period,ip,sym,dso'];
  await readScript(part.file, shown, target.signal, (line) => reader.take(line));
  reader.end();
  if (reader.isFull) throw new ObserverError('overrun');
  return reader.samples;
}

/** Copies the observed programs and libraries out of their place, for perf. */
async function filesInside(file: PerfFile, { folder, filesOf, signal }: Target): Promise<string[]> {
  const paths = new Set<string>();
  await readScript(file, [NO_INLINE, '-F', 'ip,dso'], signal, (line) => {
    const path = /\((\/[^\0]*)\)$/.exec(line)?.[1];
    if (path !== undefined) paths.add(path.replace(/ \(deleted\)$/, ''));
  });
  const root = join(folder, 'inside');
  makeFolder(root);
  try {
    await filesOf?.([...paths], root);
  } catch (cause) {
    throw new ObserverError('place-not-seen', { cause });
  }
  // With another root, perf uses nothing of this machine, not even the kernel's symbols.
  return ['--symfs', root, '--kallsyms', '/proc/kallsyms'];
}
