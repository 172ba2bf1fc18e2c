import { type Counted, counted, type RecordedCounter, type Uncounted } from '../findings/resources.ts';
import { parseTraffic, stallS, type Traffic } from '../machine/accounts.ts';
import { EngineProcesses, type EngineUse, engineUsed } from '../machine/engine-use.ts';
import { MachineFiles } from '../machine/files.ts';
import { hottestC, policies, temperatureSensors } from '../machine/processors.ts';
import type { ProcessorReading } from '../store/records.ts';
import { nowNs, nsToSeconds, secondsToNs } from '../system/clock.ts';
import { processorTimes } from '../system/cpu-times.ts';

const STALLS = [
  ['machine_cpu_stall_s', 'cpu', 'some'],
  ['machine_memory_stall_s', 'memory', 'some'],
  ['machine_memory_full_stall_s', 'memory', 'full'],
  ['machine_io_stall_s', 'io', 'some'],
  ['machine_io_full_stall_s', 'io', 'full'],
] as const;

/** Shortest idle stretch, seconds, that has enough context switches to compute their rate. */
export const SHORTEST_IDLE_S = 0.05;

/** Shortest time between two readings of the processors in a window: a meter that sends every second, a little early too, gives the moments. */
const MIN_BETWEEN_NS = secondsToNs(0.9);

/** All context switches since the machine started, and the processors' times, at a moment; null: they can't be read. */
interface Switches {
  readonly tNs: bigint;
  readonly count: number | null;
  readonly processors: ProcessorReading | null;
}

interface Totals {
  readonly switches: Switches;
  readonly traffic: Traffic | null;
  readonly stalls: readonly (number | null)[];
  readonly engine: EngineUse;
  /** For each frequency policy, how long its clock has run at each frequency (hertz). */
  readonly clocks: readonly ReadonlyMap<number, number>[];
}

/** What the whole machine does in a window and while idle beside it: totals that the kernel keeps, read just before the window and just after it. Between, only /proc/stat is read. */
export class MachineCounters {
  readonly #files: MachineFiles;
  readonly #policies: readonly string[];
  readonly #temperatures: readonly string[];
  readonly #cards: ReadonlySet<string>;
  readonly #engine: EngineProcesses;
  readonly #hasEngine: boolean;
  #resting: Switches | null = null;
  #before: Totals | null = null;
  #after: Totals | null = null;
  #during: Switches[] = [];

  readonly #now: () => bigint;

  /** `root` is another place of /sys and /proc, `now` another clock, for tests. */
  constructor(root = '/', now = nowNs) {
    this.#now = now;
    this.#files = new MachineFiles(root);
    this.#policies = policies(this.#files);
    this.#temperatures = temperatureSensors(this.#files);
    this.#engine = new EngineProcesses(this.#files);
    this.#hasEngine = this.#engine.search().size > 0;
    // Only cards count: traffic of a bridge, a tunnel or a container passes one, too, if it leaves the machine.
    const cards = this.#files.entries('/sys/class/net').filter((path) => this.#files.link(`${path}/device`) !== null);
    this.#cards = new Set(cards.map((path) => path.slice(path.lastIndexOf('/') + 1)));
  }

