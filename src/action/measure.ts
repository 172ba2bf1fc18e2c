import { ExitCode, saveState } from '@actions/core';
import type { Env } from '../forge/event.ts';
import { failing } from '../report/verdict.ts';
import { type RunPart, runExperiment } from '../run/run.ts';
import { stopOnSignals } from '../system/stop.ts';
import { cameBy } from '../text/way-in.ts';
import { errorText } from './error-text.ts';
import { experimentOf } from './given-experiment.ts';
import type { ActionInputs } from './inputs.ts';
import { log, logProgress } from './log.ts';
import type { ActionPart } from './part.ts';
import { isUnreported } from './result-texts.ts';
import { showResult } from './show-result.ts';

interface Surroundings {
  readonly env: Env;
  /** Functions of optional parts that store an experiment with a history. */
  readonly keep: readonly NonNullable<ActionPart['keep']>[];
  readonly check: readonly NonNullable<ActionPart['check']>[];
  /** Steps that an optional part adds to the experiment. */
  readonly part: RunPart | undefined;
}

/**
 * `mode: measure`: runs the experiment, shows its result, and fails the step if the experiment failed or a threshold is crossed. `restore` puts the
 * runner's credentials back into the environment, once no process is started any more that would inherit them. Throws InputError.
 */
export async function measureAndShow(
  inputs: ActionInputs,
  restore: () => void,
  { env, keep, check, part }: Surroundings,
): Promise<void> {
  // The runner sends SIGINT, 7.5 s later SIGTERM, and kills after 2.5 s more; only the first counts here.
  using stop = stopOnSignals();
  const { signal } = stop;
  cameBy({ keys: inputs.experiment.kind === 'inline' ? 'inputs' : 'file' });
  const experiment = await experimentOf(inputs.experiment);
  const checks = await Promise.all(inputs.check ? check.map((one) => one(inputs, env)) : []);
  if (checks.length > 0) saveState('checking', 'true');
  for (const one of checks) await one.begin();
  const result = await runExperiment({
    experiment,
    outDir: inputs.outDir,
    resume: false,
    signal,
    progress: logProgress(checks),
    part,
    onExperimentId: (id) => saveState('experiment', id),
  });
  // A cancelled job reports the cancellation, whatever error it caused.
  const error = signal.aborted && result.error !== null ? signal.reason : result.error;
  // Before uploading, so that the artifact includes the trend page; this starts git.
  if (experiment.history !== undefined && !signal.aborted) {
    for (const one of keep) await one({ ...result, setting: experiment.history, token: inputs.token }, env);
  }
  restore();
  const { unfinished, markdown } = await showResult({ ...result, error }, inputs, env);
  for (const one of checks) await one.end({ ...result, markdown: markdown ?? '', isCancelled: signal.aborted });
  if (checks.length > 0) saveState('checking', '');
  // If no comment shows this result, the post step marks that of an older commit.
  if (!isUnreported({ ...result, error })) saveState('shown', 'true');
  if (error !== null) {
    log.fail(errorText(error));
  } else if (result.analysis !== null && failing(result.analysis.findings).length > 0) {
    // Each threshold is an error in the log already.
    process.exitCode = ExitCode.Failure;
  }
  if (unfinished) {
    // Only fires while an abandoned upload keeps the process alive.
    setTimeout(() => process.exit(), 1000).unref();
  }
}
