import type { Comparison } from '../../findings/comparison.ts';
import { fixed, short } from '../../text/numbers.ts';
import { n } from '../charts/canvas/svg-values.ts';
import { axisAround } from '../charts/parts/axis.ts';
import type { Drawings } from './parts.ts';

const WIDTH = 140;
const HEIGHT = 22;
const PAD = 6;

/** Every change with its interval on one axis, the margin shaded, as a column of drawings; the numbers stand beside them. */
export function intervalDrawings(comparisons: readonly Comparison[], marginPercent: number): Drawings {
  const ends = comparisons.flatMap(({ percent: { estimate, ci95 } }) => [estimate, ...(ci95 ?? [])]);
  const numbers = ends.filter((end) => end !== null);
  const axis = axisAround(Math.min(-marginPercent, ...numbers), Math.max(marginPercent, ...numbers), 3);
  const x = (percent: number): number => PAD + ((percent - axis.min) / (axis.max - axis.min)) * (WIDTH - 2 * PAD);
  const ticks = axis.ticks.map((tick) => {
    const text = `${tick > 0 ? '+' : ''}${fixed(tick, axis.decimals)}${tick === 0 ? ' %' : ''}`;
    return `<text x="${n(x(tick))}" y="14" text-anchor="middle">${text}</text>`;
  });
  const svg = (body: string): string =>
    `<svg class="interval" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" aria-hidden="true">${body}</svg>`;
  return {
    before: 1,
    head: `<th scope="col"><span class="hidden">Interval, on one axis; shaded: the margin of ±${short(marginPercent)} %</span>${svg(ticks.join(''))}</th>`,
    cells: comparisons.map((c) => `<td class="plotted">${svg(background(x, marginPercent) + bar(c, x))}</td>`),
  };
}

type Place = (percent: number) => number;

function background(x: Place, marginPercent: number): string {
  const left = x(-marginPercent);
  return (
    `<rect class="margin" x="${n(left)}" y="0" width="${n(x(marginPercent) - left)}" height="${HEIGHT}"/>` +
    `<path class="zero" d="M${n(x(0))} 0V${HEIGHT}"/>`
  );
}

function bar({ percent: { estimate, ci95 }, verdict }: Comparison, x: Place): string {
  const middle = HEIGHT / 2;
  const whisker = ci95 === null ? '' : `<path d="M${n(x(ci95[0]))} ${middle}H${n(x(ci95[1]))}"/>`;
  const point = estimate === null ? '' : `<circle cx="${n(x(estimate))}" cy="${middle}" r="4"/>`;
  return `<g class="${verdict}">${whisker}${point}</g>`;
}
