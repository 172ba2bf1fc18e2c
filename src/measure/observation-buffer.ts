import type { ChannelInfo, MeterEvent, Sample } from '../contracts/reading.ts';
import { messageOf } from '../errors.ts';
import type { MeterSink } from '../meters/meter.ts';
import { PhaseFollower } from '../sampling/phase-follower.ts';
import type { Observations } from '../store/writer.ts';
import { nowNs } from '../system/clock.ts';

/** Upper bound on the events of one run. Beyond it only the latest gap is kept, to show that they went on. */
const MAX_EVENTS = 20_000;

/** Keeps what the meters give until it is committed with the run that it belongs to. */
export class ObservationBuffer implements MeterSink {
  #samples = new Map<string, Sample[]>();
  #events: MeterEvent[] = [];
  readonly #last = new Map<string, bigint>();
  readonly #followers = new Map<string, PhaseFollower>();
  /** Two arrivals between which readings of the meter's own clock are missing. */
  #skips: { readonly channel: string; readonly fromNs: bigint; readonly toNs: bigint; readonly missing: number }[] = [];

  /** `channels`: those whose meter sets the times are watched for missing readings. */
  constructor(channels: readonly ChannelInfo[] = []) {
    for (const { channel, clock, integration, samplingPeriodS } of channels) {
      if (clock === 'meter' && integration === 'guard') {
        this.#followers.set(channel, new PhaseFollower(samplingPeriodS));
      }
    }
  }

  /** Called when a meter delivers a sample, before the sample is kept. The session reads the processors' times then. */
  onSample = (): void => {};

  sample(channel: string, sample: Sample): void {
    this.onSample();
    const last = this.#last.get(channel);
    // A second reading of the same moment would count its stretch twice.
    if (last !== undefined && sample.tNs <= last) return;
    this.#last.set(channel, sample.tNs);
    const steps = this.#followers.get(channel)?.steps(Number(sample.tNs)) ?? 1;
    if (steps > 1) this.#skips.push({ channel, fromNs: last ?? sample.tNs, toNs: sample.tNs, missing: steps - 1 });
    const list = this.#samples.get(channel);
    if (list) list.push(sample);
    else this.#samples.set(channel, [sample]);
  }

  event(event: MeterEvent): void {
    if (this.#events.length < MAX_EVENTS) this.#events.push(event);
    else if (event.kind === 'gap') this.#events[MAX_EVENTS - 1] = event;
  }

  /** Adds a gap: until the meter is back, nothing is known. */
  lost(error: Error): void {
    this.#events.push({ tNs: nowNs(), kind: 'gap', detail: `the meter was lost: ${messageOf(error)}` });
  }

  /** The first gap of a channel that was reported for a moment in (fromNs, toNs]; null: none. */
  gapIn(channel: string, fromNs: bigint, toNs: bigint): string | null {
    const gap = this.#events.find(
      ({ kind, tNs, channels }) =>
        kind === 'gap' && tNs > fromNs && tNs <= toNs && (channels?.includes(channel) ?? true),
    );
    return gap?.detail ?? null;
  }

  /** Samples of a channel that arrived after a moment and are not yet taken. */
  since(channel: string, fromNs: bigint): Sample[] {
    return (this.#samples.get(channel) ?? []).filter(({ tNs }) => tNs > fromNs);
  }

  /** Number of samples of a channel that arrived in (fromNs, toNs] and are not yet taken. */
  countIn(channel: string, fromNs: bigint, toNs: bigint): number {
    let n = 0;
    for (const s of this.#samples.get(channel) ?? []) if (s.tNs > fromNs && s.tNs <= toNs) n++;
    return n;
  }

  /** Readings of a followed channel that are missing between those that arrived in (fromNs, toNs], by the rule of the analysis. */
  missingIn(channel: string, fromNs: bigint, toNs: bigint): number {
    const inside = this.#skips.filter((skip) => skip.channel === channel && skip.fromNs > fromNs && skip.toNs <= toNs);
    return inside.reduce((sum, { missing }) => sum + missing, 0);
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
    this.#skips = [];
    return taken;
  }
}
