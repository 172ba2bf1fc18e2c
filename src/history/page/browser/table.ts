import type { Link } from '../../../report/document/text.ts';
import { element } from '../../../report/page/element.ts';
import type { TrendSeries } from '../../trend.ts';
import { type ExperimentRow, rowReader } from '../rows.ts';

const ROWS = 100;

/** Leads through all experiments of a place, the latest first, a hundred at a time. */
export function experimentTable(details: HTMLDetailsElement, series: TrendSeries): void {
  const body = details.querySelector('tbody');
  const count = series.startedAt.length;
  if (body === null) return;
  details.querySelector('.static')?.remove();
  let read: ((at: number) => ExperimentRow) | null = null;
  let first = 0;
  const position = element('span', { 'aria-live': 'polite' });
  const button = (text: string, by: number): HTMLButtonElement => {
    const made = element('button', { type: 'button' }, text);
    made.addEventListener('click', () => show(first + by));
    return made;
  };
  const [later, earlier] = [button('Later', -ROWS), button('Earlier', ROWS)];
  const show = (from: number): void => {
    first = from;
    read ??= rowReader(series);
    const last = Math.min(count, first + ROWS);
    body.replaceChildren(...Array.from({ length: last - first }, (_, i) => rowOf(read!(count - 1 - first - i))));
    later.disabled = first === 0;
    earlier.disabled = last === count;
    position.textContent = `${first + 1} to ${last} of ${count}`;
  };
  if (count > ROWS) details.append(element('div', { class: 'controls' }, later, earlier, position));
  details.addEventListener('toggle', () => {
    if (details.open && read === null) show(0);
  });
}

function rowOf({ date, commit, energies, notes, report }: ExperimentRow): HTMLTableRowElement {
  return element(
    'tr',
    {},
    element('td', {}, date),
    element('td', {}, linkOf(commit)),
    ...energies.map((text) => element('td', { class: 'number' }, text)),
    element('td', { class: 'long' }, notes.join('; ')),
    element('td', {}, linkOf(report)),
  );
}

function linkOf(text: Link | string): Node | string {
  return typeof text === 'string' ? text : element('a', { href: text.href, rel: 'noreferrer' }, text.link);
}
