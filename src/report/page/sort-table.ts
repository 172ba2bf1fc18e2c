import { element } from './element.ts';
import { inOrder } from './row-order.ts';

/** Minimum rows of a comparison table that can be searched and sorted. */
const MIN_ROWS = 8;

/** Lets a reader search the rows of a table and sort them by a column. */
export function sortTable(table: HTMLTableElement): void {
  const [body] = table.tBodies;
  if (body === undefined || body.rows.length < MIN_ROWS) return;
  const rows = [...body.rows];
  const search = element('input', {
    type: 'search',
    'aria-label': 'Search the rows of this table',
    placeholder: 'Search',
  }) as HTMLInputElement;
  const found = element('span', { 'aria-live': 'polite' }, `${rows.length} rows`);
  search.addEventListener('input', () => {
    const words = search.value.toLowerCase();
    const shown = rows.filter((row) => {
      row.hidden = !(row.textContent ?? '').toLowerCase().includes(words);
      return !row.hidden;
    });
    found.textContent = `${shown.length} of ${rows.length} rows`;
  });
  table.closest('.scroll')?.before(element('div', { class: 'controls' }, search, found));
  for (const [column, head] of [...(table.tHead?.rows[0]?.cells ?? [])].entries()) {
    const button = element('button', { type: 'button', class: 'sort' });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const falls = head.ariaSort === 'ascending';
      for (const other of table.tHead?.rows[0]?.cells ?? []) other.ariaSort = null;
      head.ariaSort = falls ? 'descending' : 'ascending';
      body.append(...inOrder(rows, (row) => row.cells[column]?.textContent ?? '', falls));
    });
  }
}
