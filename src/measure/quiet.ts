import { MeasureError } from '../errors.ts';
import { otherContainers } from '../executors/container/running.ts';
import type { OnNoise } from '../experiment/experiment.ts';
import { Noise } from '../findings/checks.ts';
import { busiest, LoadMeter, processTimes } from '../machine/busy.ts';
import { MachineFiles } from '../machine/files.ts';
import {
  frequencyLimits,
  hottestC,
  temperatureSensors,
  throttleCounters,
  timesThrottled,
} from '../machine/processors.ts';
import type { QuietInspection } from '../store/records.ts';
import { nowNs, nsToSeconds, secondsToNs, sleepUntil } from '../system/clock.ts';
import { durationText } from '../text/numbers.ts';
import { listed, plain } from '../text/plain.ts';
import { goOnWords } from '../text/way-in.ts';
import type { Progress } from './progress.ts';

/** Times of an inspection, seconds. */
const PACE = {
  /** How long the load is measured. */
  inspectionS: 1,
  /** Time for the clean-up of the run before: what it does until then is no noise. */
  graceS: 5,
  /** Pause between two inspections while joulediff waits for a quiet machine. */
  pauseS: 4,
};
/** Upper bound on the load of a quiet machine, in busy processors. */
const MAX_LOAD = 0.25;
/** Upper bound on the temperature above that before the first block, kelvin. */
const MAX_WARMER_C = 5;

/** Result of one inspection. */
interface Seen extends Pick<QuietInspection, 'load' | 'temperatureC' | 'limitHz' | 'throttled'> {
  /** What is noisy, with a text for each. */
  readonly noises: ReadonlyMap<Noise, string>;
}

export interface QuietRequest {
  readonly block: number;
  readonly warmup: boolean;
  readonly signal: AbortSignal;
  readonly progress: Pick<Progress, 'note' | 'warn' | 'end'>;
}

/** Replacements for tests. */
export interface QuietOptions {
  /** Another place of /sys and /proc. */
  readonly root?: string;
  /** Another engine. */
  readonly others?: typeof otherContainers;
  readonly pace?: typeof PACE;
}

/**
 * Inspects before each block whether the machine is quiet: no load from others, no containers that came since, no processor warmer than before the
 * first block, no lower limits of its clock, no throttling since the block before. What was there from the beginning counts as normal.
 */
export class QuietWatch {
  readonly #onNoise: OnNoise;
  readonly #pace: typeof PACE;
  readonly #files: MachineFiles;
  readonly #temperatures: readonly string[];
  readonly #counters: readonly string[];
  readonly #others: typeof otherContainers;
  #throttled: number | null;
  #firstC: number | null;
  #mostHz: number | null;
  #known: ReadonlySet<string> | null = null;
  readonly #warned = new Set<Noise>();

  /** `before`: the inspections of earlier sessions. */
  constructor(onNoise: OnNoise, before: readonly QuietInspection[], options: QuietOptions = {}) {
    const { root = '/', others = otherContainers, pace = PACE } = options;
    this.#pace = pace;
    this.#onNoise = onNoise;
    this.#files = new MachineFiles(root);
    this.#others = others;
    this.#temperatures = temperatureSensors(this.#files);
    this.#counters = throttleCounters(this.#files);
    this.#throttled = timesThrottled(this.#files, this.#counters);
    this.#firstC = before.find(({ warmup }) => !warmup)?.temperatureC ?? null;
    this.#mostHz = before[0]?.limitHz ?? null;
  }

  /**
   * Inspects the machine before a block. Throws the signal's reason; where the machine is not quiet and that is not accepted, the error is in the
   * outcome, so that the inspection can be recorded before.
   */
  async before({
    block,
    warmup,
    signal,
    progress,
  }: QuietRequest): Promise<{ inspection: QuietInspection; error: MeasureError | null }> {
    const { inspectionS, graceS, pauseS } = this.#pace;
    const startNs = nowNs();
    const waitedS = () => Math.max(0, nsToSeconds(nowNs() - startNs) - inspectionS);
    const limitS = this.#onNoise.react === 'wait' ? Math.max(this.#onNoise.limitS, graceS) : graceS;
    let seen = await this.#inspect(signal);
    const found = listNoises(seen);
    let reported = false;
    // Noise that is gone at the next inspection does not count, however slow this machine is.
    for (let inspections = 1; seen.noises.size > 0 && (inspections === 1 || waitedS() < limitS); inspections++) {
      if (this.#onNoise.react === 'wait' && waitedS() >= graceS && !reported) {
        reported = true;
        progress.end();
        const what = warmup ? 'A warm-up block' : `Block ${block}`;
        progress.note(`${what} waits for a quiet machine, up to ${durationText(limitS)}: ${words(seen)}.`);
      }
      const isGrace = waitedS() < graceS;
      if (!isGrace) await sleepUntil(nowNs() + secondsToNs(Math.max(0, Math.min(pauseS, limitS - waitedS()))), signal);
      seen = await this.#inspect(signal, seen.throttled);
    }
    const { noises, ...values } = seen;
    const remaining = listNoises(seen);
    if (reported && remaining.length === 0) {
      progress.note(`The machine is quiet again, after ${durationText(waitedS())}.`);
    }
    if (!warmup) this.#firstC ??= seen.temperatureC;
    return {
      inspection: { tNs: nowNs(), block, warmup, found, remaining, waitedS: waitedS(), ...values },
      error: noises.size === 0 ? null : this.#react(seen, warmup ? 'a warm-up block' : `block ${block}`, progress),
    };
  }

