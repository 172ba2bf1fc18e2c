import { relative } from 'node:path';
import type { Analysis } from '../analysis/results.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { ExtraRuns } from '../measure/extra-runs.ts';
import { terminalReport } from '../report/terminal.ts';
import { runExperiment } from '../run/run.ts';
import { resultPath } from '../system/result-files.ts';
import { terminalProgress } from './progress.ts';
import { stopSignal } from './stop.ts';
import { exitCodeOf, runPart, type Terminal, useColour } from './terminal.ts';

interface Request {
  readonly experiment: Experiment;
  readonly outDir: string;
  readonly resume: boolean;
  readonly overwrite: boolean;
  /** Extra runs that were asked for with options; absent: those that the part makes by itself. */
  readonly extraRuns?: ExtraRuns;
  /** Nothing is measured: they are added to what is there. */
  readonly onlyExtraRuns?: boolean;
}

/** Measures, analyzes, reports, and shows the result, which it gives; null: there is none. Throws what ended it early, after showing what there is. */
export async function runToEnd(terminal: Terminal, { experiment, ...request }: Request): Promise<Analysis | null> {
  const { stdout, stderr } = terminal;
  const { outDir } = request;
  const signal = stopSignal({ stderr }, true);
  const progress = terminalProgress(stderr);
  const result = await runExperiment({ ...request, experiment, signal, progress, part: await runPart(terminal) });
  if (result.analysis) {
    stdout.write(terminalReport(result.analysis, { colour: useColour(stdout) }));
    stdout.write(
      `\nThe results are in ${relative('.', outDir) || '.'}:\nreport.html, comment.md, findings.json, experiment.db, …\n`,
    );
    if (result.texts?.confirm) stdout.write(confirmHint(resultPath(relative('.', outDir) || '.', 'confirm')));
    terminal.exitCode = exitCodeOf(result.analysis.findings);
  }
  if (result.complete && experiment.history) {
    for (const { historyHint } of terminal.parts) {
      if (historyHint) stdout.write(await historyHint(experiment.history, result.databasePath));
    }
  }
  if (result.error !== null) throw result.error;
  return result.analysis;
}

/** What a difference goes with need not be its cause. */
const confirmHint = (path: string): string =>
  `\nIs that the cause? ${path} is a ready experiment that changes this one ingredient.\nRead it, then: joulediff run ${path}\n`;
