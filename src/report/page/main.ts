import type { ChartSpec } from '../charts/chart.ts';
import { chartSpec } from '../charts/charts.ts';
import { FLAME, firstPair } from '../charts/flame/flame.ts';
import { frameTextOf } from '../charts/parts/frame.ts';
import { readPageData } from '../data/page-data.ts';
import { analysisPerExecution } from '../per-execution.ts';
import { liveFigure, unfoldForPrint } from './figure.ts';
import { flameViewer } from './flame-viewer.ts';
import { moreRuns } from './more-runs.ts';
import { watchTables } from './overflow.ts';
import { runViewer } from './run-viewer.ts';
import { saveButtons } from './save.ts';
import { runsByNumber } from './tips.ts';

/** The program of report.html: puts charts that answer in the place of the drawings, from the data that lie in the page. */
const analysis = readPageData((id) => document.getElementById(`data-${id}`)?.textContent ?? 'null');
const shown = analysisPerExecution(analysis);
const runs = runsByNumber(shown);
const part = (id: string): HTMLElement | null => document.getElementById(id);

unfoldForPrint();
const single = part('single-run');
const viewer = single === null ? null : runViewer(single, analysis);
if (viewer === null) single?.remove();

for (const figure of document.querySelectorAll<HTMLElement>('figure[data-chart]')) {
  const id = figure.dataset.chart;
  const place = figure.querySelector<HTMLElement>('.drawing');
  if (id === undefined || id === FLAME || place === null) continue;
  liveFigure(place, (theme) => captioned(figure, chartSpec(id, analysis, theme)), {
    runs,
    onRun: (run) => viewer?.show(run),
  });
}
const flame = document.querySelector<HTMLElement>(`figure[data-chart="${FLAME}"]`);
const pair = analysis.profile && firstPair(analysis.findings, analysis.profile);
if (flame !== null && analysis.profile !== null && pair !== null) flameViewer(flame, analysis.profile, pair);

/** The words of what is drawn here: it may be less than what the drawing without a script was made from. */
function captioned(figure: HTMLElement, spec: ChartSpec | null): ChartSpec | null {
  const text = spec === null ? null : frameTextOf(spec);
  if (text === null) return spec;
  const { every, readings } = analysis.kept;
  const thinned =
    spec?.id === 'power-hexagons' && every > 1
      ? ` Drawn: one in ${every} of ${readings.all} readings, which is all that this page holds.`
      : '';
  figure.querySelector('figcaption')?.replaceChildren(text.caption + thinned);
  return spec;
}

const table = part('runs');
if (table !== null) moreRuns(table, shown.runs);
watchTables();
const data = part('data');
if (data !== null) saveButtons(data, analysis);
document.documentElement.dataset.ready = 'yes';
