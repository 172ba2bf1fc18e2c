import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { nameOf } from '../../processes/left-processes.ts';

/** State of a listening socket in /proc/net/tcp. */
const LISTEN = '0A';
/** Local addresses at which this machine reaches itself: any address, and the loopback's, as the kernel writes them, in its own byte order. */
const LOCAL = /^(?:0+|[0-9A-F]{6}7F|0{24}01000000|0{16}FFFF0000(?:0{8}|[0-9A-F]{6}7F))$/;

export interface Listener {
  readonly port: number;
  readonly inode: string;
  /** Whether only this machine itself can connect. */
  readonly isLoopback: boolean;
}

/** Addresses of the loopback only. */
const LOOPBACK = /^(?:[0-9A-F]{6}7F|0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F)$/;

/** TCP ports in a process's network on which something listens for connections from there. Throws where the process is gone. */
export function findListeners(pid: number | 'self'): Listener[] {
  return ['tcp', 'tcp6'].flatMap((table) => listenersIn(tableOf(pid, table), LOCAL));
}

/**
 * Whether something listens on a port in the network of a container, whose first process has that number: in an engine of another machine, or in a
 * virtual one, the number is that of some other process here.
 */
export function listensIn(containerId: string, pid: number | null, port: number): boolean {
  try {
    const read = (file: string): string => readFileSync(`/proc/${pid}/${file}`, 'latin1');
    // A container without a control group of its own has mounts from the engine's folder for it.
    const isIts = ['cgroup', 'mountinfo'].some((file) => read(file).includes(containerId));
    return isIts && pid !== null && findListeners(pid).some((listener) => listener.port === port);
  } catch {
    // There is no such process, or not any more.
    return false;
  }
}

/** Listeners in a table of the kernel, at addresses that match. */
export function listenersIn(table: string, at = /^/): Listener[] {
  const [, ...lines] = table.split('\n');
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const [address = '', port = ''] = local.split(':');
    return state === LISTEN && at.test(address)
      ? [{ port: Number.parseInt(port, 16), inode, isLoopback: LOOPBACK.test(address) }]
      : [];
  });
}

/** Text of one of the kernel's tables; empty: the machine has no IPv6. */
function tableOf(pid: number | 'self', table: string): string {
  try {
    return readFileSync(`/proc/${pid}/net/${table}`, 'latin1');
  } catch (cause) {
    if (table === 'tcp') throw cause;
    return '';
  }
}

export interface TakenPort {
  readonly port: number;
  /** Process that listens: `redis-server, process 123`; null: it is another user's, which only root can see. */
  readonly by: string | null;
}

/** Which of these ports are taken by listeners on the host. */
export function takenPorts(ports: readonly number[]): TakenPort[] {
  const listeners = findListeners('self');
  return [...new Set(ports)].flatMap((port) => {
    const inodes = listeners.filter((listener) => listener.port === port).map(({ inode }) => inode);
    return inodes.length === 0 ? [] : [{ port, by: holderOf(inodes) }];
  });
}

/** Whether listeners on a port of this machine accept connections from itself only. */
export function isOnlyHeardHere(port: number): boolean {
  const there = findListeners('self').filter((listener) => listener.port === port);
  return there.length > 0 && there.every(({ isLoopback }) => isLoopback);
}

function holderOf(inodes: readonly string[]): string | null {
  const sockets = new Set(inodes.map((inode) => `socket:[${inode}]`));
  const pid = readdirSync('/proc').find(
    (entry) => /^\d+$/.test(entry) && readLinks(entry).some((to) => sockets.has(to)),
  );
  return pid === undefined ? null : `${nameOf(Number(pid))}, process ${pid}`;
}

/** Targets of a process's open files; none where they may not be seen. */
function readLinks(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}

/** `Port 6379 is taken already: redis-server, process 123, listens there`, without a full stop. */
export function takenText({ port, by }: TakenPort): string {
  const proxy = by?.startsWith('docker-proxy,')
    ? `, for a container (docker ps --filter publish=${port} names it)`
    : '';
  const who = by === null ? "a process of another user's" : `${by},`;
  return `port ${port} is taken already: ${who} listens there${proxy}`;
}
