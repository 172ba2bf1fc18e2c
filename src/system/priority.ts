import { readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Far enough above ordinary processes that a saturated machine does not delay the reading of a meter. */
const RAISED = -15;

/** Nice value before it was raised; null: it is not raised. */
let ordinary: number | null = null;
let raised = RAISED;

/** The nice value that joulediff was started with. */
export const ordinaryPriority = (): number => ordinary ?? getPriority();

/**
 * Raises the priority of this process, so that readings get their timestamps on arrival. Returns false where that is not allowed
 * (it needs root or CAP_SYS_NICE); the sample clock still detects late readings.
 */
export function raisePriority(nice = RAISED): boolean {
  const before = getPriority();
  try {
    setPriority(nice);
    raised = nice;
    ordinary = before;
    return true;
  } catch {
    return false;
  }
}

/** Back to ordinary priority. */
export function restorePriority(): void {
  if (ordinary !== null) setPriority(ordinary);
  ordinary = null;
}

/** OOM score adjustment of workloads: when memory runs out, the kernel kills the workload, not joulediff or an engine. */
const OOM_SCORE = 500;
const OOM_SCORE_FILE = '/proc/self/oom_score_adj';

/**
 * Starts a process of a workload: at ordinary priority, as without joulediff, and as the first to be killed when memory runs out. All that
 * it starts inherits both, from the first moment.
 */
export function asWorkload<T>(start: () => T): T {
  return endedFirst(() => asOrdinary(start));
}

/** Starts a process that is neither a workload nor part of joulediff: at ordinary priority. */
export function asOrdinary<T>(start: () => T): T {
  if (ordinary === null) return start();
  setPriority(ordinary);
  try {
    return start();
  } finally {
    setPriority(raised);
  }
}

function endedFirst<T>(start: () => T): T {
  const before = readFileSync(OOM_SCORE_FILE, 'latin1').trim();
  if (Number(before) >= OOM_SCORE) return start();
  writeFileSync(OOM_SCORE_FILE, String(OOM_SCORE));
  try {
    return start();
  } finally {
    // The kernel lets every user return to the former value.
    writeFileSync(OOM_SCORE_FILE, before);
  }
}
