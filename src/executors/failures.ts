import type { Execution } from '../contracts/execution.ts';
import type { VariantBase } from '../contracts/variant.ts';
import { MeasureError } from '../errors.ts';
import { limitText } from '../processes/limits.ts';
import type { Stage } from './environment.ts';
import { quoteTail } from './output-tail.ts';

/** The place went away, which is not the workload's doing: the run is repeated when the place is back. */
export class PlaceLostError extends MeasureError {}

/** The place has no shell, and the command needs one. */
export class NoShellError extends MeasureError {}

/** The command runs on the host: the variant has no place in which one could be started. */
export class NoPlaceError extends MeasureError {}

/** Whether a command ended, and ended well. */
export const isGood = ({ exitCode, timedOut, limit }: Execution): boolean =>
  exitCode === 0 && !timedOut && limit === null;

/** Subject of sentences about a variant's command of this stage. */
export function formatSubject(variant: Pick<VariantBase, 'name'>, stage: Stage): string {
  return `The ${stage} command of variant ${JSON.stringify(variant.name)}`;
}

/** Error of a `prepare` or `cleanup` command that ran and failed, with the end of its output. */
export function stageFailure(variant: Pick<VariantBase, 'name'>, stage: Stage, execution: Execution): MeasureError {
  const how = execution.timedOut
    ? 'at its timeout'
    : execution.signal === null
      ? `with exit code ${execution.exitCode}`
      : `by signal ${execution.signal}`;
  const why = execution.limit === null ? '' : `: ${limitText(execution.limit)}`;
  return new MeasureError(`${formatSubject(variant, stage)} ended ${how}${why}.${quoteTail(execution.outputTail)}`);
}
