import type { MeterEvent, Sample } from '../../src/contracts/reading.ts';
import type { MeterSink } from '../../src/meters/meter.ts';

/** A sink that keeps everything and can be waited on. */
export class Collected implements MeterSink {
  readonly samples: (Sample & { channel: string })[] = [];
  readonly events: MeterEvent[] = [];
  readonly lostWith: Error[] = [];
  #changed: () => void = () => {};

  sample(channel: string, sample: Sample): void {
    this.samples.push({ channel, ...sample });
    this.#changed();
  }

  event(event: MeterEvent): void {
    this.events.push(event);
    this.#changed();
  }

  lost(error: Error): void {
    this.lostWith.push(error);
    this.#changed();
  }

  /** Joules of a channel's samples. */
  energyJ(channel: string): number {
    return this.samples
      .filter((sample) => sample.channel === channel)
      .reduce((sum, { powerW, durationS }) => sum + powerW * durationS, 0);
  }

  /** Resolves when `condition` holds; the test's own timeout bounds it. */
  async until(condition: (collected: this) => boolean): Promise<void> {
    while (!condition(this)) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }
}

/** The error that a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<Error & { advice: string | null }> {
  try {
    await promise;
  } catch (error) {
    return error as Error & { advice: string | null };
  }
  throw new Error('nothing was thrown');
}
