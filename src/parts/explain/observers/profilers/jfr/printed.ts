import type { Frame, StackSample, Window } from '../../../../../contracts/observation.ts';
import { KnownStacks } from '../../stacks.ts';
import { ObserverError } from '../../tool.ts';

/** `jdk.ExecutionSample#period` of `profile.jfc`. */
const PERIOD_NS = 10_000_000;
const DAY_MS = 86_400_000;
const MAX_FRAMES = 200;
const MAX_NAME = 300;
const MAX_SAMPLES = 1_000_000;
/** Library name for code of the runtime itself. */
export const INTERNAL = 'jdk:internal';

/**
 * Parser for `jfr print --events jdk.ExecutionSample`, whose times are times of day in UTC, in milliseconds. `aheadNs`: wall clock
 * minus CLOCK_MONOTONIC. Samples outside of the window are left out.
 */
export class PrintedSamples {
  readonly #window: Window;
  readonly #aheadNs: bigint;
  readonly #samples: StackSample[] = [];
  readonly #stacks = new KnownStacks(frameOf);
  #isFull = false;
  #tNs: bigint | null = null;
  #lines: string[] | null = null;

  constructor(window: Window, aheadNs: bigint) {
    this.#window = window;
    this.#aheadNs = aheadNs;
  }

  take(line: string): void {
    const time = /^ {2}startTime = (\d\d):(\d\d):(\d\d)\.(\d{3})/.exec(line);
    if (time !== null) {
      const [h, m, s, ms] = time.slice(1).map(Number) as [number, number, number, number];
      this.#tNs = this.#momentOf(((h * 60 + m) * 60 + s) * 1000 + ms);
    } else if (line === '  stackTrace = [') this.#lines = [];
    else if (line === '  ]' || line === '}') this.#end();
    else if (this.#lines !== null && this.#lines.length < MAX_FRAMES) this.#lines.push(line.trim());
  }

  /** All samples. Throws ObserverError if there were too many. */
  all(): readonly StackSample[] {
    if (this.#isFull) throw new ObserverError('wrote-too-much');
    return this.#samples;
  }

  /** CLOCK_MONOTONIC for a time of day, on the day that is closest to the window. */
  #momentOf(ofDayMs: number): bigint {
    const { startNs } = this.#window;
    const startMs = Number((startNs + this.#aheadNs) / 1_000_000n);
    const laterMs = ((((ofDayMs - startMs) % DAY_MS) + 1.5 * DAY_MS) % DAY_MS) - DAY_MS / 2;
    return BigInt(startMs + laterMs) * 1_000_000n - this.#aheadNs;
  }

  #end(): void {
    const [tNs, lines] = [this.#tNs, this.#lines];
    this.#lines = null;
    if (tNs === null || lines === null || lines.length === 0 || this.#isFull) return;
    this.#tNs = null;
    const { startNs, endNs } = this.#window;
    if (tNs < startNs || tNs > endNs) return;
    const frames = this.#samples.length < MAX_SAMPLES ? this.#stacks.of(lines.toReversed()) : null;
    if (frames === null) this.#isFull = true;
    else this.#samples.push({ tNs, weightNs: PERIOD_NS, frames });
  }
}

function frameOf(line: string): Frame {
  // Numbers of lambdas and hidden classes differ between runs.
  const name = line
    .replace(/\(.*$/, '')
    .replace(/\$\$Lambda\$\d+/g, '$$$$Lambda')
    .replace(/\/0x[0-9a-f]+/gi, '')
    .slice(0, MAX_NAME);
  const isOwn = !/^(?:javax?|jdk|sun|com\.sun)\./.test(name);
  return { name: name || '[unknown]', library: isOwn ? name.replace(/\.[^.]*$/, '') : INTERNAL };
}
