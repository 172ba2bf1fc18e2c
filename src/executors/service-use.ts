import { readFileSync } from 'node:fs';
import { codeOf } from '../errors.ts';
import { type Counted, counted, type ServiceCounter, type Uncounted } from '../findings/resources.ts';
import type { Traffic } from '../machine/accounts.ts';

/** What a service has used up to now; in the place of a number stands why it isn't known. */
export interface ServiceUse {
  /** Processor seconds, user and system, of all that it has started. */
  readonly cpuS: number | Uncounted;
  /** Most memory at a time since its start, with the page cache. */
  readonly peakMemoryBytes: number | Uncounted;
  /** Bytes read from disks, and below, written to them. */
  readonly readBytes: number | Uncounted;
  readonly writtenBytes: number | Uncounted;
  /** What went through its network since that was made: a total of all that share it. */
  readonly network: ServiceNetwork | Uncounted;
}

interface ServiceNetwork extends Traffic {
  /** The same for all that share it. */
  readonly id: string;
}

/**
 * What services used together between two readings; `before` has those only that ran already. Peaks are summed, since nobody sees when each was:
 * together they never held more. A network is counted once, however many services share it; `isClients`: the client shares it as well.
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

/** What has ended between the readings, and nobody waited for, is missing in the second: where it shows, nothing is known. */
const less = (after: number | Uncounted, before: number | Uncounted): number | Uncounted =>
  typeof after !== 'number' ? after : typeof before !== 'number' ? before : after < before ? 'gone' : after - before;

function networks(uses: readonly ServiceUse[], of: keyof Traffic): (number | Uncounted)[] {
  const byId = new Map<string | number, number | Uncounted>(
    uses.map(({ network }, i) => (typeof network === 'string' ? [i, network] : [network.id, network[of]])),
  );
  return [...byId.values()];
}

/** Bytes that living processes, and those that they waited for, have read from disks and will have written to them. */
export function processesIo(pids: Iterable<number>): Pick<ServiceUse, 'readBytes' | 'writtenBytes'> {
  const all = [...pids].map(ioOf).filter((io) => io !== null);
  if (all.length === 0) return { readBytes: 'gone', writtenBytes: 'gone' };
  return {
    readBytes: sum(all.map(({ readBytes }) => readBytes)),
    writtenBytes: sum(all.map(({ writtenBytes }) => writtenBytes)),
  };
}

/** Null: it has ended meanwhile. */
function ioOf(pid: number): Pick<ServiceUse, 'readBytes' | 'writtenBytes'> | null {
  try {
    const io = readFileSync(`/proc/${pid}/io`, 'latin1');
    const field = (name: string): number | Uncounted => {
      const found = new RegExp(`^${name}: (\\d+)$`, 'm').exec(io)?.[1];
      return found === undefined ? 'not-counted' : Number(found);
    };
    return { readBytes: field('read_bytes'), writtenBytes: field('write_bytes') };
  } catch (cause) {
    if (['EACCES', 'EPERM'].includes(codeOf(cause))) return { readBytes: 'not-allowed', writtenBytes: 'not-allowed' };
    // A kernel without these accounts has no such file of any process.
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
