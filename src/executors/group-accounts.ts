import { join } from 'node:path';
import { type Counted, counted, type Uncounted } from '../findings/resources.ts';
import { stallS } from '../machine/accounts.ts';

const STALLS = [
  ['cpu_stall_s', 'cpu', 'some'],
  ['memory_stall_s', 'memory', 'some'],
  ['memory_full_stall_s', 'memory', 'full'],
  ['io_stall_s', 'io', 'some'],
  ['io_full_stall_s', 'io', 'full'],
] as const;

/** Times that a version 2 control group's processes waited (PSI); `group` null: there is no group, for the reason `missing`. */
export function groupStalls(group: string | null, missing: Uncounted): readonly Counted[] {
  return STALLS.map(([counter, what, who]) =>
    group === null
      ? counted(counter, null, missing)
      : counted(counter, stallS(join(group, `${what}.pressure`), who), 'not-counted'),
  );
}
