import type { Analysis } from '../../analysis/results.ts';
import { page } from '../charts/canvas/theme.ts';
import { type DrawnChart, drawCharts, type FailedChart } from '../charts/draw.ts';
import { frameTextOf } from '../charts/parts/frame.ts';
import { paragraph, type Section, section } from '../document/blocks.ts';
import { capitalized } from '../words/compose.ts';

/** Bytes of one drawing, and of all: larger ones are left to the script, which draws them from the data. */
const MOST_BYTES = 250_000;
const MOST_IN_ALL = 700_000;

/** Every chart as a section of the page. What its numbers are stands at the head of the page. */
export function chartSections(analysis: Analysis, draw: typeof drawCharts = drawCharts): Section[] {
  let left = MOST_IN_ALL;
  return draw(analysis, { ...page, bare: true }).map((chart) => {
    if ('error' in chart) return failure(chart);
    const fits = chart.svg.length <= Math.min(MOST_BYTES, left);
    if (fits) left -= chart.svg.length;
    return figure(chart, fits);
  });
}

function figure({ id, spec, svg }: DrawnChart, fits: boolean): Section {
  const { what, caption } = frameTextOf(spec) ?? { what: spec.title, caption: '' };
  return section(id, capitalized([what]), { kind: 'figure', id, svg: fits ? svg : null, caption: [caption] });
}

function failure({ id, error }: FailedChart): Section {
  const reason = error instanceof Error ? error.message : String(error);
  return section(
    id,
    capitalized([id.replaceAll('-', ' ')]),
    paragraph('This chart could not be drawn (', { code: reason }, '). Its data are in the CSV files of this result.'),
  );
}
