import { messageOf } from '../errors.ts';
import type { MeterEvent, MeterSink, Sample } from '../meters/meter.ts';
import type { Observations } from '../store/writer.ts';
import { nowNs } from './clock.ts';

/** Keeps what the meters give until it is committed with the run that it belongs to. */
export class Recorder implements MeterSink {
  #samples = new Map<string, Sample[]>();
  #events: MeterEvent[] = [];
  readonly #last = new Map<string, bigint>();

  sample(channel: string, sample: Sample): void {
    const last = this.#last.get(channel);
    // Two readings of one moment would count a stretch twice.
    if (last !== undefined && sample.tNs <= last) return;
    this.#last.set(channel, sample.tNs);
    const list = this.#samples.get(channel);
    if (list) list.push(sample);
    else this.#samples.set(channel, [sample]);
  }

  event(event: MeterEvent): void {
    this.#events.push(event);
  }

  /** Nothing can be known of the time until the meter is back. */
  lost(error: Error): void {
    this.#events.push({ tNs: nowNs(), kind: 'gap', detail: `the meter was lost: ${messageOf(error)}` });
  }

  /** The first gap that was told for a moment in (fromNs, toNs]; null: none. */
  gapIn(fromNs: bigint, toNs: bigint): string | null {
    const gap = this.#events.find((e) => e.kind === 'gap' && e.tNs > fromNs && e.tNs <= toNs);
    return gap?.detail ?? null;
  }

  /** Number of samples of a channel that arrived in (fromNs, toNs] and are not yet taken. */
  countIn(channel: string, fromNs: bigint, toNs: bigint): number {
    let n = 0;
    for (const s of this.#samples.get(channel) ?? []) if (s.tNs > fromNs && s.tNs <= toNs) n++;
    return n;
  }

  /** Longest time in (fromNs, toNs] without a sample of the channel, its ends included, seconds. */
  longestPauseS(channel: string, fromNs: bigint, toNs: bigint): number {
    let lastNs = fromNs;
    let longestNs = 0n;
    for (const { tNs } of [...(this.#samples.get(channel) ?? []), { tNs: toNs }]) {
      if (tNs <= fromNs || tNs > toNs) continue;
      if (tNs - lastNs > longestNs) longestNs = tNs - lastNs;
      lastNs = tNs;
    }
    return Number(longestNs) / 1e9;
  }

  /** Gives what came since the last call, and forgets it. */
  take(): Observations {
    const taken = { samples: this.#samples, events: this.#events };
    this.#samples = new Map();
    this.#events = [];
    return taken;
  }
}
