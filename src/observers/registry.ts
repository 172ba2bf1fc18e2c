import type { ObserverKind } from './observer.ts';
import { perfDisks, perfSockets } from './perf-bytes/perf-bytes.ts';
import { perfCounters } from './perf-counters/perf-counters.ts';
import { perfRecord } from './perf-record/perf-record.ts';
import { perfStat } from './perf-stat/perf-stat.ts';
import { perfUser } from './perf-user/perf-user.ts';
import { perfWaits } from './perf-waits/perf-waits.ts';

/** All that extra runs can be looked at with, beside the accounts that every run has. */
export const observerKinds: readonly ObserverKind[] = [
  perfStat,
  perfCounters,
  perfRecord,
  perfWaits,
  perfDisks,
  perfSockets,
  perfUser,
];
