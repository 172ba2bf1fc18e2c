import type { Chart } from 'chart.js';
import type { KnownPoint } from './tips.ts';

export interface Walker {
  /** What stands under the cursor; null: nothing. */
  tell(point: KnownPoint | null, datasetIndex: number): void;
  choose(point: KnownPoint): void;
}

interface Stop {
  readonly datasetIndex: number;
  readonly index: number;
  readonly x: number;
  readonly y: number;
}

/** Arrow keys walk over the points of a chart from left to right; Enter chooses one, Escape leaves them. */
export function walkPoints(chart: Chart, canvas: HTMLCanvasElement, { tell, choose }: Walker): void {
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
    stops ??= stopsOf(chart);
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

function stopsOf(chart: Chart): Stop[] {
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
