import type { MeterInfo } from './meter.ts';

/** What a meter reads of the mains at the moment is in its identity for the record, but differs from one opening to the next. */
const READ = /(V|[fF]requencyHz|IntervalS)$/;

/** A text that is the same for the same meter, whenever it is opened, and another for another. */
export function identityOf({ type, source, identity }: Pick<MeterInfo, 'type' | 'source' | 'identity'>): string {
  const lasting = Object.entries(identity)
    .filter(([key]) => !READ.test(key))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([type, source, lasting]);
}
