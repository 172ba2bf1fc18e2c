import { setFlagsFromString } from 'node:v8';
import { analyzeStore, type Explaining } from '../analysis/analyze.ts';
import type { Analysis } from '../analysis/results.ts';
import type { ExtraRuns } from '../measure/extra-runs.ts';
import { type MeasureRequest, measure } from '../measure/measure.ts';
import type { ReportPart } from '../report/part.ts';
import { type ReportTexts, writeReport } from '../report/write.ts';
import { openStore } from '../store/reader.ts';
import { resultPath } from '../system/result-files.ts';

/** What an optional part adds to the way from measuring to a report: extra runs, what they explain, and files that show it. */
export interface RunPart {
  readonly extraRuns: ExtraRuns;
  readonly explain: Explaining;
  readonly report: ReportPart;
}

export interface RunRequest extends MeasureRequest {
  /** Absent: this build has no part that adds anything. */
  readonly part?: RunPart | undefined;
  /** Called with the analysis before anything of the report is drawn and written, which takes seconds. */
  readonly onAnalyzed?: ((analysis: Analysis) => void) | undefined;
}

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
export async function runExperiment({ part, onAnalyzed, ...request }: RunRequest): Promise<ExperimentResult> {
  const { outDir } = request;
  let reported: Reported | null = null;
  let error: unknown = null;
  let reportError: unknown = null;
  const report = async (database: string): Promise<void> => {
    try {
      reported = await reportOn(database, outDir, part, onAnalyzed);
    } catch (thrown) {
      reportError = thrown;
    }
  };
  const path = resultPath(outDir, 'database');
  try {
    await measure({ extraRuns: part?.extraRuns, ...request, onMeasured: report });
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
export async function reportOn(
  path: string,
  outDir: string,
  part?: RunPart,
  onAnalyzed?: (analysis: Analysis) => void,
): Promise<Reported> {
  // The programs in dist/ keep V8's young generation small while runs are measured. Drawing a report would take a third longer with that.
  setFlagsFromString('--semi-space-growth-factor=2');
  using reader = openStore(path);
  const analysis = analyzeStore(reader, part?.explain);
  onAnalyzed?.(analysis);
  const texts = await writeReport(analysis, outDir, { reader, part: part?.report });
  return { analysis, texts };
}
