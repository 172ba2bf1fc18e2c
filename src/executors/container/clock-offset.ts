/** Wall clock minus CLOCK_MONOTONIC at one moment, nanoseconds. */
export type ClockOffset = bigint;

/** A wall clock that moved by more against the monotonic one was set; NTP's slewing is far below. */
const MOST_CHANGE_NS = 50_000_000n;

/** The wall clock is known to the millisecond; its middle is taken. */
export function readClockOffset(): ClockOffset {
  return BigInt(Date.now()) * 1_000_000n + 500_000n - process.hrtime.bigint();
}

/** The offset between two readings; null: the wall clock was set between them. */
export function offsetBetween(before: ClockOffset, after: ClockOffset): ClockOffset | null {
  const change = after - before;
  if (change > MOST_CHANGE_NS || change < -MOST_CHANGE_NS) return null;
  return before + change / 2n;
}
