import { existsSync } from 'node:fs';
import { analyzeStore } from '../../../analysis/analyze.ts';
import type { TraceChoice } from '../../../contracts/tracers.ts';
import { InputError, messageOf, withoutFullStop } from '../../../errors.ts';
import type { Experiment } from '../../../experiment/experiment.ts';
import type { Findings } from '../../../findings/findings.ts';
import type { ExtraRuns } from '../../../measure/extra-runs.ts';
import { withStore } from '../../../store/reader.ts';
import { resultPath } from '../../../system/result-files.ts';
import { observe } from './observe.ts';

/** Options in addition to the experiment file. */
export interface ExplainOptions {
  /** Runs of every variant; absent: five. */
  readonly rounds?: number | undefined;
  /** Tracers; absent: those of the experiment file. */
  readonly trace?: TraceChoice | undefined;
}

/** The extra runs of this part. */
export const explaining = ({ rounds, trace }: ExplainOptions = {}): ExtraRuns => ({
  areAsked: asksToObserve,
  perform: (request) => observe({ ...request, rounds, trace: trace ?? request.experiment.trace }),
  failureText,
});

export const nothingToExplain = (outDir: string): InputError =>
  new InputError(`There is no experiment.db in ${outDir}, so there is nothing to explain.`, {
    advice: 'Measure first: joulediff run. --out names the folder of its result.',
  });

/** Throws InputError if runs of the result in this folder can't be observed. */
export function checkExplainable({ host, client, suite }: Experiment, outDir: string): void {
  if (!existsSync(resultPath(outDir, 'database'))) throw nothingToExplain(outDir);
  if (suite !== undefined) {
    throw new InputError('A suite can’t be explained: its benchmarks are not compared with each other.', {
      advice: 'Give an experiment file with one of its benchmarks as the workload.',
    });
  }
  if (host !== undefined) {
    throw new InputError(`Runs on ${host} can't be observed: that is for the machine that joulediff runs on.`);
  }
  if (client !== undefined) {
    throw new InputError(
      `Runs with a client on ${client.address} can't be observed: that is for clients on the machine that joulediff runs on.`,
    );
  }
}

/** Whether the experiment file asks for extra runs, given all blocks. */
function asksToObserve({ explain }: Experiment, database: string): boolean {
  if (explain === undefined) return false;
  return (
    explain === 'always' ||
    withStore(database, (reader) => hasChanged(analyzeStore(reader).findings, reader.channels()[0]?.channel))
  );
}

/** Whether a change on the primary channel is shown. */
const hasChanged = ({ comparisons }: Findings, primary: string | undefined): boolean =>
  comparisons.some(
    ({ channel, verdict }) =>
      channel === primary && ['increase', 'decrease', 'changed-within-margin'].includes(verdict),
  );

/** Message if extra runs that the file asks for fail. */
const failureText = (thrown: unknown): string =>
  `The extra runs could not be observed: ${withoutFullStop(messageOf(thrown))}. The measured result is complete without them; \`joulediff explain\` tries again.`;
