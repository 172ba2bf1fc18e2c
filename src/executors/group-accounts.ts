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

/** How long what is in a control group of version 2 waited (PSI); null: it has none of its own, for this reason. */
export function groupStalls(group: string | null, missing: Uncounted): readonly Counted[] {
  return STALLS.map(([counter, what, who]) =>
    group === null
      ? counted(counter, null, missing)
      : counted(counter, stallS(join(group, `${what}.pressure`), who), 'not-counted'),
  );
}
