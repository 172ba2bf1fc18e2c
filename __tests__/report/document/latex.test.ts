// Class: unit.
import { expect, it } from '@jest/globals';
import { table } from '../../../src/report/document/blocks.ts';
import { tablesLatex } from '../../../src/report/document/latex.ts';
import { hostileNames } from '../fixtures.ts';

it('writes a table whose rows have a cell a column, whatever the names are', () => {
  const names = [...hostileNames, '\\\\', '& \\\\ \\hline', '% rest', '[2em]', '*'];
  const made = tablesLatex([
    table('Changes of 3 % & more', names, [
      { head: 'Variant', cell: (name) => ({ name }) },
      { head: 'Energy', numeric: true, cell: () => '−3.2 ± 0.1 J' },
      { head: 'Verdict', cell: () => ({ verdict: 'decrease' }) },
    ]),
  ]);
  expect(made).toContain('\\caption{Changes of 3~\\% \\& more}\n  \\begin{tabular}{lrl}\n    \\toprule\n');
  const rows = made
    .slice(made.indexOf('\\midrule\n') + 9, made.indexOf('    \\bottomrule'))
    .trimEnd()
    .split('\n');
  expect(rows).toHaveLength(names.length);
  for (const row of rows) {
    expect(row).toMatch(/^ {4}\\texttt\{.*\} & \$-\$3\.2 \$\\pm\$ 0\.1~J & less energy \\\\$/);
    expect(row.match(/(?<!\\)&/g)).toHaveLength(2);
    // No comment begins in it, and the only end of a row is its own.
    expect(row.slice(0, -2)).not.toMatch(/(?<!\\)%|\\\\/);
  }
});
