import { cpus } from 'node:os';
import { busySeconds, readStat } from '../../system/cpu-times.ts';
import { gauss, type TruePower } from './emulator.ts';

interface Point {
  readonly tNs: bigint;
  /** Joules since the first point. */
  readonly energyJ: number;
}

export interface ProcessorLoadOptions {
  readonly idleW: number;
  /** Power with all processors busy. */
  readonly loadW: number;
  /** Standard deviation of a fluctuation that is constant over a second, watts. */
  readonly noiseW: number;
  readonly seed: number;
  /** Content of /proc/stat, for tests. */
  readonly stat?: () => string;
  readonly processors?: number;
}

const READ_EVERY_MS = 20;
/** Time for which all readings are kept; of older ones, only the sum is known. */
const REMEMBERED_NS = 120_000_000_000n;

/**
 * The true power of an emulated machine that follows this one: idle + (load − idle) × the share of the time that its processors are busy.
 * Read from /proc/stat every 20 ms. Throws where that can't be read.
 */
export class ProcessorLoad implements TruePower {
  readonly #options: ProcessorLoadOptions;
  readonly #processors: number;
  readonly #stat: () => string;
  readonly #points: Point[] = [];
  readonly #first: Point;
  #busyS: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ProcessorLoadOptions, nowNs = process.hrtime.bigint()) {
    this.#options = options;
    this.#processors = options.processors ?? (cpus().length || 1);
    this.#stat = options.stat ?? readStat;
    this.#busyS = busySeconds(this.#stat());
    this.#first = { tNs: nowNs, energyJ: 0 };
    this.#points.push(this.#first);
  }

  /** Starts to read regularly, until `stop`. */
  start(): this {
    this.#timer ??= setInterval(() => this.read(process.hrtime.bigint()), READ_EVERY_MS);
    return this;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Number of readings that are remembered. */
  get readings(): number {
    return this.#points.length;
  }

  /** Takes a reading at this moment. */
  read(nowNs: bigint): void {
    const last = this.#points.at(-1) as Point;
    if (nowNs <= last.tNs) return;
    const busyS = busySeconds(this.#stat());
    // The kernel may lower its count of busy time a little.
    const workedS = Math.max(0, busyS - this.#busyS);
    this.#busyS = Math.max(busyS, this.#busyS);
    const { idleW, loadW, noiseW, seed } = this.#options;
    const elapsedS = Number(nowNs - last.tNs) / 1e9;
    const noiseJ =
      noiseW === 0 ? 0 : noiseW * gauss(seed, Number((nowNs - this.#first.tNs) / 1_000_000_000n)) * elapsedS;
    const usedJ = idleW * elapsedS + ((loadW - idleW) / this.#processors) * workedS + noiseJ;
    this.#points.push({ tNs: nowNs, energyJ: last.energyJ + usedJ });
    const old = this.#points.findIndex(({ tNs }) => nowNs - tNs <= REMEMBERED_NS);
    if (old > 1000) this.#points.splice(0, old);
  }

  /** Joules between two moments. After the last reading, idle power is assumed. */
  energyJ(fromNs: bigint, toNs: bigint): number {
    return this.#until(toNs) - this.#until(fromNs);
  }

  #until(tNs: bigint): number {
    const last = this.#points.at(-1) as Point;
    if (tNs >= last.tNs) return last.energyJ + this.#idleJ(last.tNs, tNs);
    if (tNs <= this.#first.tNs) return -this.#idleJ(tNs, this.#first.tNs);
    const index = this.#points.findLastIndex((point) => point.tNs <= tNs);
    const before = this.#points[index] ?? this.#first;
    const next = this.#points[index + 1] as Point;
    const part = Number(tNs - before.tNs) / Number(next.tNs - before.tNs);
    return before.energyJ + part * (next.energyJ - before.energyJ);
  }

  #idleJ(fromNs: bigint, toNs: bigint): number {
    return (Number(toNs - fromNs) / 1e9) * this.#options.idleW;
  }
}
