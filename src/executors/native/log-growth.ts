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

/** Interval between polls of a growing log's size; it becomes longer, down to ten polls a second for a flood. */
const PACE_MS = 20;
const SLOWEST_PACE_MS = 100;
const SLOWER = 1.2;
/** Shortest time between two watches by the kernel: one for each of many short lines would cost more than polling. */
const MIN_WATCH_NS = 100_000_000n;
/** How old a change may be when the kernel reports it, nanoseconds; delays of this process are added. */
const REPORTED_LATE_NS = 1_000_000n;
const CHUNK_BYTES = 256 * 1024;
/** Upper bound on what is searched before a cut. Larger growth between two polls is no output: a workload can make its file as large as it likes. */
const MAX_SEARCHED_BYTES = 512 * 2 ** 20;
/** Upper bound on kept sizes; beyond it, every other one is dropped. */
const MAX_SIZES = 100_000;

/**
 * Finds when each byte of a log file was written, without disturbing the workload that writes it: nothing is read in the window, and a workload that
 * prints nothing costs nothing. The kernel reports the first byte after a silence; while more come, only the size is polled, every 20 to 100 ms.
 * After a silence, the kernel is asked again.
 */
export class LogGrowth {
  readonly #logFile: string;
  readonly fromByte: number;
  toByte: number;
  /** Why nothing is known of the times; null: all is known. */
  problem: string | null = null;
  readonly #limit: OutputLimit;
  readonly #marks = new PhaseMarks<number>();
  readonly #scanner: Scanner;
  /** Position in the present file up to which it was searched. */
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
  /** Buffer, made when it is first needed: most logs are never searched here. */
  #pieces: Buffer | null = null;
  /** Whether something was cut off without being searched. */
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

  /** The process was suspended until now: what was written meanwhile may be that old, although the kernel reports it only now. */
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

  /** Gives the phases in a log that was cut, and puts the log in order. To be called after the window. */
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

  /** Searches what will be cut off a file of so many bytes, then cuts it. A run that prints so much has to bear that. */
  #cut(bytes: number): void {
    this.#scan(bytes);
    this.#scannedTo = this.#limit.cut(bytes);
  }

  /** Continues the search up to `toByte`. */
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

  /** When the byte before this position was seen, and how much earlier it may have been written. */
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
    // Output between the last poll and the watch is noticed here.
    this.#mark();
    if (this.#watcher !== null) this.#marking = setInterval(() => this.#mark(), MARK_EVERY_MS).unref();
  }

  /** Sets a mark; output that is there already is noticed first, since it is older. */
  #mark(): void {
    if (this.#delay.mark(() => this.#poll(null))) this.#begin();
  }

  #begin(): void {
    if (this.#watcher === null) return;
    this.#unwatch();
    this.#poll(REPORTED_LATE_NS + this.#delay.atMostNs());
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

  /** Polls the size; true: it has grown. `lateNs`: how old the growth may be; null: as old as the last poll. */
  #poll(lateNs: bigint | null): boolean {
    const bytes = sizeOf(this.#logFile);
    const tNs = process.hrtime.bigint();
    const sinceNs = lateNs === null || tNs - this.#polledNs < lateNs ? this.#polledNs : tNs - lateNs;
    this.#polledNs = tNs;
    const printed = bytes + this.#limit.cutBytes;
    const hasGrown = printed > this.toByte;
    // Output after that would be taken for what was in its place before.
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
