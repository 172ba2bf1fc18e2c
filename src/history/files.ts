import { join } from 'node:path';
import { RESULT_FILES } from '../system/result-files.ts';
import { ResultFolder } from '../system/result-folder.ts';
import type { HistoryRecord } from './record.ts';
import { trendOf } from './trend.ts';

/** Writes history.html and history.csv into a folder. Throws what the file system throws. */
export async function writeHistory(records: readonly HistoryRecord[], outDir: string): Promise<readonly string[]> {
  // chart.js is only read here, so that everything else starts without it.
  const { historyHtml } = await import('./page/page.ts');
  const { historyCsv } = await import('./page/csv.ts');
  const places = trendOf(records);
  const files = { [RESULT_FILES.historyPage]: historyHtml(places), [RESULT_FILES.historyCsv]: historyCsv(places) };
  using folder = ResultFolder.open(outDir);
  for (const [name, text] of Object.entries(files)) await folder.replace(name, text);
  return Object.keys(files).map((name) => join(outDir, name));
}
