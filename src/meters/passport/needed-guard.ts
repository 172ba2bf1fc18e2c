import type { Passport } from '../../findings/passport.ts';

/** Shortest guard for this meter, in tenths of a second upwards; null where its passport knows none. */
export function neededGuardS({ guard_needed_s, latency }: Passport): number | null {
  if (guard_needed_s === null) return null;
  return Math.ceil(Math.max(guard_needed_s, latency?.max_s ?? 0) * 10 - 1e-9) / 10;
}
