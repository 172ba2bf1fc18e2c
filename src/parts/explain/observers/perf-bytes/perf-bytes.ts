import { existsSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { ObserverData } from '../../../../contracts/observation.ts';
import type { ObserverKind } from '../observer.ts';
import { endRecording, readScript, startRecording, tryOut } from '../perf/control.ts';
import { PerfFile } from '../perf/file.ts';
import { ObserverError, Tool } from '../tool.ts';
import { ByteStretches } from './bytes.ts';
import { blockBytes, type Moved, socketBytes } from './events.ts';

/** Maximum trace of one run: some three million calls. */
const MAX_WRITTEN_MB = 256;
/** Buffers of all processors together. */
const BUFFERS_MB = 16;
const TRACING = ['/sys/kernel/tracing', '/sys/kernel/debug/tracing'];

/** Parsers by tracepoint. */
type Events = Readonly<Record<string, (reported: string) => Moved | null>>;

/**
 * Disk requests at the time when programs cause them. The kernel later writes file caches on its own account, but requests that a
 * program waits for (`fsync`, `O_DIRECT`) have its name.
 */
const DISKS: Events = { 'block:block_bio_queue': blockBytes };

/** Bytes that programs pass to and get from sockets, without network headers. */
const SOCKETS: Events = {
  'sock:sock_send_length': (reported) => socketBytes('sent', reported),
  'sock:sock_recv_length': (reported) => socketBytes('received', reported),
};

export const perfDisks = bytesObserver('perf-disks', DISKS);
export const perfSockets = bytesObserver('perf-sockets', SOCKETS);

/** Observer of bytes with a record of every event. */
function bytesObserver(name: string, events: Events): ObserverKind {
  const words = (group: string, into: readonly string[]): string[] => {
    // A power of two per processor.
    const bufferMb = 2 ** Math.floor(Math.log2(Math.max(1, BUFFERS_MB / cpus().length)));
    const asked = Object.keys(events);
    return [
      ...['-B', ...into, '-a', '-m', `${bufferMb}M`, '-k', 'CLOCK_MONOTONIC'],
      ...asked.flatMap((event) => ['-e', event]),
      ...['-G', asked.map(() => group).join()],
    ];
  };
  return {
    name,
    async probe(folder, group) {
      if (group === null) throw new ObserverError('no-group');
      const args = words(group.name, ['-o', join(folder, `probe-${name}.data`)]);
      await tryOut(() => Tool.start('perf', ['record', '-q', '-N', ...args, '--', 'true'])).catch((thrown: unknown) => {
        throw lacks(events) && thrown instanceof ObserverError && thrown.limitation === 'not-allowed'
          ? new ObserverError('no-such-event')
          : thrown;
      });
    },
    async start({ group, folder, signal }) {
      if (group === null) throw new ObserverError('no-group');
      const file = new PerfFile(join(folder, `${name}.data`), MAX_WRITTEN_MB);
      const tool = await startRecording(words(group.name, file.words), signal);
      return {
        cancel: () => tool.kill(),
        async end(window): Promise<ObserverData> {
          await endRecording(tool, file);
          const stretches = new ByteStretches(window);
          let isLost = false;
          const under = new Map<string, boolean>();
          const isDouble = (device: string): boolean => {
            const known = under.get(device) ?? isUnder(device);
            under.set(device, known);
            return known;
          };
          await readScript(file, ['--show-lost-events', '-F', 'time,event,trace'], signal, (line) => {
            if (line.includes('PERF_RECORD_LOST')) isLost = true;
            const [, s = '', ns = '', event = '', reported = ''] =
              /^\s*(\d+)\.(\d{9}):\s+(\w+:\w+):\s*(.*)$/.exec(line) ?? [];
            const moved = events[event]?.(reported) ?? null;
            if (moved === null || (moved.device !== null && isDouble(moved.device))) return;
            stretches.add(moved.name, BigInt(s) * 1_000_000_000n + BigInt(ns), moved.bytes);
          });
          if (isLost) throw new ObserverError('overrun');
          return { counts: stretches.counts(), samples: [] };
        },
      };
    },
  };
}

/** Whether the device is a layer of another one (dm, md), which would be counted twice. */
function isUnder(device: string): boolean {
  try {
    return readdirSync(`/sys/dev/block/${device}/holders`).length > 0;
  } catch {
    return false;
  }
}

/** Whether the kernel lacks one of these tracepoints; false if this user may not look. */
function lacks(events: Events): boolean {
  const tracing = TRACING.find((path) => existsSync(`${path}/events/raw_syscalls`));
  return (
    tracing !== undefined &&
    Object.keys(events).some((event) => !existsSync(join(tracing, 'events', event.replace(':', '/'))))
  );
}
