import { note, type Part, paragraph, table } from '../../report/document/blocks.ts';
import { joined, type Link, type Text } from '../../report/document/text.ts';
import type { TrendSeries } from '../trend.ts';
import { type ExperimentRow, rebuiltRows, rowReader, stepRows } from './rows.ts';

/** Rows that the page shows without its program. */
const FIRST_ROWS = 30;
const MOST_MARKS = 100;

export function stepsTable(series: TrendSeries): Part {
  const rows = stepRows(series);
  if (rows.length === 0) return note('No change of level was found.');
  return [
    { kind: 'heading', level: 3, text: ['Steps found'] },
    table('Steps found', rows.slice(0, MOST_MARKS), [
      { head: 'First measured after it (UTC)', cell: ({ date }) => date },
      { head: 'Variant', cell: ({ variant }) => ({ name: variant }) },
      { head: 'Size', numeric: true, cell: ({ size }) => size },
      { head: 'Between the commits', cell: ({ before, behind }) => [before, ' → ', behind] },
      { head: 'It may begin at', cell: ({ range }) => (range.length === 0 ? 'only there' : linked(range)) },
      { head: 'What else changed', cell: ({ changed }) => changed },
    ]),
    more(rows.length),
  ];
}

function linked(commits: readonly (Link | string)[]): Text {
  return joined(
    commits.map((commit) => [commit]),
    ' to ',
  );
}

/** Null where no image was rebuilt. */
export function rebuiltTable(series: TrendSeries): Part {
  const rows = rebuiltRows(series);
  if (rows.length === 0) return null;
  const title = 'Images rebuilt under the same tag';
  return [
    { kind: 'heading', level: 3, text: [title] },
    table(title, rows.slice(0, MOST_MARKS), [
      { head: 'First used (UTC)', cell: ({ date }) => date },
      { head: 'Image', cell: ({ reference }) => ({ name: reference }) },
      { head: 'Digest before', cell: ({ from }) => ({ code: from }) },
      { head: 'Digest now', cell: ({ to }) => ({ code: to }) },
      { head: 'Commit', cell: ({ commit }) => commit },
    ]),
    more(rows.length),
  ];
}

function more(count: number): Part {
  return count > MOST_MARKS ? note(`The latest ${MOST_MARKS} of ${count}; all of them are in history.csv.`) : null;
}

/** The latest experiments; the program of the page leads to all others. */
export function experimentsTable(series: TrendSeries): Part {
  const read = rowReader(series);
  const count = series.startedAt.length;
  const rows = Array.from({ length: Math.min(count, FIRST_ROWS) }, (_, i) => read(count - 1 - i));
  const left = `The latest ${FIRST_ROWS} of ${count}; all of them are in history.csv.`;
  return [
    table('Experiments', rows, [
      { head: 'Measured (UTC)', cell: ({ date }) => date },
      { head: 'Commit', cell: ({ commit }) => commit },
      ...series.lines.map(({ variant }, i) => ({
        head: { strong: [{ name: variant }, ' (J)'] },
        numeric: true,
        cell: ({ energies }: ExperimentRow) => energies[i]!,
      })),
      { head: 'Remarks', cell: ({ notes }) => notes.join('; ') },
      { head: 'Report', cell: ({ report }) => report },
    ]),
    count > FIRST_ROWS ? { ...paragraph(left), role: 'fallback' } : null,
  ];
}
