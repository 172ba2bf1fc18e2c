import type Docker from 'dockerode';
import type { Execution } from '../../contracts/execution.ts';
import { messageOf } from '../../errors.ts';
import { CheckpointLines } from '../phases/checkpoint-lines.ts';
import type { PhaseLine } from '../phases/phase-lines.ts';
import { noPhases, PhaseMarks, type ReportedPhases } from '../phases/phase-marks.ts';
import { scanLog } from '../phases/scan-log.ts';
import { stampedLines } from './stamped-lines.ts';

/** Wall clock minus CLOCK_MONOTONIC at one moment, nanoseconds. */
export type ClockOffset = bigint;

/** Largest change between wall clock and monotonic clock that is no setting of the clock; NTP's slewing is far below. */
const MAX_CHANGE_NS = 50_000_000n;

/** Uncertainty of the engine's time stamps on the monotonic clock: the wall clock is read in milliseconds. */
const STAMP_LATE_NS = 1_000_000n;

export interface PrintedPart {
  readonly container: Docker.Container;
  readonly logFile: string;
  /** Part of the log that the window's executions printed. */
  readonly part: { readonly fromByte: number; readonly toByte: number };
  /** Clock offsets just before and just after the window. */
  readonly clocks: readonly [ClockOffset, ClockOffset];
}

/**
 * The phases of a workload in a container. The engine stamps every line when it arrives at the host, so that nothing has to be read during
 * the window. The log file tells whether there is a checkpoint at all; only then is the engine asked for its stamps.
 */
export async function containerPhases(
  { container, logFile, part, clocks }: PrintedPart,
  window: Pick<Execution, 'startNs' | 'endNs'>,
  phaseLines: readonly PhaseLine[],
  abortSignal: AbortSignal,
): Promise<ReportedPhases> {
  try {
    const lines = new CheckpointLines(phaseLines);
    const found = await scanLog(logFile, part, lines);
    if (found.problem !== null) return noPhases(found.problem);
    if (found.reported.length === 0) return { marks: [], problem: null };
    const offsetNs = offsetBetween(...clocks);
    if (offsetNs === null) {
      return noPhases("the machine's clock was set while it ran, so that the engine's time stamps can't be used");
    }
    const since = Math.floor(Number(window.startNs + offsetNs) / 1e9);
    const stream = await container.logs({
      stdout: true,
      stderr: true,
      follow: true,
      timestamps: true,
      since,
      abortSignal,
    });
    const marks = new PhaseMarks<bigint>();
    for await (const { line, stampNs } of stampedLines(stream as unknown as AsyncIterable<Buffer>)) {
      // It is unknown when a display of progress began, so only the text after its last carriage return has a time.
      const reported = lines.read(line.subarray(line.lastIndexOf('\r', -2) + 1));
      if (reported === null) continue;
      const tNs = stampNs() - offsetNs;
      // A line outside of the window is from another stage, or an earlier one of the same container.
      if (tNs < window.startNs - STAMP_LATE_NS || tNs > window.endNs + STAMP_LATE_NS) continue;
      if (!marks.take(reported, tNs)) break;
    }
    if (marks.problem !== null) return noPhases(marks.problem);
    marks.reported.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    return { marks: marks.inWindow((tNs) => ({ tNs, lateNs: STAMP_LATE_NS }), window), problem: null };
  } catch (thrown) {
    return noPhases(`its output could not be read with its times: ${messageOf(thrown)}`);
  }
}

/** Reads the offset. The wall clock is known to the millisecond, whose middle is taken. */
export function readClockOffset(): ClockOffset {
  return BigInt(Date.now()) * 1_000_000n + 500_000n - process.hrtime.bigint();
}

/** Offset between two readings; null: the wall clock was set meanwhile. */
function offsetBetween(before: ClockOffset, after: ClockOffset): ClockOffset | null {
  const change = after - before;
  if (change > MAX_CHANGE_NS || change < -MAX_CHANGE_NS) return null;
  return before + change / 2n;
}
