import { readFileSync } from 'node:fs';
import { MachineFiles } from './files.ts';

/** Counters of the kernel that several readers share: what they hold is a total, and the difference of two readings is exact. */

const FILES = new MachineFiles();

/** Seconds in which some or all tasks waited for a resource, since boot or since the group was made (PSI); null: the kernel doesn't count. */
export function stallS(path: string, who: 'some' | 'full', files = FILES): number | null {
  const total = new RegExp(`^${who} .*\\btotal=(\\d+)`, 'm').exec(files.text(path) ?? '')?.[1];
  return total === undefined ? null : Number(total) / 1e6;
}

export interface Traffic {
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/** Traffic of all interfaces in a /proc/net/dev for which `isCounted` is true. */
export function parseTraffic(dev: string, isCounted: (name: string) => boolean): Traffic {
  const rows = dev.split('\n').flatMap((line) => {
    const [, name, rest] = /^\s*([^\s:]+):\s*(.*)$/.exec(line) ?? [];
    return name === undefined || rest === undefined || !isCounted(name) ? [] : [rest.trim().split(/\s+/).map(Number)];
  });
  const sum = (column: number): number => rows.reduce((all, row) => all + (row[column] ?? 0), 0);
  return { receivedBytes: sum(0), sentBytes: sum(8) };
}

/**
 * Bytes that a process, and children that it waited for, have read from disks and will have written to them: what was deleted before it got there is not
 * written, nor is it in a container's account. Null: the kernel doesn't count. Throws where the file can't be read.
 */
export function ioBytes(pid: number | 'self'): { readBytes: number | null; writtenBytes: number | null } {
  const io = readFileSync(`/proc/${pid}/io`, 'latin1');
  const field = (name: string): number | null => {
    const found = new RegExp(`^${name}: (\\d+)$`, 'm').exec(io)?.[1];
    return found === undefined ? null : Number(found);
  };
  const written = field('write_bytes');
  return {
    readBytes: field('read_bytes'),
    writtenBytes: written === null ? null : written - (field('cancelled_write_bytes') ?? 0),
  };
}
