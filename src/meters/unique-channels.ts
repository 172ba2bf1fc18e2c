import type { Meter, MeterInfo, MeterSink } from './meter.ts';

/** The meters with channel names that are unique over all of them: the second `wall` becomes `wall-2`. */
export function withUniqueChannels(meters: readonly Meter[]): Meter[] {
  const taken = new Set<string>();
  return meters.map((meter) => {
    const names = new Map<string, string>();
    for (const { channel } of meter.info.channels) {
      let name = channel;
      for (let number = 2; taken.has(name); number++) name = `${channel}-${number}`;
      taken.add(name);
      names.set(channel, name);
    }
    return [...names].every(([from, to]) => from === to) ? meter : new RenamedMeter(meter, names);
  });
}

class RenamedMeter implements Meter {
  readonly info: MeterInfo;
  readonly #meter: Meter;
  readonly #names: ReadonlyMap<string, string>;

  constructor(meter: Meter, names: ReadonlyMap<string, string>) {
    this.#meter = meter;
    this.#names = names;
    const channels = meter.info.channels.map((info) => ({ ...info, channel: this.#nameOf(info.channel) }));
    this.info = { ...meter.info, channels };
  }

  start(sink: MeterSink): Promise<void> {
    return this.#meter.start({
      sample: (channel, sample) => sink.sample(this.#nameOf(channel), sample),
      event: (event) => sink.event(event),
      lost: (error) => sink.lost(error),
    });
  }

  mark(): void {
    this.#meter.mark();
  }

  stop(): Promise<void> {
    return this.#meter.stop();
  }

  #nameOf(channel: string): string {
    return this.#names.get(channel) ?? channel;
  }
}
