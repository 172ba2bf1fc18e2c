import { Chart, type ChartOptions, Tooltip } from 'chart.js';
import { STACK } from '#font-source';
import type { RunResult } from '../../analysis/results.ts';
import { SIZE, type Theme } from '../charts/canvas/theme.ts';
import { type ChartSpec, registerParts } from '../charts/chart.ts';
import { element } from './element.ts';
import { watchOverflow } from './overflow.ts';
import { type KnownPoint, tipLines } from './tips.ts';

registerParts();
Chart.register(Tooltip);

export interface PlotHost {
  readonly runs: Map<number, RunResult>;
  /** Called for a click on a run's point, or Enter. */
  readonly onRun: (run: number) => void;
}

/** Draws a chart on a canvas that reacts to pointer, touch and keyboard. Returns a function that removes it. */
export function drawPlot(place: HTMLElement, spec: ChartSpec, theme: Theme, host: PlotHost): () => void {
  const canvas = element('canvas', {
    width: spec.width,
    height: spec.height,
    role: 'img',
    tabindex: 0,
    'aria-label': `${spec.title}. ${spec.description}`,
    'aria-keyshortcuts': 'ArrowRight ArrowLeft Home End Enter Escape',
  });
  const announcement = element('p', { class: 'hidden', 'aria-live': 'polite' });
  const scroll = element('div', { class: 'plot' }, canvas);
  place.append(scroll, announcement);
  watchOverflow(scroll);
  const chart = new Chart(canvas, { ...spec.config, options: optionsOf(spec, theme, host) });
  walkPoints(chart, canvas, {
    tell: (raw, datasetIndex) => {
      announcement.textContent = raw === null ? '' : tipLines(chart, { raw, datasetIndex }, host.runs).join('; ');
    },
    choose: (raw) => {
      if (raw.run !== undefined) host.onRun(raw.run);
    },
  });
  return () => {
    chart.destroy();
    scroll.remove();
    announcement.remove();
  };
}

function optionsOf({ config }: ChartSpec, theme: Theme, { runs, onRun }: PlotHost): ChartOptions {
  const line = config.type === 'line';
  return {
    ...config.options,
    animation: false,
    responsive: false,
    devicePixelRatio: Math.max(1, window.devicePixelRatio),
    font: { family: STACK, size: SIZE.text },
    interaction: line ? { mode: 'nearest', axis: 'xy', intersect: false } : { mode: 'nearest', intersect: true },
    elements: {
      ...config.options?.elements,
      point: { hitRadius: 7, hoverRadius: 5, ...config.options?.elements?.point },
    },
    onClick: (_event, [hit], chart) => {
      const raw = hit && (chart.data.datasets[hit.datasetIndex]?.data[hit.index] as KnownPoint | undefined);
      if (raw?.run !== undefined) onRun(raw.run);
    },
    plugins: {
      ...config.options?.plugins,
      tooltip: {
        // Edges of bands and lines of other panels have no label.
        filter: (item) => !line || item.dataset.label !== undefined,
        displayColors: false,
        backgroundColor: theme.ink,
        titleColor: theme.background ?? '#ffffff',
        bodyColor: theme.background ?? '#ffffff',
        bodyFont: { family: STACK, size: SIZE.text },
        padding: 8,
        caretSize: 4,
        callbacks: {
          title: () => '',
          label: (item) => tipLines(item.chart, item as never, runs),
        },
      },
    },
  } as ChartOptions;
}

export interface Walker {
  /** Shows the point under the cursor; null: none. */
  tell(point: KnownPoint | null, datasetIndex: number): void;
  choose(point: KnownPoint): void;
}

interface Stop {
  readonly datasetIndex: number;
  readonly index: number;
  readonly x: number;
  readonly y: number;
}

/** Keyboard control: arrow keys move through the points from left to right, Enter selects one, Escape leaves them. */
function walkPoints(chart: Chart, canvas: HTMLCanvasElement, { tell, choose }: Walker): void {
  let stops: Stop[] | null = null;
  let at = -1;
  const point = ({ datasetIndex, index }: Stop): KnownPoint =>
    chart.data.datasets[datasetIndex]!.data[index] as unknown as KnownPoint;

  const show = (next: number): void => {
    at = next;
    const stop = stops?.[at];
    const active = stop === undefined ? [] : [{ datasetIndex: stop.datasetIndex, index: stop.index }];
    chart.setActiveElements(active);
    chart.tooltip?.setActiveElements(active, { x: stop?.x ?? 0, y: stop?.y ?? 0 });
    chart.update('none');
    if (stop === undefined) tell(null, 0);
    else tell(point(stop), stop.datasetIndex);
  };
  canvas.addEventListener('keydown', (event) => {
    stops ??= listStops(chart);
    const last = stops.length - 1;
    const places: Record<string, number> = {
      ArrowRight: Math.min(at + 1, last),
      ArrowLeft: at < 0 ? last : Math.max(at - 1, 0),
      Home: 0,
      End: last,
      Escape: -1,
    };
    const stop = stops[at];
    if (event.key === 'Enter' && stop !== undefined) choose(point(stop));
    else if (last < 0 || places[event.key] === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    else show(places[event.key]!);
    event.preventDefault();
  });
  canvas.addEventListener('blur', () => {
    if (at >= 0) show(-1);
  });
}

function listStops(chart: Chart): Stop[] {
  const line = (chart.config as { type?: string }).type === 'line';
  const stops = chart.data.datasets.flatMap((dataset, datasetIndex): Stop[] => {
    if (line && dataset.label === undefined) return [];
    return chart
      .getDatasetMeta(datasetIndex)
      .data.map(({ x, y }, index) => ({ datasetIndex, index, x, y }))
      .filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
  });
  return stops.sort((a, b) => a.x - b.x || a.datasetIndex - b.datasetIndex);
}
