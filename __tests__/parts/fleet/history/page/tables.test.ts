// Class: unit.
import { expect, it } from '@jest/globals';
import { imagesTable, rebuiltTable } from '../../../../../src/parts/fleet/history/page/tables.ts';
import { trendOf } from '../../../../../src/parts/fleet/history/trend.ts';
import { renderHtml } from '../../../../../src/report/document/html.ts';
import { line } from '../records.ts';

it('the tables of images name no file for the others, since history.csv has none of them', () => {
  const [series] = trendOf(line({ count: 120, rebuilt: Array.from({ length: 110 }, (_, i) => i + 1) }));
  const compared = {
    baseline: 'a',
    variant: 'b',
    references: ['a:1', 'a:1'],
    from: 'sha256:1',
    to: 'sha256:2',
    percent: 1,
    ci95: null,
  } as const;
  const imagesCompared = series!.startedAt.map((_, at) => ({ ...compared, at }));
  expect(renderHtml([rebuiltTable(series!)])).toContain('>The latest 100 of 110.<');
  expect(renderHtml([imagesTable({ ...series!, imagesCompared })])).toContain('>The latest 100 of 120.<');
});
