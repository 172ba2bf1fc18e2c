import type { Analysis } from '../../analysis/findings.ts';
import type { ChartSpec } from './chart.ts';
import { powerChart } from './power.ts';
import type { Theme } from './theme.ts';
import { violinChart } from './violin.ts';

/** Every chart, in the order of the report. They run in Node.js and in the reader's browser: nothing here reads a file. */
const CHARTS: readonly ((analysis: Analysis, theme: Theme) => ChartSpec | null)[] = [violinChart, powerChart];

/** Every chart that these data allow. */
export function chartSpecs(analysis: Analysis, theme: Theme): ChartSpec[] {
  return CHARTS.map((chart) => chart(analysis, theme)).filter((spec) => spec !== null);
}
