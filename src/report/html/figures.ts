import type { Analysis } from '../../analysis/results.ts';
import { plain } from '../../text/plain.ts';
import { renderSvg } from '../charts/canvas/svg.ts';
import { page } from '../charts/canvas/theme.ts';
import type { ChartSpec } from '../charts/chart.ts';
import { chartSpecs } from '../charts/charts.ts';
import { frameTextOf } from '../charts/parts/frame.ts';
import { htmlText } from '../escape.ts';
import type { Section } from './parts.ts';

/** Bytes of one drawing, and of all: larger ones are left to the script, which draws them from the data. */
const MOST_BYTES = 250_000;
const MOST_IN_ALL = 700_000;

export interface Figure extends Section {
  /** Bytes of the drawing that the page has without its script; 0: it was too large. */
  readonly bytes: number;
}

/** Every chart as a figure: a drawing that needs no script, in whose place the script puts one that answers. */
export function figures(analysis: Analysis): Figure[] {
  let left = MOST_IN_ALL;
  return chartSpecs(analysis, { ...page, bare: true }).map((spec) => {
    const svg = renderSvg(spec, page);
    const bytes = svg.length <= Math.min(MOST_BYTES, left) ? svg.length : 0;
    left -= bytes;
    const body = figure(spec.id, bytes > 0 ? svg : tooLarge(spec), captionOf(spec));
    return { id: spec.id, title: headingOf(spec, analysis.findings.experiment.name), body, bytes };
  });
}

function figure(id: string, drawing: string, caption: string): string {
  return `<figure data-chart="${id}">\n<div class="drawing">\n${drawing}</div>\n${caption}\n</figure>`;
}

/** How to read it, and before that where the numbers come from when they are no measurement. */
function captionOf(spec: ChartSpec): string {
  const text = frameTextOf(spec);
  const warning = text?.warning ? `<strong>${htmlText(text.warning)}.</strong> ` : '';
  return `<figcaption>${warning}${htmlText(text?.caption ?? '', 2000)}</figcaption>`;
}

function tooLarge({ id }: ChartSpec): string {
  return `<p class="note static">This drawing is too large for a page without a script; it is in charts/${htmlText(id)}.png.</p>\n`;
}

/** `sort: energy per run` without the experiment's name, which stands at the head of the page. */
function headingOf({ title }: ChartSpec, experiment: string): string {
  const prefix = `${plain(experiment, 200)}: `;
  const heading = title.startsWith(prefix) ? title.slice(prefix.length) : title;
  return heading.charAt(0).toUpperCase() + heading.slice(1);
}
