import type { HistoryRecord } from './record.ts';
import { type Series, seriesOf } from './trend.ts';

/** Rule for keeping experiments: one of its conditions is enough. */
export interface Keep {
  /** Maximum age in days; null: age does not keep an experiment. */
  readonly days: number | null;
  /** Number of latest experiments kept in each line. */
  readonly last: number;
}

const DAY_MS = 86_400_000;

/** Experiments to remove from each line, in the order of measuring; lines without any are left out. `records` in the order of measuring. */
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
