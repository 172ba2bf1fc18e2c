import type { MovedBytes } from './names.ts';

/** Bytes of one event, with its device if it has one, as in `8:2`. */
export interface Moved {
  readonly name: MovedBytes;
  readonly bytes: number;
  readonly device: string | null;
}

const SECTOR_BYTES = 512;

/** Parses `8,2 WS 1234 + 8 [dd]`: device, operation, sectors (include/trace/events/block.h). Null: no data is moved, as when discarding blocks. */
export function blockBytes(reported: string): Moved | null {
  const [, major = '', minor = '', operation = '', sectors = ''] =
    /^\s*(\d+),(\d+) (\w+) \d+ \+ (\d+) \[/.exec(reported) ?? [];
  if (operation === '' || operation.includes('D')) return null;
  const name = operation.includes('W') ? 'disks-written' : operation.includes('R') ? 'disks-read' : null;
  return name && { name, bytes: SECTOR_BYTES * Number(sectors), device: `${major}:${minor}` };
}

/** Address families; the kernel prints no name for AF_UNIX. */
const FAMILIES: Readonly<Record<string, 'network' | 'unix'>> = {
  AF_INET: 'network',
  AF_INET6: 'network',
  '0x1': 'unix',
};

/** `sk address = …, family = AF_INET protocol = IPPROTO_TCP, length = 1000, error = 0, …` (include/trace/events/sock.h). Null: of no family that is counted. */
export function socketBytes(event: 'sent' | 'received', reported: string): Moved | null {
  const [, family = '', length = ''] = /family = (\w+),? .*\blength = (\d+),/.exec(reported) ?? [];
  const of = Object.hasOwn(FAMILIES, family) ? FAMILIES[family] : undefined;
  return of === undefined ? null : { name: `${of}-${event}`, bytes: Number(length), device: null };
}
