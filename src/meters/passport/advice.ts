import type { Check } from '../../findings/checks.ts';
import type { Passport } from '../../findings/passport.ts';

const NAME = 'meter passport';
const DAY_MS = 86_400_000;
const OLD_DAYS = 90;

/**
 * What a passport says about measuring with this guard (seconds). `fail`: the guard does not hold what a run touches, the advice has the number to
 * use. `warn`: the meter was not found sane, or long ago. Without a passport: a warning with the command that makes one.
 */
export function passportAdvice(passport: Passport | null, guardS: number, nowMs = Date.now()): Check {
  const again = `joulediff meter check ${passport ? nameOf(passport) : 'NAME'}`;
  if (passport === null) {
    return {
      name: NAME,
      state: 'warn',
      detail: 'Whether this meter meters this machine, and how late, was never checked here.',
      advice: `\`${again}\` finds it out.`,
    };
  }
  const day = passport.when.slice(0, 10);
  const neededS = neededGuardS(passport);
  if (neededS !== null && guardS < neededS) {
    return {
      name: NAME,
      state: 'fail',
      detail: `A guard of ${guardS} s does not hold what this meter tells late: its check on ${day} found ${neededS} s.`,
      advice: `Set guard: ${neededS}s or longer.`,
    };
  }
  if (!passport.sane) {
    const failed = passport.checks.filter(({ state }) => state === 'fail').map(({ detail }) => detail);
    return {
      name: NAME,
      state: 'warn',
      detail: `The meter's check on ${day} did not find it sane: ${failed.join(' ')}`,
      advice: `\`${again}\` shows what to do.`,
    };
  }
  const days = Math.floor((nowMs - Date.parse(passport.when)) / DAY_MS);
  if (days > OLD_DAYS) {
    return {
      name: NAME,
      state: 'warn',
      detail: `The meter was checked ${days} days ago.`,
      advice: `\`${again}\` does it anew.`,
    };
  }
  return { name: NAME, state: 'ok', detail: `The meter was checked on ${day}${latencyWords(passport)}.`, advice: null };
}

/** Shortest guard for this meter, in tenths of a second upwards; null where its passport knows none. */
export function neededGuardS({ guard_needed_s, latency }: Passport): number | null {
  if (guard_needed_s === null) return null;
  return Math.ceil(Math.max(guard_needed_s, latency?.max_s ?? 0) * 10 - 1e-9) / 10;
}

function latencyWords({ latency }: Passport): string {
  return latency === null ? '' : `: it meters this machine, ${latency.mean_s.toFixed(2)} s late`;
}

function nameOf({ type, address }: Passport): string {
  return address === null ? type : `${type}:${address}`;
}