  #react(seen: Seen, block: string, progress: QuietRequest['progress']): MeasureError | null {
    const onNoise = this.#onNoise;
    if (onNoise.react === 'warn') {
      // Each kind of noise is warned of once; the report counts them.
      const isNew = listNoises(seen).some((noise) => !this.#warned.has(noise));
      for (const noise of listNoises(seen)) this.#warned.add(noise);
      if (isNew) progress.warn(`The machine is not quiet before ${block}: ${words(seen)}.`);
      return null;
    }
    const advice = `What was measured is kept; ${goOnWords()}. joulediff doctor shows what disturbs this machine.`;
    const waited = onNoise.react === 'wait' ? ` after ${durationText(onNoise.limitS)} of waiting` : '';
    return new MeasureError(`The machine is not quiet before ${block}${waited}: ${words(seen)}.`, { advice });
  }

  /** `throttledBefore`: how often in the earlier inspections before this block. */
  async #inspect(signal: AbortSignal, throttledBefore: number | null = null): Promise<Seen> {
    const { inspectionS } = this.#pace;
    const files = this.#files;
    const meter = new LoadMeter(files);
    const before = processTimes(files);
    const own = process.cpuUsage();
    meter.begin();
    await sleepUntil(nowNs() + secondsToNs(inspectionS), signal);
    const { user, system } = process.cpuUsage(own);
    const all = meter.processors();
    const load = all === null ? null : Math.max(0, all - (user + system) / 1e6 / inspectionS);
    const noises = new Map<Noise, string>();
    if (load !== null && load >= MAX_LOAD) {
      const names = busiest(before, processTimes(files), inspectionS).slice(0, 3);
      const who = names.length === 0 ? '' : ` (${listed(names.map((name) => plain(name, 20)))})`;
      noises.set('load', `others keep ${load.toFixed(2)} processors busy${who}`);
    }
    const came = await this.#newContainers();
    if (came.length > 0) {
      noises.set('containers', `containers were started: ${listed(came.slice(0, 3).map((name) => plain(name, 30)))}`);
    }
    const temperatureC = hottestC(files, this.#temperatures);
    if (temperatureC !== null && this.#firstC !== null && temperatureC > this.#firstC + MAX_WARMER_C) {
      noises.set(
        'temperature',
        `the processor is at ${temperatureC.toFixed(0)} °C, and was at ${this.#firstC.toFixed(0)} °C before the first block`,
      );
    }
    const limits = frequencyLimits(files);
    const limitHz = limits.length === 0 ? null : limits.reduce((sum, limit) => sum + limit.limitHz, 0);
    this.#mostHz ??= limitHz;
    if (limitHz !== null && this.#mostHz !== null && limitHz < this.#mostHz) {
      noises.set(
        'frequency',
        `the clock is limited to ${((100 * limitHz) / this.#mostHz).toFixed(0)} % of what it was`,
      );
    }
    const newly = this.#newlyThrottled();
    const throttled = newly === null ? throttledBefore : newly + (throttledBefore ?? 0);
    // A wait can't undo what was throttled in the block before, so it lasts only while more is.
    const counted = this.#onNoise.react === 'wait' ? newly : throttled;
    if (counted) noises.set('throttling', 'processors were throttled since the block before');
    return { load, temperatureC, limitHz, throttled, noises };
  }

  async #newContainers(): Promise<string[]> {
    const running = await this.#others();
    if (running === null) return [];
    if (this.#known === null) {
      this.#known = new Set(running.map(({ id }) => id));
      return [];
    }
    const known = this.#known;
    return running.filter(({ id }) => !known.has(id)).map(({ name }) => name);
  }

  #newlyThrottled(): number | null {
    const now = timesThrottled(this.#files, this.#counters);
    const times = now === null || this.#throttled === null ? null : Math.max(0, now - this.#throttled);
    this.#throttled = now;
    return times;
  }
}

const listNoises = ({ noises }: Seen): Noise[] => Noise.options.filter((noise) => noises.has(noise));

const words = ({ noises }: Seen): string => listed([...noises.values()]);
