import type { ChartConfiguration } from 'chart.js';
import type { Analysis } from '../../../analysis/results.ts';
import { plain } from '../../../text/plain.ts';
import { fontOf, variantLabels } from '../canvas/font.ts';
import { SIZE, seriesStyle, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { axisFromZero, extentOf } from '../parts/axis.ts';
import { chartWidth, frameText, makeFrame } from '../parts/frame.ts';
import { pointsDataset } from '../parts/points.ts';
import { linearScale } from '../parts/scale.ts';
import { chosenVariants } from '../parts/variant-runs.ts';
import { type ResourceColumn, resourceColumns } from './columns.ts';
import { drawCells, POINT_AT, type ResourceRow } from './draw-cells.ts';

/** Its columns need so many pixels; the page lets it be pushed aside. */
const LEAST_WIDTH = 560;
const ROW = 44;
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
    frameText(findings, 'resources of a run', caption.trim(), 'kernel'),
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
