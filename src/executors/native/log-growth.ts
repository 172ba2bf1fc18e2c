import { closeSync, type FSWatcher, readSync, watch } from 'node:fs';
import { messageOf } from '../../errors.ts';
import { openRegular } from '../../system/open-regular.ts';
import { MARK_EVERY_MS, OwnDelay } from '../../system/own-delay.ts';
import { MAX_OUTPUT_BYTES, OutputLimit } from '../output-limit.ts';
import { sizeOf } from '../output-tail.ts';
import { CheckpointLines } from '../phases/checkpoint-lines.ts';
import type { PhaseLine } from '../phases/phase-lines.ts';
import { PhaseMarks } from '../phases/phase-marks.ts';
import { Scanner } from '../phases/scan-log.ts';

/** While a log grows its size is polled so often, then ever less often: a flood is not worth more than ten polls a second. */
const PACE_MS = 20;
const SLOWEST_PACE_MS = 100;
const SLOWER = 1.2;
/** The kernel is not asked more often than this: asking for each of many short lines costs more than polling. */
const MIN_WATCH_NS = 100_000_000n;
/** A change that the kernel told of is taken for so old at most, beside what kept this process from hearing of it, nanoseconds. */
const TOLD_LATE_NS = 1_000_000n;
const CHUNK_BYTES = 256 * 1024;
/** So much is looked through before a cut. More than that between two polls is no print: a workload can make its file as large as it likes. */
const MAX_SEARCHED_BYTES = 512 * 2 ** 20;
/** So many sizes are kept; then every other goes. */
const MAX_SIZES = 100_000;

/**
 * When each byte of a log file was written, as near as it can be told without touching what writes it: the workload writes straight into
 * the file, nothing is read during its window, and a workload that prints nothing costs nothing. The kernel tells of the first byte after
 * a silence; while more come, the size alone is polled, every 20 to 100 ms.
 */
export class LogGrowth {
  readonly #logFile: string;
  readonly fromByte: number;
  toByte: number;
  /** Why nothing is known; null: all is well. */
  problem: string | null = null;
  readonly #limit: OutputLimit;
  readonly #marks = new PhaseMarks<number>();
  readonly #scanner: Scanner;
  /** Bytes of the file as it is now. */
  #scannedTo: number;
  readonly #sizes: { readonly bytes: number; readonly tNs: bigint; readonly sinceNs: bigint }[] = [];
  #watcher: FSWatcher | null = null;
  #askedNs = 0n;
  readonly #delay = new OwnDelay();
  #marking: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #paceMs = PACE_MS;
  #polledNs = process.hrtime.bigint();
  #open = true;
  #finished = false;
  /** Made when the first is needed: most logs are never looked through here. */
  #pieces: Buffer | null = null;
  /** Something was cut off without being looked through. */
  #unseen = false;

  /** Begins to poll; the file is created if it is missing. */
  constructor(logFile: string, phaseLines: readonly PhaseLine[] = [], mostBytes = MAX_OUTPUT_BYTES) {
    this.#logFile = logFile;
    this.#scanner = new Scanner(new CheckpointLines(phaseLines), this.#marks);
    closeSync(openRegular(logFile, 'append'));
    this.fromByte = sizeOf(logFile);
    this.toByte = this.fromByte;
    this.#scannedTo = this.fromByte;
    this.#limit = new OutputLimit(logFile, this.fromByte, mostBytes);
    this.#watch();
  }

