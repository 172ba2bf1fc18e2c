import type { MeterInfo } from '../contracts/reading.ts';
import { MeasureError } from '../errors.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { openMeters, validateMeterNames } from '../meters/registry.ts';
import { nowNs, nsToSeconds, secondsToNs, sleepUntil } from '../system/clock.ts';
import { durationText } from '../text/numbers.ts';
import { keyWords } from '../text/way-in.ts';
import { lockMachine, MachineTaken } from './lock.ts';
import type { Progress } from './progress.ts';

const ASK_EVERY_S = 1;

export interface WaitRequest {
  /** What the machine is locked for, shown to others who want it. */
  readonly what: string;
  /** How long to wait for another experiment to end, seconds. */
  readonly waitS: number;
  readonly progress: Pick<Progress, 'note'>;
  readonly signal: AbortSignal;
}

/**
 * Locks the machine once it is free; shows who has it, also when that changes. Throws MachineTaken where no waiting was asked for,
 * MeasureError where the wait took too long, and the signal's reason.
 */
export function waitForMachine({ what, ...request }: WaitRequest): Promise<Disposable> {
  return whenFree({
    ...request,
    machine: 'this machine',
    everyS: ASK_EVERY_S,
    take: async () => lockMachine(what),
    holderOf: (thrown) => (thrown instanceof MachineTaken ? thrown.holder : null),
    takenError: (holder, thrown) => new MachineTaken(holder, thrown, waiting()),
  });
}

/** What a machine is taken for, shown to others who want it. */
export const nameForOthers = ({ name }: Pick<Experiment, 'name'>): string => `the experiment ${JSON.stringify(name)}`;

/**
 * What the meters of an experiment are. Waits for the machine, since another experiment may be using them, then opens and closes them. Throws InputError,
 * MeasureError or the signal's reason.
 */
export async function askMeters(
  experiment: Pick<Experiment, 'name' | 'meters' | 'waitForMachineS'>,
  { progress, signal }: { readonly progress: Pick<Progress, 'note' | 'end'>; readonly signal: AbortSignal },
): Promise<readonly MeterInfo[]> {
  const { meters: names, waitForMachineS: waitS = 0 } = experiment;
  validateMeterNames(names);
  using _lock = await waitForMachine({ what: nameForOthers(experiment), waitS, progress, signal });
  progress.end();
  const { meters } = await openMeters(names);
  await Promise.all(meters.map((meter) => meter.stop()));
  return meters.map(({ info }) => info);
}

interface FreeRequest<T> extends Omit<WaitRequest, 'what'> {
  /** `this machine`, or an address. */
  readonly machine: string;
  readonly everyS: number;
  take(): Promise<T>;
  /** Sentence on who has it; null: the attempt failed for another reason. */
  holderOf(thrown: unknown): string | null;
  /** The error where no waiting was asked for. */
  takenError(holder: string, thrown: unknown): unknown;
}

/** Waits in the same way for any machine. */
export async function whenFree<T>(request: FreeRequest<T>): Promise<T> {
  const { waitS, progress, signal, machine, everyS, take, holderOf, takenError } = request;
  const startNs = nowNs();
  const subject = machine === 'this machine' ? 'The machine' : machine;
  let reported: string | null = null;
  for (;;) {
    try {
      const taken = await take();
      if (reported !== null) {
        progress.note(`${subject} is free, after ${durationText(nsToSeconds(nowNs() - startNs))}.`);
      }
      return taken;
    } catch (error) {
      const holder = holderOf(error);
      if (holder === null) throw error;
      if (waitS === 0) throw takenError(holder, error);
      const leftS = waitS - nsToSeconds(nowNs() - startNs);
      if (leftS <= 0) throw gaveUp(machine, waitS, holder, error);
      if (holder !== reported) {
        progress.note(`Another experiment holds ${machine}; waiting for it, up to ${durationText(leftS)}. ${holder}`);
      }
      reported = holder;
      await sleepUntil(nowNs() + secondsToNs(Math.min(everyS, leftS)), signal);
    }
  }
}

const waiting = (): string =>
  `Wait until it has ended, or let this one wait: ${keyWords(['on-busy', 'wait'], '2h')}. In workflows, \`concurrency\` keeps the jobs of one repository from meeting.`;

function gaveUp(machine: string, waitS: number, holder: string, cause: unknown): MeasureError {
  return new MeasureError(
    `Another experiment still holds ${machine} after ${durationText(waitS)}, and nothing was measured. ${holder}`,
    { advice: `Try again later, or wait longer: ${keyWords(['on-busy', 'wait'], '6h')}.`, cause },
  );
}
