import type { Check } from '../../findings/checks.ts';
import { MIRRORS, rapl } from '../../meters/rapl/rapl.ts';
import type { ChannelRecord } from '../../store/records.ts';

/** RAPL zones that show the same counter: each was read once, since their sum would be twice the energy. Empty if every zone has its own. */
export function mirroredZones(channels: readonly Pick<ChannelRecord, 'meter'>[]): Check[] {
  const meters = new Map(channels.map(({ meter }) => [meter.name, meter]));
  return [...meters.values()].flatMap(({ type, name, identity }): Check[] => {
    const mirrors = type === rapl.type ? identity[MIRRORS] : undefined;
    if (mirrors === undefined) return [];
    const facts = { meter: name, zones: String(identity.zones), mirrors: String(mirrors) };
    return [{ name: 'mirrored zones', state: 'ok', reason: 'counted-once', facts }];
  });
}
