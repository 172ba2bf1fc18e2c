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

/** One y axis per panel, `y0` at the top, all equal, each `height` pixels high. */
export function panelAxes(
  count: number,
  height: number,
  axis: Axis,
  title: string,
  theme: Theme,
): Record<string, LinearOptions> {
  const width = panelAxisWidth(axis);
  const panel = {
    ...linearScale({ ...axis, ticks: innerTicks(axis, height) }, title, theme),
    stack: 'panels',
    // chart.js divides a fixed width by the number of axes, stacked ones included, so that many would get none.
    afterFit: (scale: { width: number }) => {
      scale.width = width;
    },
  };
  // chart.js stacks from the bottom: the first panel comes last.
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`y${i}`, panel] as const).reverse());
}

/** Ticks without those whose label would touch that of a neighboring panel. */
function innerTicks({ min, max, ticks }: Axis, height: number): number[] {
  const edge = (7 * (max - min)) / height;
  const inner = ticks.filter((tick) => tick - min >= edge && max - tick >= edge);
  return inner.length > 0 ? inner : ticks.slice(0, 1);
}
