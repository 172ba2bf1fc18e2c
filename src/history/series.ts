import type { HistoryRecord } from './record.ts';

/** A series: experiments that may be drawn together, of one question on one machine with one meter. */
export interface Series {
  readonly key: string;
  readonly experiment: string;
  readonly repository: string | null;
  readonly machine: HistoryRecord['machine'];
  readonly meter: HistoryRecord['meter'];
  /** In the order of measuring. */
  readonly records: readonly HistoryRecord[];
}

/**
 * What must be the same for one line, besides the variant: repository, experiment, machine (host name, model, processor and their number,
 * virtualization) and meter (type, address, what it says of itself, source, channel). Another machine or meter begins a line of its own, and numbers of
 * a model or of an emulator never share one with measurements.
 */
export function seriesKey({ repository, experiment, machine, meter }: HistoryRecord): string {
  const { hostname, model, cpu, cpus, virtualization } = machine;
  const { type, address, source, identity, channel } = meter;
  return JSON.stringify([
    [repository, experiment],
    [hostname, model, cpu, cpus, virtualization],
    [type, address, source, identity, channel],
  ]);
}

/** Records in the order of measuring, by series; the one that was measured at last comes first. */
export function seriesOf(records: readonly HistoryRecord[]): Series[] {
  const groups = [...Map.groupBy(records, seriesKey)].map(([key, members]) => {
    const { experiment, repository, machine, meter } = members.at(-1)!;
    return { key, experiment, repository, machine, meter, records: members };
  });
  const last = new Map(groups.map(({ key, records: members }) => [key, records.lastIndexOf(members.at(-1)!)]));
  return groups.sort((a, b) => last.get(b.key)! - last.get(a.key)!);
}
