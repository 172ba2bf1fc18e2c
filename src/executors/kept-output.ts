import type { PhaseMark } from '../contracts/execution.ts';
import { leftOutNote } from './output-limit.ts';
import { CheckpointLines } from './phases/checkpoint-lines.ts';
import type { PhaseLine } from './phases/phase-lines.ts';
import { noPhases, PhaseMarks, type ReportedPhases } from './phases/phase-marks.ts';
import { Scanner } from './phases/scan-log.ts';

/** Bytes kept of each end of a longer output. */
const END_BYTES = 8 * 2 ** 20;
/** Upper bounds on output that is only stored, and not searched yet, so that a window has little work with it. */
const MAX_FRESH_BYTES = 8 * 2 ** 20;
const MAX_FRESH = 20_000;
/** Time that a line may take through the engine: mostly less than 1 ms, over 10 ms on a busy machine. Delays of this process are added to it. */
const LATE_NS = 20_000_000n;

/** When a part of the output came, and how much earlier it may have been printed. */
type Came = Pick<PhaseMark, 'tNs' | 'lateNs'>;

/** Output of one command, in memory: both ends of it, and the phases in its lines, with the times at which these came. */
export class KeptOutput {
  readonly #marks = new PhaseMarks<number>();
  readonly #scanner: Scanner;
  /** When each of the marks came. */
  readonly #times: Came[] = [];
  #fresh: { readonly bytes: Buffer; readonly came: Came }[] = [];
  #freshBytes = 0;
  #head = Buffer.alloc(0);
  #end = Buffer.alloc(0);
  /** Number of bytes left out between head and end. */
  #missingBytes = 0;
  #isScanned = false;

  constructor(phaseLines: readonly PhaseLine[] = []) {
    this.#scanner = new Scanner(new CheckpointLines(phaseLines), this.#marks);
  }

  /** Number of bytes so far. */
  get length(): number {
    return this.#head.length + this.#missingBytes + this.#end.length + this.#freshBytes;
  }

  /** Adds output. `ownNs`: how long it may have been here before this process noticed it. */
  take(bytes: Buffer, tNs: bigint, ownNs = 0n): void {
    this.#fresh.push({ bytes, came: { tNs, lateNs: LATE_NS + ownNs } });
    this.#freshBytes += bytes.length;
    if (this.#freshBytes > MAX_FRESH_BYTES || this.#fresh.length > MAX_FRESH) this.#settle();
  }

  /** The whole output, or both ends with a note between them. */
  text(): Buffer {
    this.#settle();
    const note = this.#missingBytes === 0 ? '' : leftOutNote(this.#missingBytes);
    return Buffer.concat([this.#head, Buffer.from(note), this.#end]);
  }

  /** The last characters of the output after `fromByte`. */
  tail(fromByte: number, characters: number): string {
    const bytes = Math.min(4 * characters, this.length - fromByte);
    const text = this.text();
    return text
      .subarray(Math.max(0, text.length - bytes))
      .toString('utf8')
      .replace(/^\uFFFD+/, '')
      .slice(-characters);
  }

  /** Phases in the output, within a window. */
  phases(window: { readonly startNs: bigint; readonly endNs: bigint }): ReportedPhases {
    const last = this.#fresh.at(-1)?.came ?? this.#times.at(-1) ?? { tNs: window.endNs, lateNs: LATE_NS };
    this.#settle();
    if (!this.#isScanned) this.#scanner.end(0);
    this.#isScanned = true;
    this.#stamp(last);
    if (this.#marks.problem !== null) return noPhases(this.#marks.problem);
    return { marks: this.#marks.inWindow((_, i) => this.#times[i] ?? last, window), problem: null };
  }

  /** Searches the fresh output for phases, and drops what is beyond the ends. */
  #settle(): void {
    for (const { bytes, came } of this.#fresh) {
      this.#scanner.chunk(bytes, 0);
      this.#stamp(came);
    }
    let settled = Buffer.concat([this.#end, ...this.#fresh.map(({ bytes }) => bytes)]);
    this.#fresh = [];
    this.#freshBytes = 0;
    if (this.#head.length < END_BYTES && this.#missingBytes === 0) {
      const room = END_BYTES - this.#head.length;
      this.#head = Buffer.concat([this.#head, settled.subarray(0, room)]);
      settled = settled.subarray(room);
    }
    this.#missingBytes += Math.max(0, settled.length - END_BYTES);
    // A copy is made, since a part would keep the whole larger buffer in memory.
    this.#end = Buffer.from(settled.subarray(Math.max(0, settled.length - END_BYTES)));
  }

  #stamp(came: Came): void {
    while (this.#times.length < this.#marks.reported.length) this.#times.push(came);
  }
}
