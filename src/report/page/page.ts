import type { Findings } from '../../findings/findings.ts';
import type { ChartSpec } from '../charts/chart.ts';
import { chartSpec } from '../charts/charts.ts';
import { getFrameText } from '../charts/parts/frame.ts';
import { type PageAnalysis, readPageData } from '../data/page-data.ts';
import { analysisPerExecution } from '../per-execution.ts';
import { liveFigure, unfoldForPrint, whenIdle } from './figure.ts';
import { moreRuns } from './more-runs.ts';
import { watchTables } from './overflow.ts';
import { type RunViewer, runViewer } from './run-viewer.ts';
import { saveButtons } from './save.ts';
import { sortTable } from './sort-table.ts';
import { runsByNumber } from './tips.ts';

/** Script of an optional part in report.html. */
export interface PagePart {
  /** Id of its figure. */
  readonly figure: string;
  /** Makes its figure interactive; `data`: what its report embedded in the page. */
  draw(figure: HTMLElement, data: unknown, findings: Findings): void;
}

/** Runs report.html: replaces static drawings by interactive charts, from the data in the page. */
export function showPage(parts: readonly PagePart[]): void {
  unfoldForPrint();
  // Delayed, because the page is readable before its charts are interactive, and reading the data of a large suite takes long.
  addEventListener('load', () => whenIdle(() => answer(parts)));
}

function answer(parts: readonly PagePart[]): void {
  const analysis = readPageData((id) => document.getElementById(`data-${id}`)?.textContent ?? 'null');
  const shown = analysisPerExecution(analysis);
  const runs = runsByNumber(shown);
  const byId = (id: string): HTMLElement | null => document.getElementById(id);
  const single = byId('single-run');
  let viewer: RunViewer | null | undefined;
  /** Created when first needed, because it unpacks all readings. */
  const viewerNow = (): RunViewer | null => {
    viewer ??= single?.isConnected ? runViewer(single, analysis) : null;
    if (viewer === null) single?.remove();
    return viewer;
  };

  for (const figure of document.querySelectorAll<HTMLElement>('figure[data-chart]')) {
    const id = figure.dataset.chart;
    const place = figure.querySelector<HTMLElement>('.drawing');
    if (id === undefined || place === null) continue;
    const part = parts.find((one) => one.figure === id);
    if (part !== undefined) {
      part.draw(figure, analysis.profile, analysis.findings);
      continue;
    }
    liveFigure(place, (theme) => captioned(analysis, figure, chartSpec(id, analysis, theme)), {
      runs,
      onRun: (run) => viewerNow()?.show(run),
    });
  }

  const table = byId('runs');
  if (table !== null) moreRuns(table, shown.runs);
  for (const one of document.querySelectorAll<HTMLTableElement>('#comparisons details table')) sortTable(one);
  watchTables();
  whenIdle(() => {
    viewerNow();
    const data = byId('data');
    if (data !== null) saveButtons(data, analysis);
    document.documentElement.dataset.ready = 'yes';
  });
}

/** Caption for the chart drawn here, which may have fewer readings than the static drawing. */
function captioned({ kept }: PageAnalysis, figure: HTMLElement, spec: ChartSpec | null): ChartSpec | null {
  const text = spec === null ? null : getFrameText(spec);
  if (text === null) return spec;
  const thinned =
    spec?.id === 'power-hexagons' && kept.every > 1
      ? ` Drawn: one in ${kept.every} of ${kept.readings.all} readings, which is all that this page holds.`
      : '';
  figure.querySelector('figcaption')?.replaceChildren(text.caption + thinned);
  return spec;
}
