import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { Analysis } from '../../analysis/results.ts';
import { readFont, readRenderer } from './canvas/assets.ts';
import { renderPdf } from './canvas/pdf.ts';
import { encodePng } from './canvas/png.ts';
import { renderSvg } from './canvas/svg.ts';
import { FAMILY, paper, type Theme } from './canvas/theme.ts';
import type { ChartSpec } from './chart.ts';
import { CHART_IDS, chartSpec } from './charts.ts';

export interface DrawnChart {
  readonly id: string;
  readonly spec: ChartSpec;
  readonly svg: string;
}

/** A chart that the data allow but that could not be drawn. */
export interface FailedChart {
  readonly id: string;
  readonly error: unknown;
}

/** All charts that the data allow, as SVG. A chart that can't be drawn is omitted, and the report is still made. */
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

export interface ChartFile {
  /** File name, such as `energy-violin.svg`. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** Names of all chart files that an earlier report may have written. */
export const CHART_FILES: readonly string[] = CHART_IDS.flatMap((id) => [`${id}.svg`, `${id}.png`, `${id}.pdf`]);

/** Every chart that these data allow, as SVG, as PNG of double resolution and as PDF, on white; the report says which could not be drawn. */
export async function chartFiles(analysis: Analysis): Promise<ChartFile[]> {
  const files: ChartFile[] = [];
  for (const chart of drawCharts(analysis, paper)) {
    if ('error' in chart) continue;
    const { id, svg } = chart;
    const png = { name: `${id}.png`, content: await renderPng(svg) };
    files.push({ name: `${id}.svg`, content: svg }, png, { name: `${id}.pdf`, content: renderPdf(svg) });
  }
  return files;
}

/** One chart on white, as a file of this name: PNG where it ends so, else SVG. */
export async function chartFile(spec: ChartSpec, name: string): Promise<string | Uint8Array> {
  const svg = renderSvg(spec, paper);
  return name.endsWith('.png') ? renderPng(svg) : svg;
}

/** WebAssembly exists in Node.js, but not in its types. */
const { Module } = Reflect.get(globalThis, 'WebAssembly') as { Module: new (code: Uint8Array) => WebAssembly.Module };

let ready: Promise<void> | null = null;

/** An SVG document as PNG, `scale` pixels per CSS pixel, with our own fonts only: the same picture on every machine. */
export async function renderPng(svg: string, scale = 2): Promise<Uint8Array> {
  // Compiled synchronously: asynchronous compilation does not keep the process alive, which could end before the pictures are made.
  ready ??= initWasm(new Module(readRenderer()));
  await ready;
  const resvg = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: scale },
    font: {
      fontBuffers: [readFont('regular'), readFont('bold')],
      defaultFontFamily: FAMILY,
      sansSerifFamily: FAMILY,
      loadSystemFonts: false,
    },
  });
  try {
    const image = resvg.render();
    try {
      return encodePng(image);
    } finally {
      image.free();
    }
  } finally {
    resvg.free();
  }
}
