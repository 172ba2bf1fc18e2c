import type { Interval } from '../../findings/numbers.ts';
import { signed } from '../../text/numbers.ts';
import { axisAround } from '../charts/parts/axis.ts';
import { displayWidth, padEnd, wrapName } from '../document/width.ts';
import { fenced } from '../escape.ts';

/** A change in percent. */
export interface ForestRow {
  readonly label: string;
  /** null: the change has no line. */
  readonly estimate: number | null;
  readonly interval: Interval | null;
}

const PLOT = 48;

/**
 * Changes with intervals on a common scale, drawn with characters for mail, forges and terminals. `┊` marks no change,
 * `├─●─┤` an estimate in its 95 % interval. Lines of at most `width` columns; empty when nothing can be drawn.
 */
export function forestPlot(rows: readonly ForestRow[], width = 80): string[] {
  const drawn = rows.filter(({ estimate }) => estimate !== null);
  if (drawn.length === 0) return [];
  const ends = drawn.flatMap(({ estimate, interval }) => [estimate ?? 0, ...(interval ?? [])]);
  const axis = axisAround(Math.min(0, ...ends), Math.max(0, ...ends), 6);
  const span = { min: Math.min(axis.min, 0), max: axis.max };
  if (axis.ticks.some((t) => Math.abs(t) < 1e-12) && Math.min(...ends) >= 0) span.min = -0.06 * axis.max;

  const nameRoom = Math.min(28, Math.max(...drawn.map(({ label }) => displayWidth(fenced(label)))));
  const plot = Math.max(16, Math.min(PLOT, width - nameRoom - 2));
  const column = (value: number): number =>
    Math.min(plot - 1, Math.max(0, Math.round(((value - span.min) / (span.max - span.min)) * (plot - 1))));
  const lines = drawn.flatMap(({ label, estimate, interval }) => {
    const [first = '', ...more] = wrapName(fenced(label), nameRoom);
    const cells: string[] = Array(plot).fill(' ');
    cells[column(0)] = '┊';
    if (interval !== null) {
      const [low, high] = [column(interval[0]), column(interval[1])];
      for (let k = low; k <= high; k++) cells[k] = k === column(0) ? '┼' : '─';
      cells[low] = '├';
      cells[high] = '┤';
    }
    cells[column(estimate ?? 0)] = '●';
    return [`${padEnd(first, nameRoom)}  ${cells.join('')}`.trimEnd(), ...more];
  });
  return [...lines, `${' '.repeat(nameRoom + 2)}${tickLine(axis.ticks, axis.decimals, column, plot)}`.trimEnd()];
}

function tickLine(ticks: readonly number[], decimals: number, column: (value: number) => number, plot: number): string {
  let line = '';
  for (const tick of ticks) {
    const label = Math.abs(tick) < 1e-12 ? '0' : `${signed(tick, decimals)} %`;
    const start = Math.max(0, column(tick) - Math.floor(label.length / 2));
    if ((start > line.length || (line === '' && start === 0)) && start + label.length <= plot + 6) {
      line = line.padEnd(start) + label;
    }
  }
  return line;
}
