import type { Analysis } from '../../analysis/results.ts';
import { renderPng } from './canvas/png.ts';
import { paper } from './canvas/theme.ts';
import { CHART_IDS } from './charts.ts';
import { drawCharts } from './draw.ts';

export interface ChartFile {
  /** `energy-violin.svg`. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** Names of all the files that an earlier report may have left. */
export const CHART_FILES: readonly string[] = CHART_IDS.flatMap((id) => [`${id}.svg`, `${id}.png`]);

/** Every chart that these data allow, as SVG and as PNG of double resolution, on white; the report says which could not be drawn. */
export async function chartFiles(analysis: Analysis): Promise<ChartFile[]> {
  const files: ChartFile[] = [];
  for (const chart of drawCharts(analysis, paper)) {
    if ('error' in chart) continue;
    const { id, svg } = chart;
    files.push({ name: `${id}.svg`, content: svg }, { name: `${id}.png`, content: await renderPng(svg) });
  }
  return files;
}
