import type { Theme } from '../../../report/charts/canvas/theme.ts';
import type { ChartSpec } from '../../../report/charts/chart.ts';
import { unpack } from '../../../report/data/pack.ts';
import type { Link } from '../../../report/document/text.ts';
import { element, keepFocus } from '../../../report/page/element.ts';
import { liveFigure, unfoldForPrint } from '../../../report/page/figure.ts';
import { watchTables } from '../../../report/page/overflow.ts';
import type { TrendSeries } from '../../trend.ts';
import { axisNote, trendChart } from '../chart.ts';
import { type ExperimentRow, rowReader } from '../tables.ts';
import { unitFor, type View } from '../view.ts';
import { historyControls, type Wanted } from './controls.ts';

const ROWS = 100;
const NOTHING = 'Nothing to draw: choose a variant.';

/** Leads through all experiments of a place, the latest first, a hundred at a time. */
function experimentTable(details: HTMLDetailsElement, series: TrendSeries): void {
  const body = details.querySelector('tbody');
  const count = series.startedAt.length;
  if (body === null) return;
  details.querySelector('.static')?.remove();
  // It may become long.
  details.querySelector('table')?.classList.remove('stacked');
  let read: ((at: number) => ExperimentRow) | null = null;
  let first = 0;
  const position = element('span', { 'aria-live': 'polite' });
  const button = (text: string, by: number): HTMLButtonElement => {
    const made = element('button', { type: 'button' }, text);
    made.addEventListener('click', () => show(first + by));
    return made;
  };
  const [later, earlier] = [button('Later', -ROWS), button('Earlier', ROWS)];
  const show = (from: number): void => {
    first = from;
    read ??= rowReader(series);
    const last = Math.min(count, first + ROWS);
    body.replaceChildren(...Array.from({ length: last - first }, (_, i) => rowOf(read!(count - 1 - first - i))));
    later.disabled = first === 0;
    earlier.disabled = last === count;
    keepFocus(later, earlier);
    keepFocus(earlier, later);
    position.textContent = `${first + 1} to ${last} of ${count}`;
  };
  if (count > ROWS) details.append(element('div', { class: 'controls' }, later, earlier, position));
  details.addEventListener('toggle', () => {
    if (details.open && read === null) show(0);
  });
}

function rowOf({ date, commit, values, notes, report }: ExperimentRow): HTMLTableRowElement {
  return element(
    'tr',
    {},
    element('td', {}, date),
    element('td', {}, linkOf(commit)),
    ...values.map((text) => element('td', { class: 'number' }, text)),
    element('td', { class: 'long' }, notes.join('; ')),
    element('td', {}, linkOf(report)),
  );
}

function linkOf(text: Link | string): Node | string {
  return typeof text === 'string' ? text : element('a', { href: text.href, rel: 'noreferrer' }, text.link);
}

/** The program of history.html: charts that answer, what to show of them, and every experiment in a table. */
const data = document.getElementById('data-history')?.textContent ?? '""';
const allSeries = unpack(JSON.parse(data)) as TrendSeries[];
unfoldForPrint();

let wanted: Wanted = { experiment: null, hidden: new Set(), latest: null, unit: null };
const redraws: (() => void)[] = [];

const viewOf = (series: TrendSeries): View => ({
  variants: new Set(series.lines.map(({ variant }) => variant).filter((variant) => !wanted.hidden.has(variant))),
  latest: wanted.latest,
  unit: wanted.unit ?? unitFor(series),
});

for (const [number, series] of allSeries.entries()) {
  for (const figure of document.querySelectorAll<HTMLElement>(`figure[data-place="${number}"]`)) {
    const drawing = figure.querySelector<HTMLElement>('.drawing');
    const note = figure.querySelector('figcaption span');
    const measure = figure.dataset.measure === 'differences' ? 'differences' : 'energies';
    if (drawing === null) continue;
    const make = (theme: Theme): ChartSpec | null => {
      const view = viewOf(series);
      const spec = trendChart(`trend-${number}-${measure}`, series, measure, view, theme);
      if (note && spec !== null) note.textContent = axisNote(spec, measure, view);
      return spec;
    };
    redraws.push(liveFigure(drawing, make, { runs: new Map(), onRun: () => undefined }, NOTHING).redraw);
  }
  const details = document.querySelector<HTMLDetailsElement>(`details[data-experiments="${number}"]`);
  if (details !== null) experimentTable(details, series);
}

const controls = document.getElementById('controls');
if (controls !== null) {
  historyControls(controls, allSeries, (now) => {
    wanted = now;
    for (const [number, { experiment }] of allSeries.entries()) {
      const part = document.getElementById(`place-${number}`);
      if (part !== null) part.hidden = now.experiment !== null && now.experiment !== experiment;
    }
    for (const redraw of redraws) redraw();
  });
}
watchTables();
document.documentElement.dataset.ready = 'yes';
