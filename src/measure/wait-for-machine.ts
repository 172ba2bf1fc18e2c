import { MeasureError } from '../errors.ts';
import { nowNs, nsToSeconds, secondsToNs, sleepUntil } from '../system/clock.ts';
import { durationText } from '../text/numbers.ts';
import { lockMachine, MachineTaken } from './lock.ts';
import type { Progress } from './progress.ts';

const ASK_EVERY_S = 1;

export interface WaitRequest {
  /** Told to whoever comes next. */
  readonly what: string;
  /** How long is waited for another experiment to end. */
  readonly waitS: number;
  readonly progress: Pick<Progress, 'note'>;
  readonly signal: AbortSignal;
}

/**
 * The lock of the machine, once whoever has it gives it back; says who that is, and again when it is another. Throws MachineTaken where
 * nothing is waited, MeasureError when that took too long, and the signal's reason.
 */
export async function waitForMachine({ what, waitS, progress, signal }: WaitRequest): Promise<Disposable> {
  const startNs = nowNs();
  let told: string | null = null;
  for (;;) {
    try {
      const lock = lockMachine(what);
      if (told !== null) progress.note(`The machine is free, after ${durationText(nsToSeconds(nowNs() - startNs))}.`);
      return lock;
    } catch (error) {
      if (!(error instanceof MachineTaken)) throw error;
      if (waitS === 0) throw new MachineTaken(error.holder, error, WAITING);
      const leftS = waitS - nsToSeconds(nowNs() - startNs);
      if (leftS <= 0) throw gaveUp(waitS, error);
      if (error.holder !== told) {
        progress.note(
          `Another experiment holds this machine; waiting for it, up to ${durationText(leftS)}. ${error.holder}`,
        );
      }
      told = error.holder;
      await sleepUntil(nowNs() + secondsToNs(Math.min(ASK_EVERY_S, leftS)), signal);
    }
  }
}

const WAITING =
  'Wait until it has ended, or let this one wait: `on-busy: { wait: 2h }` in the experiment file. In workflows, ' +
  '`concurrency` keeps the jobs of one repository from meeting.';

function gaveUp(waitS: number, cause: MachineTaken): MeasureError {
  return new MeasureError(
    `Another experiment still holds this machine after ${durationText(waitS)}, and nothing was measured. ${cause.holder}`,
    { advice: 'Try again later, or wait longer: `on-busy: { wait: 6h }` in the experiment file.', cause },
  );
}
