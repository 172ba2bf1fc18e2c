import { messageOf } from '../../errors.ts';
import type { Execution } from '../executor.ts';
import { CheckpointLines } from '../phases/checkpoint-lines.ts';
import type { PhaseLine } from '../phases/phase-lines.ts';
import { type ToldPhases, within, without } from '../phases/phase-marks.ts';
import { scanLog } from '../phases/scan-log.ts';
import type { LogGrowth } from './log-growth.ts';

/** The phases of a workload that wrote into its log file by itself, while `growth` looked at the file's size. */
export async function nativePhases(
  logFile: string,
  growth: LogGrowth,
  window: Pick<Execution, 'startNs' | 'endNs'>,
  phaseLines: readonly PhaseLine[],
): Promise<ToldPhases> {
  try {
    const found = await scanLog(logFile, growth, new CheckpointLines(phaseLines));
    if (found.problem !== null) return without(found.problem);
    if (found.told.length > 0 && growth.problem !== null) return without(growth.problem);
    const marks = found.told.map(({ phase, place }) => within({ ...growth.when(place), phase }, window));
    return { marks, problem: null };
  } catch (thrown) {
    return without(`its output could not be read: ${messageOf(thrown)}`);
  }
}
