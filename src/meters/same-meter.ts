import type { MeterInfo } from './meter.ts';
import { meterTypes } from './registry.ts';

/** A text that is the same for the same meter, whenever it is opened, and another for another. */
export function identityOf({ type, source, identity }: Pick<MeterInfo, 'type' | 'source' | 'identity'>): string {
  const momentary = meterTypes.find((one) => one.type === type)?.momentary ?? [];
  const lasting = Object.entries(identity)
    .filter(([key]) => !momentary.includes(key))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([type, source, lasting]);
}
