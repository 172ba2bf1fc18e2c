import { existsSync } from 'node:fs';
import { analyzeStore } from '../analysis/analyze.ts';
import type { Analysis } from '../analysis/results.ts';
import { type MeasureRequest, measure } from '../measure/measure.ts';
import { writeReport } from '../report/write.ts';
import { openStore, withStore } from '../store/reader.ts';
import { resultPath } from '../system/result-files.ts';

export interface ExperimentResult {
  readonly outDir: string;
  readonly databasePath: string;
  /** Null: nothing was measured. */
  readonly analysis: Analysis | null;
  /** Why the experiment ended early; null: it is complete. */
  readonly error: unknown;
  readonly complete: boolean;
}

/** The whole way: measure, analyze, report. What ends it early is in the result, beside what was measured until then. */
export async function runExperiment(request: MeasureRequest): Promise<ExperimentResult> {
  let id: string | null = null;
  let error: unknown = null;
  try {
    await measure({
      ...request,
      onExperimentId: (given) => {
        id = given;
        request.onExperimentId?.(given);
      },
    });
  } catch (thrown) {
    error = thrown;
  }
  const path = resultPath(request.outDir, 'database');
  let analysis: Analysis | null = null;
  try {
    // An earlier result may still be there when this experiment could not even begin.
    if (existsSync(path) && (error === null || withStore(path, (reader) => reader.experiment().id) === id)) {
      analysis = await reportOn(path, request.outDir);
    }
  } catch (thrown) {
    error ??= thrown;
  }
  const complete = error === null && analysis !== null && analysis.findings.experiment.complete;
  return { outDir: request.outDir, databasePath: path, analysis, error, complete };
}

/** Analyzes an experiment.db and writes everything of a result beside it. */
export async function reportOn(path: string, outDir: string): Promise<Analysis> {
  using reader = openStore(path);
  const analysis = analyzeStore(reader);
  await writeReport(analysis, outDir, { reader });
  return analysis;
}
