import type { HistoryRecord } from './record.ts';
import { type Series, seriesOf } from './trend.ts';

/** What stays: an experiment that either part wants to keep. */
export interface Keep {
  /** Experiments that are not older than so many days are kept; null: no age keeps one. */
  readonly days: number | null;
  /** So many of the latest of each line. */
  readonly last: number;
}

const DAY_MS = 86_400_000;

/** What goes of each line by the rule, in the order of measuring; only lines that lose something. Records in the order of measuring. */
export function outdated(
  records: readonly HistoryRecord[],
  { days, last }: Keep,
  now: Date,
): { readonly series: Series; readonly gone: readonly HistoryRecord[] }[] {
  const since = days === null ? Infinity : now.getTime() - days * DAY_MS;
  return seriesOf(records).flatMap((series) => {
    const older = series.records.slice(0, Math.max(0, series.records.length - last));
    const gone = older.filter(({ started_at }) => Date.parse(started_at) < since);
    return gone.length === 0 ? [] : [{ series, gone }];
  });
}
