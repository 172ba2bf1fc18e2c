import type { Clock } from '../../system/clock.ts';

/** How late a timer may fire before the silence is put down to a busy host, which may have bytes waiting unread. */
const BUSY_HOST_MS = 100;
const GRACE_MS = 250;

/**
 * Calls `work` when nothing came for `ms` milliseconds, unless it is called off by the function that is given. After a blockage of the event loop
 * timers fire before waiting bytes are read, so a timer that is late itself waits a moment for them: a busy host is no silent meter.
 */
export function afterSilence(
  clock: Clock,
  ms: number,
  work: () => void,
  { busyHostMs = BUSY_HOST_MS, graceMs = GRACE_MS }: { busyHostMs?: number; graceMs?: number } = {},
): () => void {
  const dueNs = clock.nowNs() + BigInt(Math.round(ms * 1e6));
  let callOff = clock.after(ms, () => {
    const lateMs = Number(clock.nowNs() - dueNs) / 1e6;
    if (lateMs > busyHostMs) callOff = clock.after(graceMs, work);
    else work();
  });
  return () => callOff();
}
