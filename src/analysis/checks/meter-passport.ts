import type { CheckOf } from '../../findings/checks.ts';
import { isUndecided, neededGuardS, type Passport } from '../../findings/passport.ts';

const DAY_MS = 86_400_000;
const OLD_DAYS = 90;

/**
 * Whether the meter's passport allows measuring with this guard (seconds). `fail`: the guard is too short. `warn`: the meter
 * failed its check, or the check was disturbed, is long ago, or was never made on this machine.
 */
export function passportCheck(passport: Passport | null, guardS: number, nowMs: number): CheckOf<'meter passport'> {
  const name = 'meter passport';
  const unknown = { meter: null, day: null, days: null, guard_needed_s: null, latency_s: null, failed: [] };
  if (passport === null) return { name, state: 'warn', reason: 'missing', facts: { ...unknown, guard_s: guardS } };
  const neededS = neededGuardS(passport);
  const days = Math.floor((nowMs - Date.parse(passport.when)) / DAY_MS);
  const facts = {
    meter: passport.address === null ? passport.type : `${passport.type}:${passport.address}`,
    day: passport.when.slice(0, 10),
    days,
    guard_s: guardS,
    guard_needed_s: neededS,
    latency_s: passport.latency?.mean_s ?? null,
    failed: passport.checks.filter(({ state }) => state === 'fail'),
  };
  if (neededS !== null && guardS < neededS) return { name, state: 'fail', reason: 'short-guard', facts };
  if (!passport.passed) return { name, state: 'warn', reason: isUndecided(passport) ? 'undecided' : 'failed', facts };
  return days > OLD_DAYS ? { name, state: 'warn', reason: 'old', facts } : { name, state: 'ok', reason: 'good', facts };
}
