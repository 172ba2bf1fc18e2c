import type { RunResult } from '../../analysis/results.ts';
import { plural } from '../../text/plain.ts';
import { rowsHtml } from '../document/html.ts';
import { runTable } from '../sections/variants.ts';
import { element, keepFocus } from './element.ts';

const STEP = 500;

/** Adds a button that extends the table of runs to all of them. */
export function moreRuns(section: HTMLElement, runs: readonly RunResult[]): void {
  const body = section.querySelector('tbody');
  if (body === null || body.rows.length >= runs.length) return;
  section.querySelector('details .note')?.remove();
  const button = element('button', { type: 'button' });
  const scroll = body.closest<HTMLElement>('.scroll');
  const tell = (): void => {
    const left = runs.length - body.rows.length;
    button.textContent = `Show ${Math.min(STEP, left)} more of ${plural(left, 'line')} left`;
    button.hidden = left === 0;
    if (scroll !== null) keepFocus(button, scroll);
  };
  button.addEventListener('click', () => {
    const from = body.rows.length;
    body.insertAdjacentHTML('beforeend', rowsHtml(runTable(runs.slice(from, from + STEP))).join(''));
    tell();
  });
  scroll?.after(element('p', { class: 'controls' }, button));
  tell();
}
