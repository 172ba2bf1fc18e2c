/** Number of latest values that are compared: the later half with the earlier one. */
export const COMPARED = 4;
/** Number of standard errors beyond which the difference of two means is no noise. */
const MAX_NOISES = 3;
/** Shortest time that one value is averaged over, seconds: a counter may be read more often than its noise changes. */
const VALUE_S = 0.2;
/** Values that the first rest needs, since no other one has shown the noise yet. */
const FIRST_VALUES = 10;
/** Number of rests after a run that always take the full time: they show the level that the machine falls back to. Later rests correct it. */
const FULL_RESTS = 1;
/** Length of a full rest, seconds: after it, the machine only has to be still, at whatever level. */
export const FULL_REST_S = 20;

/**
 * Whether a quantity that an idle machine falls back to (its power, its temperature) has returned to its own noise: it no longer falls or rises,
 * and is where it was after a full rest. A slow drift of the machine moves that level: a rest that does not reach it in 20 s is full, and where it
 * ends is the level from then on. The noise is learned from the ends of rests. Pure.
 */
export class Settling {
  readonly #leastNoise: number;
  #values: number[] = [];
  #rests = 0;
  /** Where full rests ended; null: none has yet. */
  #level: number | null = null;
  #squares = 0;
  #freedom = 0;

  /** `leastNoise`: lower bound on the noise, in the unit of the quantity, such as the step of its readings. */
  constructor(leastNoise = 0) {
    this.#leastNoise = leastNoise;
  }

  /** Begins a new rest: the values of the rest before no longer count. */
  begin(): void {
    this.#values = [];
  }

  add(value: number): void {
    this.#values.push(value);
  }

  /** Whether the run may start, so many seconds after the start of the rest. */
  isSettled(restedS: number): boolean {
    const isFull = restedS >= FULL_REST_S;
    const hasRun = this.#rests > 0;
    if (this.#values.length < (hasRun ? COMPARED : FIRST_VALUES) || !this.#isStill) return false;
    if (isFull || !hasRun) return true;
    return this.#rests > FULL_RESTS && this.#level !== null && this.#now <= this.#level + this.#limit;
  }

  /** Ends the rest, whatever ended it, after so many seconds. */
  end(restedS: number): void {
    const values = this.#values.slice(-2 * COMPARED);
    if (values.length < COMPARED) return;
    this.#squares += stepSquares(values);
    this.#freedom += values.length - 2;
    // No run came before the first rest, so its end does not show where the machine falls back to after one.
    const isLower = this.#level !== null && this.#now < this.#level - this.#limit;
    if (this.#rests > 0 && (restedS >= FULL_REST_S || isLower)) this.#level = this.#now;
    this.#rests++;
  }

  get #now(): number {
    return mean(this.#values.slice(-COMPARED));
  }

  get #isStill(): boolean {
    const values = this.#values.slice(-COMPARED);
    const half = COMPARED / 2;
    return Math.abs(mean(values.slice(half)) - mean(values.slice(0, half))) <= this.#limit * Math.SQRT2;
  }

  /** How far the mean of the compared values may be from another such mean. */
  get #limit(): number {
    const own =
      this.#freedom > 0 ? this.#squares / this.#freedom : stepSquares(this.#values) / (this.#values.length - 2);
    return (MAX_NOISES * Math.max(this.#leastNoise, Math.sqrt(own))) / Math.sqrt(COMPARED / 2);
  }
}

/** Properties of a channel that settling depends on. */
interface SettlingChannel {
  readonly samplingPeriodS: number;
  readonly resolutionW?: number | undefined;
}

interface Reading {
  readonly powerW: number;
  readonly durationS: number;
}

const readingsOf = ({ samplingPeriodS }: SettlingChannel): number => Math.max(1, Math.floor(VALUE_S / samplingPeriodS));

/** Seconds of readings that are averaged into one value. */
export const valueS = (channel: SettlingChannel): number => readingsOf(channel) * channel.samplingPeriodS;

/** Mean powers over a value's readings each, watts; readings that don't fill the last one are left out. */
export function settlingValues(channel: SettlingChannel, samples: readonly Reading[]): number[] {
  const readings = readingsOf(channel);
  return Array.from({ length: Math.floor(samples.length / readings) }, (_, i) =>
    meanPowerW(samples.slice(i * readings, (i + 1) * readings)),
  );
}

function meanPowerW(samples: readonly Reading[]): number {
  const seconds = samples.reduce((sum, { durationS }) => sum + durationS, 0);
  return samples.reduce((sum, { powerW, durationS }) => sum + powerW * durationS, 0) / seconds;
}

/**
 * Seconds from the first reading after a load until idle power had returned to its own noise, by the rule that ends rests; null: not by the last
 * reading. `before`: readings of the idle machine before it was loaded, where its power falls back to, unless it falls lower.
 */
export function settledAfterS(
  channel: SettlingChannel,
  before: readonly Reading[],
  after: readonly Reading[],
): number | null {
  // A rounded reading is known to half a step.
  const settling = new Settling((channel.resolutionW ?? 0) / 2);
  const [cold, cooling] = [settlingValues(channel, before), settlingValues(channel, after)];
  const rest = (values: readonly number[], restedS: number): void => {
    settling.begin();
    for (const value of values) settling.add(value);
    settling.end(restedS);
  };
  // The first rest shows the noise and the second the level; a rest of 0 s can only lower it.
  rest(cold, FULL_REST_S);
  rest(cold, FULL_REST_S);
  rest(cooling, 0);
  settling.begin();
  const last = cooling.findIndex((value) => {
    settling.add(value);
    return settling.isSettled(0);
  });
  return last < 0 ? null : Math.max(0, last + 1 - COMPARED) * valueS(channel);
}

/** Half the sum of squared deviations of the steps between values from their mean: a steady fall does not count as noise. */
function stepSquares(values: readonly number[]): number {
  const steps = values.slice(1).map((value, i) => value - (values[i] as number));
  const middle = mean(steps);
  return steps.reduce((sum, step) => sum + (step - middle) ** 2, 0) / 2;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
