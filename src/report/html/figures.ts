import type { Analysis } from '../../analysis/results.ts';
import { renderSvg } from '../charts/canvas/svg.ts';
import { page } from '../charts/canvas/theme.ts';
import { chartSpecs } from '../charts/charts.ts';
import { frameTextOf } from '../charts/parts/frame.ts';
import { type Section, section } from '../document/blocks.ts';

/** Bytes of one drawing, and of all: larger ones are left to the script, which draws them from the data. */
const MOST_BYTES = 250_000;
const MOST_IN_ALL = 700_000;

/** Every chart as a section of the page. What its numbers are stands at the head of the page. */
export function chartSections(analysis: Analysis): Section[] {
  let left = MOST_IN_ALL;
  return chartSpecs(analysis, { ...page, bare: true }).map((spec) => {
    const svg = renderSvg(spec, page);
    const fits = svg.length <= Math.min(MOST_BYTES, left);
    if (fits) left -= svg.length;
    const { what, caption } = frameTextOf(spec) ?? { what: spec.title, caption: '' };
    const title = what.charAt(0).toUpperCase() + what.slice(1);
    return section(spec.id, [title], { kind: 'figure', id: spec.id, svg: fits ? svg : null, caption: [caption] });
  });
}
