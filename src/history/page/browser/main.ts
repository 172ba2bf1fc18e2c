import { unpack } from '../../../report/data/pack.ts';
import { liveFigure, unfoldForPrint } from '../../../report/page/figure.ts';
import type { TrendSeries } from '../../trend.ts';
import { trendChart } from '../chart.ts';
import { unitFor, type View } from '../view.ts';
import { historyControls, type Wanted } from './controls.ts';
import { experimentTable } from './table.ts';

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
  const drawing = document.querySelector<HTMLElement>(`figure[data-place="${number}"] .drawing`);
  if (drawing === null) continue;
  const make = (theme: Parameters<typeof trendChart>[3]) =>
    trendChart(`trend-${number}`, series, viewOf(series), theme);
  redraws.push(liveFigure(drawing, make, { runs: new Map(), onRun: () => undefined }).redraw);
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
document.documentElement.dataset.ready = 'yes';
