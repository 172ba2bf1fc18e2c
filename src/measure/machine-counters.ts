import { type Counted, type Counter, counted, type Uncounted } from '../findings/resources.ts';
import { stallS, type Traffic, trafficOf } from '../machine/accounts.ts';
import { MachineFiles } from '../machine/files.ts';
import { hottestC, policies, temperatureSensors } from '../machine/processors.ts';

const STALLS = [
  ['machine_cpu_stall_s', 'cpu', 'some'],
  ['machine_memory_stall_s', 'memory', 'some'],
  ['machine_memory_full_stall_s', 'memory', 'full'],
  ['machine_io_stall_s', 'io', 'some'],
  ['machine_io_full_stall_s', 'io', 'full'],
] as const;

interface Totals {
  readonly switches: number | null;
  readonly traffic: Traffic | null;
  readonly stalls: readonly (number | null)[];
  /** By policy: hertz, and how long the clock had it. */
  readonly clocks: readonly ReadonlyMap<number, number>[];
}

/** What the whole machine does in a window: totals that the kernel keeps, read just before it and just after it, and never between. */
export class MachineCounters {
  readonly #files: MachineFiles;
  readonly #policies: readonly string[];
  readonly #temperatures: readonly string[];
  readonly #cards: ReadonlySet<string>;
  #before: Totals | null = null;

  /** `root` is another place of /sys and /proc, for tests. */
  constructor(root = '/') {
    this.#files = new MachineFiles(root);
    this.#policies = policies(this.#files);
    this.#temperatures = temperatureSensors(this.#files);
    // What goes through a bridge, a tunnel or to a container passes a card too, if it leaves the machine.
    const cards = this.#files.entries('/sys/class/net').filter((path) => this.#files.link(`${path}/device`) !== null);
    this.#cards = new Set(cards.map((path) => path.slice(path.lastIndexOf('/') + 1)));
  }

  begin(): void {
    this.#before = this.#read();
  }

  /** Since `begin`. */
  end(): readonly Counted[] {
    const [before, after] = [this.#before, this.#read()];
    if (before === null) return [];
    const since = (of: (totals: Totals) => number | null): number | null => {
      const [from, to] = [of(before), of(after)];
      return from === null || to === null || to < from ? null : to - from;
    };
    const told = (counter: Counter, value: number | null, missing: Uncounted = 'not-counted') =>
      counted(counter, value, missing);
    return [
      told(
        'machine_context_switches',
        since(({ switches }) => switches),
      ),
      told(
        'machine_received_bytes',
        since(({ traffic }) => traffic?.receivedBytes ?? null),
      ),
      told(
        'machine_sent_bytes',
        since(({ traffic }) => traffic?.sentBytes ?? null),
      ),
      ...STALLS.map(([counter], i) =>
        told(
          counter,
          since(({ stalls }) => stalls[i] ?? null),
        ),
      ),
      told('mean_frequency_hz', meanFrequency(before.clocks, after.clocks)),
      told('frequency_after_hz', this.#frequencyNow(), 'no-sensor'),
      told('temperature_after_c', hottestC(this.#files, this.#temperatures), 'no-sensor'),
    ];
  }

  #read(): Totals {
    const switches = /^ctxt (\d+)$/m.exec(this.#files.text('/proc/stat') ?? '')?.[1];
    const dev = this.#files.text('/proc/net/dev');
    return {
      switches: switches === undefined ? null : Number(switches),
      traffic: dev === null || this.#cards.size === 0 ? null : trafficOf(dev, (name) => this.#cards.has(name)),
      stalls: STALLS.map(([, what, who]) => stallS(`/proc/pressure/${what}`, who, this.#files)),
      clocks: this.#policies.map((policy) => clockTimes(this.#files.text(`${policy}/stats/time_in_state`) ?? '')),
    };
  }

  /** The mean over the processors' clocks at this moment. */
  #frequencyNow(): number | null {
    const all = this.#policies.flatMap((policy) => this.#files.number(`${policy}/scaling_cur_freq`) ?? []);
    return all.length === 0 ? null : (1000 * all.reduce((sum, kHz) => sum + kHz, 0)) / all.length;
  }
}

/** Lines of kilohertz and hundredths of a second (the kernel's cpufreq-stats). */
function clockTimes(lines: string): ReadonlyMap<number, number> {
  return new Map([...lines.matchAll(/^(\d+) (\d+)$/gm)].map(([, kHz, ticks]) => [1000 * Number(kHz), Number(ticks)]));
}

/** What the clocks were set to on average, idle times too; null: the kernel keeps no such times, or none has passed. */
function meanFrequency(before: Totals['clocks'], after: Totals['clocks']): number | null {
  let [cycles, ticks] = [0, 0];
  after.forEach((times, i) => {
    for (const [hertz, until] of times) {
      const passed = until - (before[i]?.get(hertz) ?? until);
      cycles += hertz * passed;
      ticks += passed;
    }
  });
  return ticks > 0 ? cycles / ticks : null;
}
