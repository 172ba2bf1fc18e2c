import type { Analysis } from '../../analysis/findings.ts';
import { chartSpecs } from './charts.ts';
import { renderPng } from './png.ts';
import { renderSvg } from './svg.ts';
import { paper } from './theme.ts';

export interface ChartFile {
  /** `energy-violin.svg`. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** Every chart that these data allow, as SVG and as PNG of double resolution, on white. */
export async function chartFiles(analysis: Analysis): Promise<ChartFile[]> {
  const files: ChartFile[] = [];
  for (const spec of chartSpecs(analysis, paper)) {
    const svg = renderSvg(spec, paper);
    files.push({ name: `${spec.id}.svg`, content: svg }, { name: `${spec.id}.png`, content: await renderPng(svg) });
  }
  return files;
}
