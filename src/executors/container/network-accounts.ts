import { closeSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getErrorCode } from '../../errors.ts';
import type { Uncounted } from '../../findings/resources.ts';
import { parseTraffic, type Traffic } from '../../machine/accounts.ts';
import type { ServiceUse } from '../service-use.ts';

const MAX_BYTES = 64 * 1024;
const NOTHING: Traffic = { receivedBytes: 0, sentBytes: 0 };

/**
 * What goes through the network of a container. The network is gone when its container is; but the kernel keeps it for whoever has its
 * counters open, and fills them in when they are read.
 */
export class NetworkAccounts {
  #file: number | null;
  readonly #before: Traffic;

  private constructor(file: number, before: Traffic) {
    this.#file = file;
    this.#before = before;
  }

  /** `events`: a file of the container's control group; `isShared`: others were in its network before it. Or why it can't be looked at. */
  static open(events: string, isShared: boolean): NetworkAccounts | { readonly missing: Uncounted } {
    try {
      const [pid] = readFileSync(join(dirname(events), 'cgroup.procs'), 'latin1').split('\n');
      if (pid === undefined || !/^[1-9]\d*$/.test(pid)) return { missing: 'gone' };
      if (readNamespace(pid) === readNamespace('self')) return { missing: 'shared-network' };
      // A network that was made for it began at nothing, and by now it may have been used.
      const before = isShared ? parseTraffic(readFileSync(`/proc/${pid}/net/dev`, 'latin1'), isOutside) : NOTHING;
      return new NetworkAccounts(openSync(`/proc/${pid}/net/dev`, 'r'), before);
    } catch {
      return { missing: 'not-allowed' };
    }
  }

  read(): Traffic | null {
    if (this.#file === null) return null;
    const bytes = Buffer.alloc(MAX_BYTES);
    const after = parseTraffic(bytes.toString('latin1', 0, readSync(this.#file, bytes, 0, MAX_BYTES, 0)), isOutside);
    return {
      receivedBytes: after.receivedBytes - this.#before.receivedBytes,
      sentBytes: after.sentBytes - this.#before.sentBytes,
    };
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

/** What has gone through the network that living processes are in, all in the same; or why it isn't known. */
export function networkOf(pids: Iterable<number>): ServiceUse['network'] {
  let missing: Uncounted = 'gone';
  for (const pid of pids) {
    try {
      const id = readNamespace(pid);
      if (id === readNamespace('self')) return 'shared-network';
      return { id, ...parseTraffic(readFileSync(`/proc/${pid}/net/dev`, 'latin1'), isOutside) };
    } catch (cause) {
      // For any other error, the process has ended meanwhile.
      if (['EACCES', 'EPERM'].includes(getErrorCode(cause))) missing = 'not-allowed';
    }
  }
  return missing;
}

/** Whether an interface leads outside: traffic on the loopback does not count. */
const isOutside = (name: string): boolean => name !== 'lo';

const readNamespace = (pid: string | number): string => readlinkSync(`/proc/${pid}/ns/net`);
