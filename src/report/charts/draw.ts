import type { Analysis } from '../../analysis/results.ts';
import { renderSvg } from './canvas/svg.ts';
import type { Theme } from './canvas/theme.ts';
import type { ChartSpec } from './chart.ts';
import { CHART_IDS, chartSpec } from './charts.ts';

export interface DrawnChart {
  readonly id: string;
  readonly spec: ChartSpec;
  readonly svg: string;
}

/** These data allow the chart, and drawing it failed. */
export interface FailedChart {
  readonly id: string;
  readonly error: unknown;
}

/** Every chart that these data allow, as SVG. One that can't be drawn costs its own place and not the report. */
export function drawCharts(
  analysis: Analysis,
  theme: Theme,
  make: typeof chartSpec = chartSpec,
): (DrawnChart | FailedChart)[] {
  return CHART_IDS.flatMap((id): (DrawnChart | FailedChart)[] => {
    try {
      const spec = make(id, analysis, theme);
      return spec === null ? [] : [{ id, spec, svg: renderSvg(spec, theme) }];
    } catch (error) {
      return [{ id, error }];
    }
  });
}
