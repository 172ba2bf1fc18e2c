import type { Analysis } from '../../analysis/results.ts';
import { channelsChart } from './channels.ts';
import type { ChartSpec } from './chart.ts';
import { driftChart } from './drift.ts';
import { energyTimeChart } from './energy-time.ts';
import { forestChart } from './forest.ts';
import { hexagonChart } from './hexagons.ts';
import { phasesChart } from './phases.ts';
import { powerChart } from './power.ts';
import { quantileChart } from './quantile-plot.ts';
import { resourcesChart } from './resources.ts';
import type { Theme } from './theme.ts';
import { durationChart, violinChart } from './violin.ts';

type MakeChart = (analysis: Analysis, theme: Theme) => ChartSpec | null;

/** Every chart by its id, in the order of the report. They run in Node.js and in the reader's browser: nothing here reads a file. */
const CHARTS: Readonly<Record<string, MakeChart>> = {
  'energy-change': forestChart,
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

/** Of every chart that there may be. */
export const CHART_IDS: readonly string[] = Object.keys(CHARTS);

/** Every chart that these data allow. */
export function chartSpecs(analysis: Analysis, theme: Theme): ChartSpec[] {
  return Object.values(CHARTS)
    .map((make) => make(analysis, theme))
    .filter((spec) => spec !== null);
}

/** One chart; null: there is none of this id, or these data don't allow it. */
export function chartSpec(id: string, analysis: Analysis, theme: Theme): ChartSpec | null {
  return CHARTS[id]?.(analysis, theme) ?? null;
}
