import type { Analysis } from '../../analysis/results.ts';
import { renderPng } from './canvas/png.ts';
import { renderSvg } from './canvas/svg.ts';
import { paper } from './canvas/theme.ts';
import { CHART_IDS, chartSpecs } from './charts.ts';

export interface ChartFile {
  /** `energy-violin.svg`. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** Names of all the files that an earlier report may have left. */
export const CHART_FILES: readonly string[] = CHART_IDS.flatMap((id) => [`${id}.svg`, `${id}.png`]);

/** Every chart that these data allow, as SVG and as PNG of double resolution, on white. */
export async function chartFiles(analysis: Analysis): Promise<ChartFile[]> {
  const files: ChartFile[] = [];
  for (const spec of chartSpecs(analysis, paper)) {
    const svg = renderSvg(spec, paper);
    files.push({ name: `${spec.id}.svg`, content: svg }, { name: `${spec.id}.png`, content: await renderPng(svg) });
  }
  return files;
}