  /** The process slept until now: what has been written meanwhile may be that old, although the kernel tells of it only now. */
  awake(): void {
    if (this.#open && this.#watcher !== null && this.#poll(null)) this.#begin();
  }

  /** Stops polling the size of the log. */
  stop(): void {
    if (!this.#open) return;
    this.#open = false;
    clearTimeout(this.#timer);
    this.#unwatch();
    this.#poll(null);
  }

  /** Whether the log lacks a part of what was printed. */
  get isCut(): boolean {
    return this.#limit.isCut;
  }

  /** After the window: what a log that was cut tells of phases, and the log is put in order. */
  finish(): PhaseMarks<number> | null {
    if (!this.isCut) return null;
    if (this.#finished) return this.#marks;
    this.#finished = true;
    this.#scan(sizeOf(this.#logFile));
    this.#scanner.end(this.toByte);
    if (this.#unseen) this.#marks.problem = 'it printed faster than its output could be searched for them';
    else this.#marks.problem ??= this.#limit.problem;
    this.#limit.finish();
    return this.#marks;
  }

  /** What is cut off of a file of so many bytes is looked through first, which a run has to bear that prints so much. */
  #cut(bytes: number): void {
    this.#scan(bytes);
    this.#scannedTo = this.#limit.cut(bytes);
  }

  /** On from where it was looked through. */
  #scan(toByte: number): void {
    this.#pieces ??= Buffer.allocUnsafe(CHUNK_BYTES);
    const mostTo = Math.min(toByte, this.#scannedTo + MAX_SEARCHED_BYTES);
    const file = openRegular(this.#logFile, 'read');
    try {
      while (this.#scannedTo < mostTo) {
        const wanted = Math.min(CHUNK_BYTES, mostTo - this.#scannedTo);
        const length = readSync(file, this.#pieces, 0, wanted, this.#scannedTo);
        if (length === 0) return;
        this.#scanner.chunk(this.#pieces.subarray(0, length), this.#scannedTo + this.#limit.cutBytes);
        this.#scannedTo += length;
      }
    } finally {
      closeSync(file);
    }
    if (mostTo < toByte) this.#unseen = true;
  }

  /** When the byte before this one was seen to be there, and how long before that it may have been written. */
  when(byte: number): { readonly tNs: bigint; readonly lateNs: bigint } {
    let low = 0;
    let high = this.#sizes.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sizes[middle]?.bytes ?? 0) >= byte) high = middle;
      else low = middle + 1;
    }
    const { tNs, sinceNs } = this.#sizes[low] ?? { tNs: this.#polledNs, sinceNs: this.#polledNs };
    return { tNs, lateNs: tNs - sinceNs };
  }

  /** Waits for the kernel to tell of the next write. */
  #watch(): void {
    this.#askedNs = process.hrtime.bigint();
    try {
      this.#watcher = watch(this.#logFile, { persistent: false }, () => this.#begin());
      this.#watcher.on('error', (cause) => this.#fail(cause));
    } catch (cause) {
      this.#fail(cause);
      return;
    }
    // What was written between the last poll and the watch.
    this.#mark();
    if (this.#watcher !== null) this.#marking = setInterval(() => this.#mark(), MARK_EVERY_MS).unref();
  }

  /** What is there by now has to be heard of first: it is older than the mark. */
  #mark(): void {
    if (this.#delay.mark(() => this.#poll(null))) this.#begin();
  }

  #begin(): void {
    if (this.#watcher === null) return;
    this.#unwatch();
    this.#poll(TOLD_LATE_NS + this.#delay.atMostNs());
    this.#paceMs = PACE_MS;
    this.#pace();
  }

  #pace(): void {
    this.#timer = setTimeout(() => {
      if (!this.#open) return;
      if (!this.#poll(null) && this.#polledNs - this.#askedNs > MIN_WATCH_NS) return this.#watch();
      this.#paceMs = Math.min(SLOWEST_PACE_MS, SLOWER * this.#paceMs);
      this.#pace();
    }, this.#paceMs);
    this.#timer.unref();
  }

  /** True: it has grown. `lateNs` null: at any time since the last poll. */
  #poll(lateNs: bigint | null): boolean {
    const bytes = sizeOf(this.#logFile);
    const tNs = process.hrtime.bigint();
    const sinceNs = lateNs === null || tNs - this.#polledNs < lateNs ? this.#polledNs : tNs - lateNs;
    this.#polledNs = tNs;
    const printed = bytes + this.#limit.cutBytes;
    const hasGrown = printed > this.toByte;
    // What it prints from then on would be taken for what stood in its place.
    if (printed < this.toByte) this.problem ??= 'its output was made shorter while it ran';
    if (hasGrown) {
      this.toByte = printed;
      this.#sizes.push({ bytes: printed, tNs, sinceNs });
      if (this.#sizes.length > MAX_SIZES) this.#thin();
    }
    if (this.#limit.isReached(bytes)) this.#cut(bytes);
    return hasGrown;
  }

  #thin(): void {
    const kept = this.#sizes.flatMap((size, i) =>
      i % 2 === 0 ? [] : [{ ...size, sinceNs: this.#sizes[i - 1]!.sinceNs }],
    );
    this.#sizes.splice(0, this.#sizes.length, ...kept);
  }

  #fail(cause: unknown): void {
    this.#unwatch();
    this.problem = `its output could not be watched: ${messageOf(cause)}`;
  }

  #unwatch(): void {
    clearInterval(this.#marking);
    this.#watcher?.close();
    this.#watcher = null;
  }
}
