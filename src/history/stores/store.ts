import type { HistoryRecord } from '../record.ts';

/** A place where records are kept. Its methods throw InputError for what is not ours or is newer, MeasureError for what doesn't work. */
export interface HistoryStore {
  /** As messages name it. */
  readonly name: string;
  /** Keeps a record; false: this experiment was kept before, and stays as it was. */
  add(record: HistoryRecord): Promise<boolean>;
  /** All records, in the order of measuring; none where nothing was kept yet. */
  records(): Promise<HistoryRecord[]>;
}
