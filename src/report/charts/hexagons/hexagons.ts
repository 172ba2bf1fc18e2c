import type { Chart, ChartConfiguration, Plugin } from 'chart.js';
import type { Analysis } from '../../../analysis/results.ts';
import { plural } from '../../../text/plain.ts';
import { fontOf } from '../canvas/font.ts';
import { drawLines, drawStack, drawText } from '../canvas/pen.ts';
import { SIZE, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { axisTo, computeExtent, linearScale, startNote } from '../parts/axis.ts';
import { chartWidth, frameText, isNarrow, makeFrame } from '../parts/frame.ts';
import { panelAxes, panelAxis, panelAxisWidth } from '../parts/panels.ts';
import { chosenVariants, notDrawn } from '../parts/variant-runs.ts';
import { wholeTraces } from '../power/resample.ts';
import { type ColoredClass, classOf, countClasses, countLegend, legendRoom } from './count-legend.ts';
import { type BinSize, type HexagonPanel, hexagonPanel, powerRange } from './panels.ts';
import './controller.ts';

const MAX_PANELS = 8;
/** Width of a hexagon in pixels. */
const HEXAGON = 9;

/** Readings by power and time since the start of their run, counted in hexagons, a panel a variant. `null` when no reading can be drawn. */
export function hexagonChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  const { findings } = analysis;
  const { variants, note } = chosenVariants(analysis, MAX_PANELS);
  const groups = variants
    .map(({ name, label }) => {
      const traces = analysis.traces.filter((t) => t.variant === name);
      return { name, label, traces: wholeTraces(traces, findings.meter.sampling_period_s) };
    })
    .filter((g) => g.traces.length > 0);
  if (groups.length === 0) return null;
  const traces = groups.flatMap((g) => g.traces);
  const range = powerRange(traces);
  const x = axisTo(computeExtent(traces.map((t) => t.tS.at(-1)!))[1] * 1.02);
  const panelHeight = groups.length > 4 ? 96 : groups.length > 2 ? 130 : 170;
  const narrow = isNarrow(theme);
  // Extra room for hexagons at the edges, which are larger than their reading. On narrow screens the panel's name is above them.
  const room = ((range.high - range.low) * HEXAGON) / panelHeight;
  const y = panelAxis(
    range.low >= 0 ? Math.max(range.low - room, 0) : range.low - room,
    range.high + room * (narrow ? 3 : 1),
    panelHeight,
  );
  const names = narrow ? 0 : Math.max(...groups.map((g) => fontOf('bold').width(g.label, SIZE.text)), 110);
  const plot = { width: chartWidth(theme) - 12 - panelAxisWidth(y) - names - 30, height: panelHeight };
  const size: BinSize = {
    dx: (HEXAGON * x.max) / plot.width,
    dy: (Math.sqrt(3) * HEXAGON * (y.max - y.min)) / plot.height,
  };
  const panels = groups.map((g) => hexagonPanel(g.label, g.traces, size, range));
  const classes = coloredClasses(panels, theme);
  const drawn = panels.reduce((total, p) => total + p.readings, 0);
  const left = notDrawn(variants, groups, 'no readings inside a run');
  const caption =
    `Every hexagon holds the readings of its variant’s runs at that time and power, ${plural(drawn, 'reading')} in all; ` +
    `only readings that lie wholly inside a run. ${range.beyond > 0 ? `${plural(range.beyond, 'reading')} far beyond the others ${range.beyond === 1 ? 'is' : 'are'} counted at the edge. ` : ''}${note}${left}${startNote(y, 'power axis')}`;
  const title = panels.length > 4 ? 'W' : 'Power (W)';
  const frame = makeFrame(frameText(findings, 'power over time, all readings', caption), theme);

  const config = {
    type: 'hexagon',
    data: {
      datasets: panels.map((p, i) => ({
        data: p.bins,
        yAxisID: `y${i}`,
        size,
        colorOf: (count: number) => classes[classOf(classes, count)]!.color,
      })),
    },
    options: {
      parsing: false,
      layout: {
        padding: {
          top: frame.top + legendRoom(theme),
          bottom: frame.bottom,
          left: 12,
          right: names + (narrow ? 14 : 30),
        },
      },
      scales: {
        x: linearScale(x, 'Time since the start of the run (s)', theme),
        ...panelAxes(
          panels.map((_, i) => ({ id: `y${i}`, height: panelHeight, axis: y, title })),
          theme,
        ),
      },
    },
    plugins: [
      frame.plugin,
      countLegend(classes, 'Readings in a hexagon', theme),
      panelNames(
        panels.map((p) => ({ label: p.label, lines: [plural(p.runs, 'run'), plural(p.readings, 'reading')] })),
        theme,
      ),
    ],
  };
  return {
    id: 'power-hexagons',
    ...frame.spec,
    description: panels.map((p) => `${p.label}: ${plural(p.runs, 'run')}, ${plural(p.readings, 'reading')}`).join('; '),
    height: frame.top + legendRoom(theme) + frame.bottom + panels.length * panelHeight + 46,
    config: config as unknown as ChartConfiguration,
  };
}

function coloredClasses(panels: readonly HexagonPanel[], theme: Theme): ColoredClass[] {
  const highest = panels.reduce((most, p) => p.bins.reduce((m, b) => Math.max(m, b.count), most), 1);
  const { scale } = theme;
  const classes = countClasses(highest, scale.length);
  // Few classes are spread over the whole color scale.
  return classes.map((c, i) => ({
    ...c,
    color: scale[classes.length === 1 ? 2 : Math.round((i * (scale.length - 1)) / (classes.length - 1))]!,
  }));
}

export interface PanelName {
  readonly label: string;
  /** Smaller lines below the name. */
  readonly lines: readonly string[];
}

/** Names to the right of the panels `y0`, `y1`, …, and a line under each panel. */
function panelNames(panels: readonly PanelName[], theme: Theme): Plugin {
  return {
    id: 'panel-names',
    beforeDatasetsDraw: ({ ctx, chartArea, scales }) => {
      const lines = panels.map((_, i) => {
        const { bottom } = scales[`y${i}`]!;
        return [[chartArea.left, bottom] as const, [chartArea.right, bottom] as const];
      });
      drawLines(ctx, lines, { color: theme.muted, width: 0.8 });
    },
    afterDatasetsDraw: ({ ctx, chartArea, scales }) => {
      for (const [i, { label, lines }] of panels.entries()) {
        const scale = scales[`y${i}`]!;
        if (isNarrow(theme)) {
          drawInside(ctx, [label, ...lines].join(', '), { x: chartArea.left + 5, y: scale.top + 9 }, theme);
          continue;
        }
        drawStack(ctx, [label, ...lines], [chartArea.right + 14, (scale.top + scale.bottom) / 2], 'left', theme);
      }
    },
  };
}

/** Draws text on the page's background color, because hexagons may be under it. */
function drawInside(ctx: Chart['ctx'], text: string, { x, y }: { x: number; y: number }, theme: Theme): void {
  ctx.save();
  ctx.globalAlpha = 0.8;
  ctx.fillStyle = theme.background ?? 'transparent';
  ctx.fillRect(x - 3, y - 8, fontOf('regular').width(text, SIZE.small) + 6, 16);
  ctx.restore();
  drawText(ctx, text, [x, y], { color: theme.ink });
}
