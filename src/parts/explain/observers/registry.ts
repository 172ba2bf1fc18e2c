import { OBSERVER_NAMES, type ObserverName } from '../../../contracts/observation.ts';
import type { TracerName } from '../../../contracts/tracers.ts';
import type { ObserverKind, TracerKind } from './observer.ts';
import { perfDisks, perfSockets } from './perf-bytes/perf-bytes.ts';
import { perfCounters } from './perf-counters/perf-counters.ts';
import { perfRecord } from './perf-record/perf-record.ts';
import { perfStat } from './perf-stat/perf-stat.ts';
import { perfUser } from './perf-user/perf-user.ts';
import { perfWaits } from './perf-waits/perf-waits.ts';
import { straceServices } from './strace/services.ts';
import { strace } from './strace/strace.ts';
import { uftrace } from './uftrace/uftrace.ts';

/** All kinds of observers for extra runs, in addition to the accounting that every run has. */
const KINDS: Readonly<Record<ObserverName, ObserverKind>> = {
  'perf-stat': perfStat,
  'perf-counters': perfCounters,
  'perf-record': perfRecord,
  'perf-waits': perfWaits,
  'perf-disks': perfDisks,
  'perf-sockets': perfSockets,
  'perf-user': perfUser,
};

export const observerKinds: readonly ObserverKind[] = OBSERVER_NAMES.map((name) => KINDS[name]);

/** All tracers, which start commands or attach to services, in separate runs. */
export const tracerKinds: Readonly<Record<TracerName, TracerKind>> = {
  strace,
  'strace-services': straceServices,
  uftrace,
};
