import type { RunPart } from '../../run/run.ts';
import { computeExplanation } from './analysis/of-store.ts';
import { explaining } from './measure/explaining.ts';

export const run: RunPart = {
  extraRuns: explaining(),
  explain: computeExplanation,
  // Chart code is loaded only when a report is written.
  report: async (analysis) => (await import('./report/report.ts')).addToReport(analysis),
};
