import { element } from './element.ts';

/** Rows from which a table of comparisons is searched and sorted. */
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
      const key = (row: HTMLTableRowElement): string => row.cells[column]?.textContent ?? '';
      const sorted = rows.toSorted((a, b) => compareCells(key(a), key(b)));
      body.append(...(falls ? sorted.reverse() : sorted));
    });
  }
}

/** By the first number of each, where both have one; else as words. What is empty comes last. */
function compareCells(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => /[+−-]?\d[\d,]*(?:\.\d+)?/.exec(text)?.[0].replace('−', '-').replaceAll(',', ''));
  if (x !== undefined && y !== undefined) return Number(x) - Number(y);
  if (x !== undefined || y !== undefined) return x === undefined ? 1 : -1;
  return a.localeCompare(b);
}
