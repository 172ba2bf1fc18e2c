import { existsSync } from 'node:fs';
import { analyzeStore } from '../analysis/analyze.ts';
import type { Analysis } from '../analysis/results.ts';
import { type MeasureRequest, measure } from '../measure/measure.ts';
import { databasePath } from '../measure/output-folder.ts';
import { writeReport } from '../report/write.ts';
import { openStore } from '../store/reader.ts';

export interface ExperimentResult {
  readonly outDir: string;
  readonly databasePath: string;
  /** Null: nothing was measured. */
  readonly analysis: Analysis | null;
  /** Why the experiment ended early; null: it is through. */
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
  const path = databasePath(request.outDir);
  let analysis: Analysis | null = null;
  try {
    // An earlier result may still be there when this experiment could not even begin.
    if (existsSync(path) && (error === null || holds(path, id))) analysis = await reportOn(path, request.outDir);
  } catch (thrown) {
    error ??= thrown;
  }
  const complete = error === null && analysis !== null && analysis.findings.experiment.complete;
  return { outDir: request.outDir, databasePath: path, analysis, error, complete };
}

/** Analyzes an experiment.db and writes everything of a result beside it. */
export async function reportOn(path: string, outDir: string): Promise<Analysis> {
  const reader = openStore(path);
  try {
    const analysis = analyzeStore(reader);
    await writeReport(analysis, outDir, { reader });
    return analysis;
  } finally {
    reader.close();
  }
}

function holds(path: string, id: string | null): boolean {
  const reader = openStore(path);
  try {
    return reader.experiment().id === id;
  } finally {
    reader.close();
  }
}
