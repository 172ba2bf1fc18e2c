import { fixed } from '../../../text/numbers.ts';
import { fontOf } from '../canvas/font.ts';
import { SIZE, type Theme } from '../canvas/theme.ts';
import { type Axis, axisAround, type LinearOptions, linearScale } from './axis.ts';

/** Width of the numbers and title of a panel's axis, pixels. */
export function panelAxisWidth(axis: Axis): number {
  return Math.max(...axis.ticks.map((tick) => fontOf('regular').width(fixed(tick, axis.decimals), SIZE.small))) + 36;
}

/** An axis for panels of this height in pixels: few ticks, at least two if possible. */
export function panelAxis(low: number, high: number, height: number): Axis {
  const axes = [3, 4, 5, 6, 8].map((ticks) => axisAround(low, high, ticks));
  return axes.find((axis) => innerTicks(axis, height).length >= 2) ?? axes[0]!;
}

/** A panel of a chart, `height` pixels high. */
export interface Panel {
  readonly id: string;
  readonly height: number;
  readonly axis: Axis;
  readonly title: string;
}

/** One y axis per panel, the first at the top, on the same time axis. */
export function panelAxes(panels: readonly Panel[], theme: Theme): Record<string, LinearOptions> {
  const width = Math.max(...panels.map(({ axis }) => panelAxisWidth(axis)));
  const axes = panels.map(({ id, height, axis, title }) => {
    const scale = {
      ...linearScale({ ...axis, ticks: innerTicks(axis, height) }, title, theme),
      stack: 'panels',
      stackWeight: height,
      // chart.js divides a fixed width by the number of axes, stacked ones included, so that many would get none.
      afterFit: (one: { width: number }) => {
        one.width = width;
      },
    };
    return [id, scale] as const;
  });
  // chart.js stacks from the bottom: the first panel comes last.
  return Object.fromEntries(axes.reverse());
}

/** Ticks without those whose label would touch that of a neighboring panel. */
function innerTicks({ min, max, ticks }: Axis, height: number): number[] {
  const edge = (7 * (max - min)) / height;
  const inner = ticks.filter((tick) => tick - min >= edge && max - tick >= edge);
  return inner.length > 0 ? inner : ticks.slice(0, 1);
}
