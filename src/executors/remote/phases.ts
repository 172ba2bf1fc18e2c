import type { Execution } from '../../contracts/execution.ts';
import { messageOf, withoutFullStop } from '../../errors.ts';
import type { RemoteHost } from '../../hosts/host.ts';
import { HostLostError } from '../../hosts/link.ts';
import { CheckpointLines } from '../phases/checkpoint-lines.ts';
import type { PhaseLine } from '../phases/phase-lines.ts';
import { noPhases, PhaseMarks, type ReportedPhases } from '../phases/phase-marks.ts';
import { Scanner } from '../phases/scan-log.ts';
import type { PrintedThere } from './machine.ts';

/** Number of bytes of output, when it was seen on the clock there, and how much earlier it may have been printed; nanoseconds. */
type Stamp = readonly [bytes: number, atNs: number, lateNs: number];

interface StampedRun {
  /** Window on the clock there, nanoseconds. */
  readonly there: { readonly start: number; readonly end: number };
  /** The execution, with the same window on the clock here. */
  readonly here: Execution;
  readonly phaseLines: readonly PhaseLine[];
}

/**
 * The phases of a command on another machine, whose output was stamped there as it was printed. A mark is as uncertain as the window's edges are:
 * all of them are off alike. Throws HostLostError.
 */
export async function stampedPhases(
  { connection }: RemoteHost,
  { parts, leftOut }: PrintedThere,
  { there, here, phaseLines }: StampedRun,
): Promise<ReportedPhases> {
  const marks = new PhaseMarks<number>();
  const scanner = new Scanner(new CheckpointLines(phaseLines), marks);
  let bytes = 0;
  for (const part of parts) {
    if (!scanner.chunk(part, bytes)) break;
    bytes += part.length;
  }
  scanner.end(bytes);
  if (marks.problem !== null) return noPhases(marks.problem);
  if (!marks.reported.some((mark) => marks.isCheckpoint(mark))) return { marks: [], problem: null };
  if (leftOut > 0) return noPhases('it printed more than is brought from another machine');
  try {
    const { stamps } = await connection.ask('stamps', {});
    if (stamps === null) return noPhases('it printed too often for each line to be stamped');
    const edgeNs = BigInt(Math.ceil((here.clock?.edgeS ?? 0) * 1e9));
    const rate = Number(here.endNs - here.startNs) / Math.max(1, there.end - there.start);
    let at = 0;
    const cameAt = (toByte: number) => {
      while (at < stamps.length - 1 && (stamps[at] as Stamp)[0] < toByte) at += 1;
      const [, seenNs, lateNs] = (stamps[at] ?? [0, there.end, 0]) as Stamp;
      const tNs = here.startNs + BigInt(Math.round((seenNs - there.start) * rate)) + edgeNs;
      return { tNs, lateNs: BigInt(Math.round(lateNs)) + 2n * edgeNs };
    };
    return { marks: marks.inWindow(cameAt, here), problem: null };
  } catch (thrown) {
    if (thrown instanceof HostLostError) throw thrown;
    return noPhases(`when its lines were printed could not be asked: ${withoutFullStop(messageOf(thrown))}`);
  }
}
