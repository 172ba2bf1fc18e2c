import type { MeterEvent } from '../meter.ts';
import { type DataRecord, follows } from './record.ts';

const SECOND_NS = 1_000_000_000n;
const NOMINAL_S = 1;
/** How much earlier than the whole second a record may come (0.13 s is the worst of 60,000 on a saturated host). */
const EARLY_S = 0.2;
/** A record that is this late is reported: its time stamp says when the host was free, not when the meter sent it. */
const LATE_S = 0.5;
/** So many contradictions in a row at the right times mean that this firmware fills its maximum and minimum otherwise. */
const CONTRADICTIONS = 3;

/**
 * Watches whether every second has its record. The times of arrival are followed as a clock of one second, so that a record that the host took
 * late is told from one that is missing: after a late record the next comes early, after a missing one it doesn't.
 */
export class Cadence {
  /** When the last record should have come, by the clock. */
  #phaseNs: bigint;
  #last: DataRecord | null;
  #contradictions = 0;
  #checksContinuity = true;

  /** `record` is the first, at `tNs`. */
  constructor(tNs: bigint, record: DataRecord) {
    this.#phaseNs = tNs;
    this.#last = record;
  }

  /** After a silence that was reported already: the clock starts again here. */
  restart(tNs: bigint, record: DataRecord): void {
    this.#phaseNs = tNs;
    this.#last = record;
  }

  /** Takes the records that came together at `tNs`, in their order (one or more), and says what is wrong with them. */
  take(tNs: bigint, records: readonly DataRecord[]): MeterEvent[] {
    const elapsedS = Number(tNs - this.#phaseNs) / 1e9;
    const missing = Math.max(0, Math.floor(elapsedS / NOMINAL_S + EARLY_S) - records.length);
    this.#phaseNs += BigInt(records.length + missing) * SECOND_NS;
    const deviationS = Number(tNs - this.#phaseNs) / 1e9;
    this.#follow(deviationS, tNs);
    const events: MeterEvent[] = [];
    if (missing > 0) {
      const seconds = missing === 1 ? 'a second' : `${missing} seconds`;
      events.push({ tNs, kind: 'gap', detail: `The records of ${seconds} are missing.` });
    } else if (deviationS > LATE_S) {
      events.push({
        tNs,
        kind: 'note',
        detail: `A record was taken ${deviationS.toFixed(2)} s late: the host was busy.`,
      });
    } else if (deviationS < -LATE_S) {
      events.push({ tNs, kind: 'note', detail: `A record came ${(-deviationS).toFixed(2)} s early.` });
    }
    events.push(...this.#continuity(tNs, records, missing > 0));
    return events;
  }

  /** A host is never early: an early record shows that the clock ran late, a late one may only show a busy host. */
  #follow(deviationS: number, tNs: bigint): void {
    if (deviationS < -EARLY_S) this.#phaseNs = tNs;
    else this.#phaseNs += BigInt(Math.round(deviationS * (deviationS < 0 ? 0.5 : 0.05) * 1e9));
  }

  #continuity(tNs: bigint, records: readonly DataRecord[], reported: boolean): MeterEvent[] {
    let broken = false;
    for (const record of records) {
      if (this.#last && !follows(this.#last, record)) broken = true;
      this.#last = record;
    }
    if (!this.#checksContinuity || reported) return [];
    this.#contradictions = broken ? this.#contradictions + 1 : 0;
    if (this.#contradictions === CONTRADICTIONS) {
      this.#checksContinuity = false;
      const detail = `The maximum and minimum of ${CONTRADICTIONS} records in a row contradict their power although they came in time: this meter fills them otherwise, they are not checked any more.`;
      return [{ tNs, kind: 'note', detail }];
    }
    const detail = 'A record is missing: the maximum and minimum of this one do not span the one before it.';
    return broken ? [{ tNs, kind: 'gap', detail }] : [];
  }
}
