import type { ChartConfiguration } from 'chart.js';
import type { Analysis } from '../../analysis/results.ts';
import { plain } from '../../text/plain.ts';
import { axisFromZero } from './axis.ts';
import type { ChartSpec } from './chart.ts';
import { chosenVariants } from './chosen.ts';
import { extentOf } from './extent.ts';
import { fontOf, variantLabels } from './font.ts';
import { chartWidth, makeFrame } from './frame.ts';
import { pointsDataset } from './points.ts';
import { type ResourceColumn, resourceColumns } from './resource-columns.ts';
import { drawCells } from './resource-plugin.ts';
import { linearScale } from './scale.ts';
import { frameText } from './subtitle.ts';
import { type SeriesStyle, SIZE, seriesStyle, type Theme } from './theme.ts';

/** Its columns need so many pixels; the page lets it be pushed aside. */
const LEAST_WIDTH = 560;
const ROW = 44;
/** Where in its row a point is, in rows: its number stands above it. */
export const POINT_AT = 0.68;

export interface ResourceRow {
  readonly label: string;
  readonly detail: string;
  readonly style: SeriesStyle;
}

/** What the runs used beside energy: a column a resource, a row a variant. `null` when nothing was read. */
export function resourcesChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  const { findings } = analysis;
  const chosen = chosenVariants(analysis);
  const labels = variantLabels(findings.variants.map((v) => v.name));
  const places = chosen.places.filter((i) =>
    Object.values(findings.variants[i]!.resources ?? {}).some((s) => s !== null),
  );
  if (places.length === 0) return null;
  const rows = places.map((i): ResourceRow => {
    return { label: labels[i]!, detail: `n = ${findings.variants[i]!.runs}`, style: seriesStyle(i) };
  });
  const columns = resourceColumns(places.map((i) => findings.variants[i]!.resources ?? null));
  const caption =
    'Point: mean of the runs, with its 95 % interval, which may be narrower than the point. All processes of the workload, as the kernel counted them, whatever the meter. ' +
    chosen.note;
  const frame = makeFrame(
    frameText(findings, 'resources of a run', caption.trim()),
    Math.max(chartWidth(theme), LEAST_WIDTH),
    theme,
  );
  const names = Math.max(...rows.map((r) => fontOf('bold').width(r.label, SIZE.text)), 56);
  const config: ChartConfiguration<'scatter'> = {
    type: 'scatter',
    data: { datasets: columns.flatMap((column, c) => datasetsOf(column, c, rows, theme)) },
    options: {
      layout: { padding: { top: frame.top, bottom: frame.bottom, left: names + 30, right: 24 } },
      scales: {
        ...Object.fromEntries(columns.map((column, c) => [`x${c}`, axisOf(column, theme)])),
        y: { type: 'linear', min: 0, max: rows.length, reverse: true, display: false },
      },
    },
    plugins: [frame.plugin, drawCells(rows, columns, theme)],
  };
  return {
    id: 'resources',
    title: `${plain(findings.experiment.name, 200)}: resources of a run`,
    description: rows
      .map((r, i) => `${r.label}: ${columns.map((c) => `${c.name} ${c.cells[i]?.text ?? 'not read'}`).join(', ')}`)
      .join('; '),
    width: Math.max(chartWidth(theme), LEAST_WIDTH),
    height: frame.top + frame.bottom + rows.length * ROW + 46,
    config: config as ChartConfiguration,
  };
}

function datasetsOf(column: ResourceColumn, c: number, rows: readonly ResourceRow[], theme: Theme) {
  return column.cells.flatMap((cell, i) =>
    cell === null
      ? []
      : [
          {
            ...pointsDataset([{ x: cell.mean, y: i + POINT_AT }], rows[i]!.style, theme, 'full'),
            pointRadius: 4.5,
            xAxisID: `x${c}`,
          },
        ],
  );
}

function axisOf(column: ResourceColumn, theme: Theme) {
  const [low, high] = extentOf(
    column.cells.flatMap((cell) => (cell === null ? [] : [cell.mean, ...(cell.interval ?? [])])),
  );
  // Room at the right, so that no number of a column meets the next one's.
  const axis = axisFromZero(low, high * 1.3, 3);
  const ticks = axis.ticks.filter((tick) => tick < 0.85 * axis.max);
  return {
    ...linearScale({ ...axis, ticks }, column.title, theme),
    stack: 'resources',
    // Each column begins with a line.
    grid: {
      color: ({ tick }: { tick: { value: number } }) => (tick.value === 0 ? theme.muted : theme.grid),
      tickLength: 5,
    },
  };
}
