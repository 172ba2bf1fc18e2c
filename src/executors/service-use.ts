import { readFileSync } from 'node:fs';
import { getErrorCode } from '../errors.ts';
import { type Counted, counted, type ServiceCounter, type Uncounted } from '../findings/resources.ts';
import { ioBytes, type Traffic } from '../machine/accounts.ts';

/** What a service has used up to now; where a number is unknown, the reason takes its place. */
export interface ServiceUse {
  /** Processor seconds, user and system, of all its processes. */
  readonly cpuS: number | Uncounted;
  /** Peak memory since its start, bytes, with the page cache. */
  readonly peakMemoryBytes: number | Uncounted;
  /** Bytes read from disks, and written to them. */
  readonly readBytes: number | Uncounted;
  readonly writtenBytes: number | Uncounted;
  /** Traffic of its network since that was made: a total of all that share it. */
  readonly network: ServiceNetwork | Uncounted;
}

interface ServiceNetwork extends Traffic {
  /** ID of the network, the same for all that share it. */
  readonly id: string;
}

/**
 * What services used together between two readings; services that started between are not in `before`. Peaks are summed, as their times are unknown:
 * the sum is an upper bound. A network is counted once, however many services share it. `isClients`: whether the client shares it, too.
 */
export function usedBetween(
  before: readonly ServiceUse[],
  after: readonly ServiceUse[],
  isClients: boolean,
): readonly Counted[] {
  if (after.length === 0) return [];
  const between = (of: (use: ServiceUse) => number | Uncounted): number | Uncounted =>
    less(sum(after.map(of)), sum(before.map(of)));
  const traffic = (of: keyof Traffic): number | Uncounted =>
    isClients ? 'client-network' : less(sum(networks(after, of)), sum(networks(before, of)));
  const used: Readonly<Record<ServiceCounter, number | Uncounted>> = {
    services_cpu_s: between(({ cpuS }) => cpuS),
    services_peak_memory_bytes: sum(after.map(({ peakMemoryBytes }) => peakMemoryBytes)),
    services_read_bytes: between(({ readBytes }) => readBytes),
    services_written_bytes: between(({ writtenBytes }) => writtenBytes),
    services_received_bytes: traffic('receivedBytes'),
    services_sent_bytes: traffic('sentBytes'),
  };
  return Object.entries(used).map(([counter, amount]) =>
    typeof amount === 'number'
      ? counted(counter as ServiceCounter, amount, 'gone')
      : counted(counter as ServiceCounter, null, amount),
  );
}

function sum(amounts: readonly (number | Uncounted)[]): number | Uncounted {
  return amounts.reduce((all, one) => (typeof all !== 'number' ? all : typeof one !== 'number' ? one : all + one), 0);
}

/** Difference of two readings. A process that ended unwaited for is missing in the later one; if the sum is lower, the difference is unknown. */
const less = (after: number | Uncounted, before: number | Uncounted): number | Uncounted =>
  typeof after !== 'number' ? after : typeof before !== 'number' ? before : after < before ? 'gone' : after - before;

function networks(uses: readonly ServiceUse[], of: keyof Traffic): (number | Uncounted)[] {
  const byId = new Map<string | number, number | Uncounted>(
    uses.map(({ network }, i) => (typeof network === 'string' ? [i, network] : [network.id, network[of]])),
  );
  return [...byId.values()];
}

/** Bytes that living processes, and children that they waited for, have read from disks and will have written to them. */
export function processesIo(pids: Iterable<number>): Pick<ServiceUse, 'readBytes' | 'writtenBytes'> {
  const all = [...pids].map(readIo).filter((io) => io !== null);
  if (all.length === 0) return { readBytes: 'gone', writtenBytes: 'gone' };
  return {
    readBytes: sum(all.map(({ readBytes }) => readBytes)),
    writtenBytes: sum(all.map(({ writtenBytes }) => writtenBytes)),
  };
}

/** Bytes of one process; null: it has ended meanwhile. */
function readIo(pid: number): Pick<ServiceUse, 'readBytes' | 'writtenBytes'> | null {
  try {
    const { readBytes, writtenBytes } = ioBytes(pid);
    return { readBytes: readBytes ?? 'not-counted', writtenBytes: writtenBytes ?? 'not-counted' };
  } catch (cause) {
    if (['EACCES', 'EPERM'].includes(getErrorCode(cause)))
      return { readBytes: 'not-allowed', writtenBytes: 'not-allowed' };
    // A kernel without these accounts has no such file for any process.
    return isThere(pid) ? { readBytes: 'not-counted', writtenBytes: 'not-counted' } : null;
  }
}

const isThere = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1') !== '';
  } catch {
    return false;
  }
};
