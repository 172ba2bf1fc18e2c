import type { Analysis } from '../../analysis/results.ts';
import { analysisPerExecution } from '../per-execution.ts';
import type { Theme } from './canvas/theme.ts';
import type { ChartSpec } from './chart.ts';
import { driftChart } from './drift/drift.ts';
import { energyTimeChart } from './energy-time/energy-time.ts';
import { metricAgainstMetric } from './factors/against.ts';
import { factorsChart } from './factors/factors.ts';
import { metricsChart } from './factors/metrics.ts';
import { hexagonChart } from './hexagons/hexagons.ts';
import { powerChart } from './power/power.ts';
import { quantileChart } from './quantiles/quantiles.ts';
import { resourcesChart } from './resources/resources.ts';
import { forestChart } from './rows/change.ts';
import { channelsChart } from './rows/channels.ts';
import { phasesChart } from './rows/phases.ts';
import { durationChart, violinChart } from './violin/violin.ts';

type MakeChart = (analysis: Analysis, theme: Theme) => ChartSpec | null;

/** Every chart by its id, in the order of the report. They run in Node.js and in a browser, so no code here reads files. */
const CHARTS: Readonly<Record<string, MakeChart>> = {
  'energy-change': forestChart,
  'energy-by-factors': factorsChart,
  'printed-metrics': metricsChart,
  'metric-against-metric': metricAgainstMetric,
  'energy-violin': violinChart,
  'duration-violin': durationChart,
  'power-over-time': powerChart,
  'power-hexagons': hexagonChart,
  phases: phasesChart,
  'energy-against-time': energyTimeChart,
  'energy-over-runs': driftChart,
  'energy-quantiles': quantileChart,
  channels: channelsChart,
  resources: resourcesChart,
};

/** The ids of all charts that there may be. */
export const CHART_IDS: readonly string[] = Object.keys(CHARTS);

/** One chart; null: there is no such id, or the data don't allow it. */
export function chartSpec(id: string, analysis: Analysis, theme: Theme): ChartSpec | null {
  return CHARTS[id]?.(analysisPerExecution(analysis), theme) ?? null;
}
