import { join } from 'node:path';
import { replaceFile } from '../system/replace-file.ts';
import { RESULT_FILES } from '../system/result-files.ts';
import type { HistoryRecord } from './record.ts';
import { trendOf } from './trend.ts';

/** Writes history.html and history.csv into a folder. Throws what the file system throws. */
export async function writeHistory(records: readonly HistoryRecord[], outDir: string): Promise<readonly string[]> {
  // chart.js is only read here, so that everything else starts without it.
  const { historyHtml } = await import('./page/page.ts');
  const { historyCsv } = await import('./page/csv.ts');
  const places = trendOf(records);
  const files = { [RESULT_FILES.historyPage]: historyHtml(places), [RESULT_FILES.historyCsv]: historyCsv(places) };
  const paths = Object.keys(files).map((name) => join(outDir, name));
  for (const [name, text] of Object.entries(files)) await replaceFile(join(outDir, name), text);
  return paths;
}
