import type { ChannelInfo, MeterInfo } from '../contracts/reading.ts';
import { hasOwnClock } from '../executors/registry.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { MachineFiles } from '../machine/files.ts';
import { hottestC, temperatureSensors } from '../machine/processors.ts';
import { readPassport } from '../meters/passport.ts';
import { COMPARED, Settling, settlingValues, valueS } from '../sampling/settling.ts';
import type { RestEnd } from '../schedule/outcome.ts';
import { nowNs, nsToSeconds, secondsToNs, sleepUntil, upToTenths } from '../system/clock.ts';
import { duration } from '../text/numbers.ts';
import { computeNeededGuard } from './guards.ts';
import type { ObservationBuffer } from './observation-buffer.ts';

/** Shortest rests for meters that are read at the window's edges: for a model, which has no heat, and for a counter. */
const MODEL_REST_S = 0.5;
const COUNTER_REST_S = 1;
/** Shortest guard, where no meter is late: for so long the machine is kept idle on both sides of a window. */
const MIN_GUARD_S = 0.2;
/** Shortest guard where a guest's or another machine's clock times the windows: edges of a half-hour window are uncertain by a quarter of it. */
const MIN_GUARD_OTHER_CLOCK_S = 1;
/** Half a step of usual temperature sensors, which show whole degrees, °C. */
const STEP_C = 0.5;

/** The experiment with the guard and the shortest rest that its meters need, as far as it leaves them to the meters. */
export function meterPauses(experiment: Experiment, infos: readonly MeterInfo[]): Experiment {
  const primary = infos[0]?.channels[0];
  if (experiment.restUpToS === undefined || primary === undefined) return experiment;
  const lagS = Math.max(...infos.map(computeNeededGuard));
  const isOurClock = (experiment.host ?? experiment.client) === undefined && !experiment.variants.some(hasOwnClock);
  const leastS = isOurClock ? MIN_GUARD_S : MIN_GUARD_OTHER_CLOCK_S;
  const guardS = experiment.guardByMeter ? Math.max(leastS, lagS) : experiment.guardS;
  const shortestS =
    lagS > 0 ? lagS + COMPARED * valueS(primary) : infos.every(hasNoHeat) ? MODEL_REST_S : COUNTER_REST_S;
  const restS = Math.max(guardS, upToTenths(shortestS));
  const restUpToS = infos.slice(0, 1).every(hasNoHeat) ? restS : Math.max(experiment.restUpToS, restS);
  return { ...experiment, guardS, restS, restUpToS };
}

const hasNoHeat = ({ source }: MeterInfo): boolean => source === 'modelled';

/** Note on how rests end by themselves, and on what is assumed while no meter is known; null: they have a given length. */
export function restNote({ restS, restUpToS, guardS }: Experiment, [primary]: readonly MeterInfo[]): string | null {
  if (restUpToS === undefined) return null;
  const guard = `the guard is ${duration(guardS)}`;
  if (primary !== undefined && hasNoHeat(primary))
    return `${primary.type} is a model, which has no heat: every rest lasts ${duration(restS)}; ${guard}.`;
  const assumed = primary === undefined ? 'No meter was read, so one with a reading each second is assumed. ' : '';
  return `${assumed}A rest ends when the idle machine has settled, after ${duration(restS)} at the least and ${duration(restUpToS)} at the most; ${guard}.`;
}

/** Expected length of rests, by the newest `meter check` of the primary meter. */
export interface ForeseenRest {
  /** Day of the meter's check, such as 2026-05-17. */
  readonly day: string;
  /** Length of a rest, seconds; null: power had not settled in the `watchedS` for which the check watched it. */
  readonly restS: number | null;
  readonly watchedS: number;
}

/** Null: the primary meter's check says nothing of it, or every rest has the same length. */
export function foreseenRest(
  { restS, restUpToS = restS, guardS }: Experiment,
  infos: readonly MeterInfo[],
): ForeseenRest | null {
  const [info] = infos;
  const [channel] = info?.channels ?? [];
  const passport = info && readPassport(info);
  if (!channel || !passport?.settling || restUpToS <= restS) return null;
  const { after_s: afterS, watched_s: watchedS } = passport.settling;
  const day = passport.when.slice(0, 10);
  if (afterS === null) return { day, restS: null, watchedS };
  // A rest begins when the guard after the load is over.
  const settledS = afterS - guardS + COMPARED * valueS(channel);
  return { day, restS: Math.min(restUpToS, Math.max(restS, settledS)), watchedS };
}

export interface RestsSetup {
  /** The experiment with the pauses that its meters need. */
  readonly experiment: Experiment;
  readonly primary: MeterInfo;
  readonly buffer: Pick<ObservationBuffer, 'since'>;
  /** Another place of /sys, for tests. */
  readonly root?: string;
}

/** The rests of a session: each ends when idle power and, where this machine tells one, temperature have returned to their own noise. */
export class Rests {
  readonly #setup: RestsSetup;
  readonly #channel: ChannelInfo;
  readonly #files: MachineFiles;
  readonly #sensors: readonly string[];
  readonly #power: Settling;
  readonly #temperature = new Settling(STEP_C);

  private constructor(setup: RestsSetup, channel: ChannelInfo) {
    this.#setup = setup;
    this.#channel = channel;
    // A rounded reading is known to half a step.
    this.#power = new Settling((channel.resolutionW ?? 0) / 2);
    this.#files = new MachineFiles(setup.root);
    // The temperature sensors are those of this machine, so they tell nothing about another one.
    this.#sensors = setup.experiment.host === undefined ? temperatureSensors(this.#files) : [];
  }

  /** Null: rests have a given length, or the meter is a model. */
  static of(setup: RestsSetup): Rests | null {
    const [channel] = setup.primary.channels;
    const { restS, restUpToS = restS } = setup.experiment;
    if (channel === undefined || restUpToS <= restS) return null;
    return new Rests(setup, channel);
  }

  /** Waits until the machine has settled, for the shortest rest at least. Throws the signal's reason. */
  async untilSettled(restStartNs: bigint, signal: AbortSignal): Promise<RestEnd> {
    const { restS, restUpToS = restS, guardS } = this.#setup.experiment;
    const [power, temperature] = [this.#power, this.#temperature];
    power.begin();
    temperature.begin();
    // Readings before that moment still hold energy of the making of the place.
    const fromNs = restStartNs + secondsToNs(this.#channel.integration === 'guard' ? guardS : 0);
    let used = 0;
    for (;;) {
      const restedS = nsToSeconds(nowNs() - restStartNs);
      const values = settlingValues(this.#channel, this.#setup.buffer.since(this.#channel.channel, fromNs));
      for (const value of values.slice(used)) power.add(value);
      used = values.length;
      const isCool = this.#isCool(restedS);
      const isSettled = restedS >= restS && power.isSettled(restedS) && isCool;
      if (isSettled || restedS >= restUpToS) {
        power.end(restedS);
        temperature.end(restedS);
        return isSettled ? 'settled' : 'longest';
      }
      await sleepUntil(nowNs() + secondsToNs(Math.min(valueS(this.#channel), restUpToS - restedS)), signal);
    }
  }

  #isCool(restedS: number): boolean {
    const degrees = hottestC(this.#files, this.#sensors);
    if (degrees === null) return true;
    this.#temperature.add(degrees);
    return this.#temperature.isSettled(restedS);
  }
}
