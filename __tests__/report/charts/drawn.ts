import type { Analysis } from '../../../src/analysis/results.ts';
import { renderSvg } from '../../../src/report/charts/canvas/svg.ts';
import { paper, seriesStyle } from '../../../src/report/charts/canvas/theme.ts';
import type { ChartSpec } from '../../../src/report/charts/chart.ts';
import { CHART_IDS, chartSpec } from '../../../src/report/charts/charts.ts';

/** A chart as it is drawn on paper. */
export interface Drawn {
  readonly spec: ChartSpec;
  readonly svg: string;
  /** All that is written in it, one space between two texts. */
  readonly text: string;
}

export function drawn(id: string, analysis: Analysis): Drawn {
  const spec = chartSpec(id, analysis, paper);
  if (spec === null) throw new Error(`no chart ${id} of this analysis`);
  const svg = renderSvg(spec, paper);
  return { spec, svg, text: textsOf(svg).join(' ') };
}

export function isDrawn(id: string, analysis: Analysis): boolean {
  return chartSpec(id, analysis, paper) !== null;
}

/** Ids of every chart that these data allow. */
export function drawnIds(analysis: Analysis): string[] {
  return CHART_IDS.filter((id) => isDrawn(id, analysis));
}

export function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text.replace(/&#39;/g, "'"));
}

export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly fill: string;
  readonly corners: number;
}

/** Middles of the full closed shapes of a color, in pixels: the points of chart.js, and hexagons. */
export function marks(svg: string, color: string): Mark[] {
  return [...svg.matchAll(/<path d="([^"]*)" fill="(#[0-9a-f]{6})"(?! fill-opacity)/g)]
    .filter(([, path, fill]) => fill === color && path!.endsWith('Z'))
    .map(([, path = '', fill = '']) => ({ ...middleOf(path), fill, corners: path.match(/[ML]/g)?.length ?? 0 }));
}

function middleOf(path: string): { x: number; y: number } {
  const places = [...path.replace(/A\S+ \S+ 0 [01] [01] /g, 'L').matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(
    ([, x, y]) => [Number(x), Number(y)] as const,
  );
  // A triangle's point is at its center of gravity, which isn't halfway up.
  const middle = (values: number[]): number =>
    values.length === 3
      ? values.reduce((sum, value) => sum + value) / 3
      : (Math.min(...values) + Math.max(...values)) / 2;
  return { x: middle(places.map(([x]) => x)), y: middle(places.map(([, y]) => y)) };
}

/** Pixels of the numbers of the lowest x axis, or of the y axes: their places by what they say. */
export function ticksOf(svg: string, anchor: 'middle' | 'end'): Map<number, number> {
  const found = new Map<number, number>();
  let lowest = 0;
  for (const [, attributes = '', text = ''] of svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)) {
    const value = Number(text.replace(/,/g, '').replace('−', '-'));
    if (!attributes.includes(`text-anchor="${anchor}"`) || !Number.isFinite(value)) continue;
    const at = (name: string): number => Number(new RegExp(` ${name}="([^"]*)"`).exec(` ${attributes}`)?.[1]);
    if (anchor === 'middle' && at('y') > lowest + 1) {
      found.clear();
      lowest = at('y');
    } else if (anchor === 'middle' && at('y') < lowest - 1) continue;
    found.set(value, anchor === 'middle' ? at('x') : at('y') - 0.36 * 11);
  }
  return found;
}

/** Reads values off a picture by two of an axis's numbers, as a person with a ruler would. */
export function ruler(ticks: ReadonlyMap<number, number>): (pixel: number) => number {
  const [[a, at], [b, bt]] = [[...ticks][0]!, [...ticks].at(-1)!];
  return (pixel) => a + ((pixel - at) * (b - a)) / (bt - at);
}

/** Points in the plot, in their order from left to right; not the sample beside a name. */
export function points(svg: string, place: number): Mark[] {
  const grid = [...svg.matchAll(/<path d="M\S+ \S+L(\S+) \S+" fill="none" stroke="#e3e3e3"/g)];
  const right = Math.max(...grid.map(([, x]) => Number(x)));
  return marks(svg, seriesStyle(place).color)
    .filter((m) => m.x <= right)
    .sort((a, b) => a.x - b.x);
}
