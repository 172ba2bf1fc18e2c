import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Analysis } from '../analysis/results.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { ExtraRuns } from '../measure/extra-runs.ts';
import type { Progress } from '../measure/progress.ts';
import { copiedWord } from '../report/escape.ts';
import { findingsJson } from '../report/findings-json.ts';
import { terminalReport } from '../report/terminal.ts';
import { runExperiment } from '../run/run.ts';
import { refuseManyEarlier } from '../system/output-folder.ts';
import { resultPath } from '../system/result-files.ts';
import { terminalProgress } from './progress.ts';
import { stopSignal } from './stop.ts';
import { exitCodeOf, runPart, type Terminal, useColor } from './terminal.ts';
import { printVerdictLines } from './verdict-line.ts';

interface Request {
  readonly experiment: Experiment;
  readonly outDir: string;
  readonly resume: boolean;
  readonly overwrite: boolean;
  /** Whether only the findings are printed, as JSON. */
  readonly json: boolean;
  /** Absent: signals to the process stop it. */
  readonly signal?: AbortSignal;
  /** Extra runs that options ask for; absent: those that the part decides on. */
  readonly extraRuns?: ExtraRuns;
  /** True: nothing is measured but extra runs for an existing result. */
  readonly onlyExtraRuns?: boolean;
}

/** Measures, analyzes and reports, then shows and returns the result; null: there is none. Throws early errors after showing a partial result. */
export async function runToEnd(
  terminal: Terminal,
  { experiment, outDir, json, signal = stopSignal(terminal, true), ...request }: Request,
): Promise<Analysis | null> {
  const { stdout, stderr } = terminal;
  if (!request.resume && !request.overwrite) refuseManyEarlier(outDir);
  const progress = terminalProgress(stderr);
  const onAnalyzed = json ? undefined : reportPrinter(terminal, progress);
  const part = await runPart(terminal);
  const result = await runExperiment({ ...request, experiment, outDir, signal, progress, part, onAnalyzed });
  if (result.analysis) {
    const { findings } = result.analysis;
    terminal.exitCode = exitCodeOf(findings);
    if (json) stdout.write(findingsJson(findings));
    else {
      const folder = relative('.', outDir) || '.';
      stdout.write(`\nReport: ${pathToFileURL(join(outDir, 'report.html')).href}\nEverything else: ${folder}\n`);
      if (result.texts?.confirm) stdout.write(confirmHint(folder));
      const history = result.complete ? experiment.history : undefined;
      for (const { historyHint } of terminal.parts) {
        if (history && historyHint) stdout.write(await historyHint(history, result.databasePath));
      }
      printVerdictLines(terminal, findings);
    }
  }
  if (result.error !== null) throw result.error;
  return result.analysis;
}

/** Gives a callback that prints the report of an analysis in place of the progress line. */
export const reportPrinter =
  ({ stdout }: Terminal, progress: Progress) =>
  (analysis: Analysis): void => {
    progress.end();
    stdout.write(terminalReport(analysis, { color: useColor(stdout) }));
  };

/** Hint to confirm the explanation in a result's folder: what changes together with the energy need not be the cause. */
function confirmHint(folder: string): string {
  const path = copiedWord(resultPath(folder, 'confirm'));
  const out = folder === '.' ? '../joulediff-confirm' : copiedWord(`${folder}-confirm`);
  return `\nIs that the cause? ${path} is a ready experiment that changes this one ingredient.\nRead it, then: joulediff run ${path} --out ${out}\n`;
}
