import { analyzeStore } from '../analysis/analyze.ts';
import type { Analysis } from '../analysis/results.ts';
import { type MeasureRequest, measure } from '../measure/measure.ts';
import { type ReportTexts, writeReport } from '../report/write.ts';
import { openStore } from '../store/reader.ts';
import { resultPath } from '../system/result-files.ts';

export interface ExperimentResult {
  readonly outDir: string;
  readonly databasePath: string;
  /** Null: nothing was measured. */
  readonly analysis: Analysis | null;
  /** The texts of its report; null: there is none. */
  readonly texts: ReportTexts | null;
  /** Why the experiment ended early; null: it is complete. */
  readonly error: unknown;
  readonly complete: boolean;
}

/** The whole way: measure, analyze, report. What ends it early is in the result, beside what was measured until then. */
export async function runExperiment(request: MeasureRequest): Promise<ExperimentResult> {
  const { outDir } = request;
  let reported: Reported | null = null;
  let error: unknown = null;
  let reportError: unknown = null;
  const report = async (database: string): Promise<void> => {
    try {
      reported = await reportOn(database, outDir);
    } catch (thrown) {
      reportError = thrown;
    }
  };
  const path = resultPath(outDir, 'database');
  try {
    await measure({ ...request, onMeasured: report });
    // Nothing was left to measure.
    if (reported === null && reportError === null) await report(path);
  } catch (thrown) {
    error = thrown;
  }
  error ??= reportError;
  const { analysis, texts } = (reported as Reported | null) ?? { analysis: null, texts: null };
  const complete = error === null && analysis !== null && analysis.findings.experiment.complete;
  return { outDir, databasePath: path, analysis, texts, error, complete };
}

interface Reported {
  readonly analysis: Analysis;
  readonly texts: ReportTexts;
}

/** Analyzes an experiment.db and writes everything of a result but that into a folder. */
export async function reportOn(path: string, outDir: string): Promise<Reported> {
  using reader = openStore(path);
  const analysis = analyzeStore(reader);
  const texts = await writeReport(analysis, outDir, { reader });
  return { analysis, texts };
}
