import { InputError, MeasureError } from '../errors.ts';
import { noiseExperiment } from '../experiment/noise.ts';
import type { Check } from '../findings/checks.ts';
import { writeNoiseFloor } from '../measure/noise-floor-file.ts';
import { failedChecks } from '../report/verdict.ts';
import { MIN_BLOCKS } from '../stats/signed-rank.ts';
import { withStore } from '../store/reader.ts';
import { type ExperimentResult, type RunRequest, runExperiment } from './run.ts';

export interface NoiseResult {
  readonly result: ExperimentResult;
  /** Where the floor is kept for later experiments; null: it was not found, and `error` tells why. */
  readonly path: string | null;
  readonly error: unknown;
}

/**
 * The A/A experiment of the baseline of `request.experiment`: measured, analyzed, reported, and its noise floor kept for later experiments
 * of the same workload, machine and meter. Throws InputError when there are too few blocks for one, or when nothing could be begun.
 */
export async function measureNoise(request: RunRequest): Promise<NoiseResult> {
  const experiment = noiseExperiment(request.experiment);
  if (experiment.repetitions < MIN_BLOCKS) {
    throw new InputError(
      `repetitions: ${experiment.repetitions} was given; a noise floor needs at least ${MIN_BLOCKS} blocks, and 30 are good.`,
    );
  }
  const result = await runExperiment({ ...request, experiment });
  const floor = result.analysis?.findings.quality.noise_floor ?? null;
  const failed = result.analysis ? failedChecks(result.analysis.findings) : [];
  // An incomplete plan is no result to build on, and neither is one that can't be trusted.
  if (!result.complete || floor === null || failed.length > 0)
    return { result, path: null, error: result.error ?? unknownFloor(failed) };
  const { percent, ci95, blocks, measured_at: measuredAt } = floor;
  // Only a CSV does not tell when it was.
  if (measuredAt === null) return { result, path: null, error: unknownFloor([]) };
  const primary = withStore(result.databasePath, (reader) => reader.channels())[0];
  if (!primary) throw new Error('the experiment has no channel');
  const path = await writeNoiseFloor(experiment, primary.meter, { percent, ci95, blocks, measuredAt });
  return { result, path, error: null };
}

function unknownFloor(failed: readonly Check[]): MeasureError {
  const message =
    failed.length === 0
      ? 'No noise floor could be computed from the two arms of the baseline.'
      : `The noise floor can't be trusted and is not kept, because of failed checks: ${[...new Set(failed.map(({ name }) => name))].join(', ')}.`;
  return new MeasureError(message, { advice: 'The checks in the report say why.' });
}
