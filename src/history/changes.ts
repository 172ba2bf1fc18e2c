import { type Image, imageOf } from './rebuilt.ts';
import type { HistoryRecord, HistoryVariant } from './record.ts';

interface Side {
  readonly record: HistoryRecord;
  readonly variant: HistoryVariant;
}

/** What differs between two experiments on the same machine besides their commits, as `kernel 6.1.0 → 6.1.1`. */
export function changesBetween(before: Side, now: Side): string[] {
  const rows: [string, string | null, string | null][] = [
    ['joulediff', before.record.joulediff_version, now.record.joulediff_version],
    ['kernel', before.record.conditions.kernel, now.record.conditions.kernel],
    ['governor', before.record.conditions.governor, now.record.conditions.governor],
    ['turbo', onOff(before.record.conditions.turbo), onOff(now.record.conditions.turbo)],
    ['Docker', before.record.conditions.docker, now.record.conditions.docker],
  ];
  const changed = rows
    .filter(([, a, b]) => a !== b)
    .map(([name, a, b]) => `${name} ${a ?? 'unknown'} → ${b ?? 'unknown'}`);
  const [from, to] = [imageOf(before.variant), imageOf(now.variant)];
  const same =
    from.reference === to.reference && (from.id === to.id || (from.digest !== null && from.digest === to.digest));
  return same ? changed : [...changed, `image ${shown(from)} → ${shown(to)}`];
}

const onOff = (on: boolean | null): string | null => (on === null ? null : on ? 'on' : 'off');

function shown({ reference, digest, id }: Image): string {
  return reference === null ? 'none' : `${reference} (${shortDigest(digest ?? id ?? 'unknown')})`;
}

/** `repository@sha256:0123…` as its first twelve digits. */
export function shortDigest(digest: string): string {
  return /sha256:([0-9a-f]{12})/.exec(digest)?.[1] ?? digest;
}
