import type { Check } from '../../findings/checks.ts';
import { MIRRORS, rapl } from '../../meters/rapl/rapl.ts';
import type { ChannelRecord } from '../../store/records.ts';

/** Zones of RAPL that show one counter: each was read once, where their sum would be twice the energy. Nothing where every zone has its own. */
export function mirroredZones(channels: readonly Pick<ChannelRecord, 'meter'>[]): Check[] {
  const meters = new Map(channels.map(({ meter }) => [meter.name, meter]));
  return [...meters.values()].flatMap(({ type, name, identity }): Check[] => {
    const mirrors = type === rapl.type ? identity[MIRRORS] : undefined;
    if (mirrors === undefined) return [];
    const facts = { meter: name, zones: String(identity.zones), mirrors: String(mirrors) };
    return [{ name: 'mirrored zones', state: 'ok', reason: 'counted-once', facts }];
  });
}
