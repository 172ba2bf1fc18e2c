import type { Analysis } from '../../analysis/findings.ts';
import { type ChartSpec, renderSvg } from './chart.ts';
import { renderPng } from './png.ts';
import { powerChart } from './power.ts';
import { page, paper, type Theme } from './theme.ts';
import { violinChart } from './violin.ts';

export interface ChartFile {
  /** `energy-violin.svg`. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

export interface ChartPicture {
  readonly id: string;
  readonly title: string;
  readonly svg: string;
}

function specs(analysis: Analysis, theme: Theme): ChartSpec[] {
  return [violinChart(analysis, theme), powerChart(analysis, theme)].filter((spec) => spec !== null);
}

/** Every chart that these data allow, as SVG and as PNG of double resolution, on white. */
export async function chartFiles(analysis: Analysis): Promise<ChartFile[]> {
  const files: ChartFile[] = [];
  for (const spec of specs(analysis, paper)) {
    const svg = renderSvg(spec, paper);
    files.push({ name: `${spec.id}.svg`, content: svg }, { name: `${spec.id}.png`, content: await renderPng(svg) });
  }
  return files;
}

/** The same charts for a page that sets --ink, --muted, --grid and --warning. */
export function pageCharts(analysis: Analysis): ChartPicture[] {
  return specs(analysis, page).map((spec) => ({ id: spec.id, title: spec.title, svg: renderSvg(spec, page) }));
}