  /** Begins the idle stretch before the window, which lasts until `begin`. */
  rest(): void {
    if (this.#hasEngine) this.#engine.search();
    this.#before = null;
    this.#resting = this.#switches();
  }

  begin(): void {
    this.#before = this.#read();
    this.#after = null;
    this.#during = [];
  }

  /** Reads the processors' times in a window, about once a second. It is called when a reading of the meter has woken this process anyway. */
  readProcessors(): void {
    const last = this.#during.at(-1) ?? this.#before?.switches;
    if (last === undefined || this.#after !== null || this.#now() - last.tNs < MIN_BETWEEN_NS) return;
    this.#during.push(this.#switches());
  }

  /** The processors' times from the start of the last window to its end; empty: they can't be read. */
  processors(): readonly ProcessorReading[] {
    const last = this.#after?.switches;
    // Too few ticks of 10 ms fit into less than half of a stretch.
    const during = this.#during.filter(({ tNs }) => last !== undefined && 2n * (last.tNs - tNs) > MIN_BETWEEN_NS);
    return [this.#before?.switches, ...during, last].flatMap((one) => one?.processors ?? []);
  }

  /** Rates of context switches in the idle stretches, from `rest` to `begin` and from `end` until now, where these are long enough. */
  idle(): readonly Counted[] {
    const rate = (from: Switches | undefined | null, to: Switches | undefined): number | null => {
      const seconds = from && to ? nsToSeconds(to.tNs - from.tNs) : 0;
      if (seconds < SHORTEST_IDLE_S || from?.count == null || to?.count == null) return null;
      return (to.count - from.count) / seconds;
    };
    return [
      counted('idle_switches_before_per_s', rate(this.#resting, this.#before?.switches), 'not-counted'),
      counted('idle_switches_after_per_s', rate(this.#after?.switches, this.#switches()), 'not-counted'),
    ];
  }

  /** Gives what was counted since `begin`. */
  end(): readonly Counted[] {
    const [before, after] = [this.#before, this.#read()];
    if (before === null) return [];
    this.#after = after;
    const since = (of: (totals: Totals) => number | null): number | null => {
      const [from, to] = [of(before), of(after)];
      return from === null || to === null || to < from ? null : to - from;
    };
    const reported = (counter: RecordedCounter, value: number | null, missing: Uncounted = 'not-counted') =>
      counted(counter, value, missing);
    return [
      reported(
        'machine_context_switches',
        since(({ switches }) => switches.count),
      ),
      reported(
        'machine_received_bytes',
        since(({ traffic }) => traffic?.receivedBytes ?? null),
      ),
      reported(
        'machine_sent_bytes',
        since(({ traffic }) => traffic?.sentBytes ?? null),
      ),
      ...STALLS.map(([counter], i) =>
        reported(
          counter,
          since(({ stalls }) => stalls[i] ?? null),
        ),
      ),
      ...(this.#hasEngine ? engineCounters(before.engine, after.engine) : []),
      reported('mean_frequency_hz', meanFrequency(before.clocks, after.clocks)),
      reported('frequency_after_hz', this.#frequencyNow(), 'no-sensor'),
      reported('temperature_after_c', hottestC(this.#files, this.#temperatures), 'no-sensor'),
    ];
  }

  #read(): Totals {
    const dev = this.#files.text('/proc/net/dev');
    return {
      switches: this.#switches(),
      traffic: dev === null || this.#cards.size === 0 ? null : parseTraffic(dev, (name) => this.#cards.has(name)),
      stalls: STALLS.map(([, what, who]) => stallS(`/proc/pressure/${what}`, who, this.#files)),
      clocks: this.#policies.map((policy) => clockTimes(this.#files.text(`${policy}/stats/time_in_state`) ?? '')),
      engine: this.#hasEngine ? this.#engine.read() : new Map(),
    };
  }

  #switches(): Switches {
    const stat = this.#files.text('/proc/stat') ?? '';
    const tNs = this.#now();
    const count = /^ctxt (\d+)$/m.exec(stat)?.[1];
    const times = processorTimes(stat);
    return { tNs, count: count === undefined ? null : Number(count), processors: times && { tNs, ...times } };
  }

  /** Mean of all processors' frequencies at this moment, hertz; null: unknown. */
  #frequencyNow(): number | null {
    const all = this.#policies.flatMap((policy) => this.#files.number(`${policy}/scaling_cur_freq`) ?? []);
    return all.length === 0 ? null : (1000 * all.reduce((sum, kHz) => sum + kHz, 0)) / all.length;
  }
}

function engineCounters(before: EngineUse, after: EngineUse): readonly Counted[] {
  const { cpuS, switches } = engineUsed(before, after);
  return [counted('engine_cpu_s', cpuS, 'not-counted'), counted('engine_switches', switches, 'not-counted')];
}

/** Lines of kilohertz and hundredths of a second (the kernel's cpufreq-stats). */
function clockTimes(lines: string): ReadonlyMap<number, number> {
  return new Map([...lines.matchAll(/^(\d+) (\d+)$/gm)].map(([, kHz, ticks]) => [1000 * Number(kHz), Number(ticks)]));
}

/** Mean frequency that the clocks were set to, idle times included; null: the kernel keeps no such times, or no time has passed. */
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
