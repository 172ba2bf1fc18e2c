import type { MeterInfo } from '../contracts/reading.ts';
import { InputError } from '../errors.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { neededGuardS } from '../findings/passport.ts';
import { readPassport } from '../meters/passport.ts';
import { upToTenths } from '../system/clock.ts';

/** Guard that a meter needs, seconds: at least that of its type and the one that `meter check` found. */
export function computeNeededGuard(info: MeterInfo): number {
  const passport = readPassport(info);
  return Math.max(upToTenths(info.minimumGuardS), (passport && neededGuardS(passport)) ?? 0);
}

/**
 * Whether the guard is long enough for the meters: for their types, and for what `meter check` found on this very machine, which may be more.
 * Throws InputError.
 */
export function checkGuards({ guardS }: Experiment, infos: readonly MeterInfo[], isResumed = false): void {
  for (const info of infos) {
    const guard = upToTenths(info.minimumGuardS);
    // The first session has checked this. A rate that is estimated anew may be another one.
    if (!isResumed && guardS < guard) {
      throw new InputError(
        `guard: ${guardS} s is too short for the meter ${info.type}, which needs ${guard} s to show a change of power in full.`,
        { advice: `Set guard to ${guard}s or more, and rest to at least as much.` },
      );
    }
    const passport = readPassport(info);
    const needed = passport && neededGuardS(passport);
    if (needed === null || guardS >= needed) continue;
    throw new InputError(
      `guard: ${guardS} s is too short for this ${info.type}: its check on ${passport?.when.slice(0, 10)} found that it needs ${needed} s.`,
      {
        advice: `Set guard to ${needed}s or more, and rest to at least as much; or check the meter again with joulediff meter check.`,
      },
    );
  }
}
