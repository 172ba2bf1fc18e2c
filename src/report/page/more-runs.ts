import type { RunResult } from '../../analysis/results.ts';
import { plain, plural } from '../../text/plain.ts';
import { type Cell, isNumeric, runTable } from '../tables.ts';
import { element } from './element.ts';

const STEP = 500;

/** Lets the table of runs grow to all of them. */
export function moreRuns(section: HTMLElement, runs: readonly RunResult[]): void {
  const body = section.querySelector('tbody');
  if (body === null || body.rows.length >= runs.length) return;
  section.querySelector('details .note')?.remove();
  const button = element('button', { type: 'button' });
  const tell = (): void => {
    const left = runs.length - body.rows.length;
    button.textContent = `Show ${Math.min(STEP, left)} more of ${plural(left, 'run')} left`;
    button.hidden = left === 0;
  };
  button.addEventListener('click', () => {
    const from = body.rows.length;
    const { head, rows } = runTable(runs.slice(from, from + STEP));
    body.append(...rows.map((row) => element('tr', {}, ...row.map((cell, i) => cellOf(cell, isNumeric(head[i]!))))));
    tell();
  });
  body.closest('.scroll')?.after(element('p', { class: 'controls' }, button));
  tell();
}

function cellOf(cell: Cell, numeric: boolean): HTMLTableCellElement {
  const content =
    typeof cell === 'string' ? plain(cell) : element('code', {}, element('bdi', {}, plain(cell.name, 300)));
  return element('td', { class: numeric ? 'number' : null }, content);
}
