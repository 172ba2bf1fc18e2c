import * as core from '@actions/core';
import { actionLog } from './action/action-log.ts';
import { readCollectInputs, readMode } from './action/collect-inputs.ts';
import { type ActionInputs, experimentOf, readInputs } from './action/inputs.ts';
import { Stopped } from './errors.ts';
import type { HistorySetting } from './experiment/experiment.ts';
import { errorText } from './forge/error-note.ts';
import { publish } from './forge/publish.ts';
import { withholdSecrets } from './forge/secrets.ts';
import { logLine } from './forge/untrusted.ts';
import { failing } from './report/threshold-words.ts';
import { type ExperimentResult, runExperiment } from './run/run.ts';

/** The action: inputs, one experiment or the results of several, shown on the forge. Never throws; what fails the step is said in the log. */
export async function run(): Promise<void> {
  const controller = new AbortController();
  const stopListening = abortOnSignal(controller);
  try {
    await act(controller.signal);
  } catch (error) {
    core.setFailed(errorText(error));
  } finally {
    stopListening();
  }
}

async function act(signal: AbortSignal): Promise<void> {
  const { token, restore } = withholdSecrets(process.env);
  const get = (name: string) => core.getInput(name);
  const mode = readMode(get);
  if (mode === 'measure') {
    await measureAndPublish(readInputs(get), token, restore, signal);
    return;
  }
  const inputs = { ...readCollectInputs(get, mode), token, directory: process.cwd() };
  if (mode === 'publish') {
    const { publishRun } = await import('./forge/publish-run.ts');
    await publishRun(inputs, process.env);
  } else {
    const { gather } = await import('./forge/gather.ts');
    await gather(inputs, process.env);
  }
}

async function measureAndPublish(
  inputs: ActionInputs,
  token: string,
  restore: () => void,
  signal: AbortSignal,
): Promise<void> {
  const experiment = await experimentOf(inputs.experiment);
  const result = await runExperiment({
    experiment,
    outDir: inputs.outDir,
    resume: false,
    signal,
    progress: actionLog(),
    onExperimentId: (id) => core.saveState('experiment', id),
  });
  // Still without the runner's own tokens in the environment: git is started with it.
  if (experiment.history !== undefined) await keep(experiment.history, result, token, signal);
  restore();
  const { unfinished } = await publish({ ...result, cancelled: signal.aborted }, { ...inputs, token }, process.env);
  if (result.error !== null) {
    core.setFailed(errorText(result.error));
  } else if (result.analysis !== null && failing(result.analysis.findings).length > 0) {
    // Each threshold is an error in the log already.
    process.exitCode = core.ExitCode.Failure;
  }
  if (unfinished) {
    // Fires only while an upload that was given up holds the process open.
    setTimeout(() => process.exit(), 1000).unref();
  }
}

/** Before publishing, so that the trend page is in the artifact. */
async function keep(
  setting: HistorySetting,
  { analysis, complete, outDir }: ExperimentResult,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const { keepHistory } = await import('./action/keep-history.ts');
  const log = { info: (line: string) => core.info(logLine(line)), warn: (line: string) => core.warning(line) };
  const findings = analysis?.findings ?? null;
  await keepHistory({ setting, findings, ended: !complete, outDir, token }, process.env, log);
}

/** The runner sends SIGINT, 7.5 s later SIGTERM, and kills after 2.5 s more; only the first counts here. */
function abortOnSignal(controller: AbortController): () => void {
  const onInterrupt = () => controller.abort(new Stopped('SIGINT'));
  const onTerminate = () => controller.abort(new Stopped('SIGTERM'));
  process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate);
  return () => {
    process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
  };
}
