import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Analysis } from '../analysis/results.ts';
import type { StoreReader } from '../store/records.ts';
import { replaceFile } from '../system/replace-file.ts';
import { type RESULT_FILES, resultPath } from '../system/result-files.ts';
import { badgeFacts, badgeJson, badgeOf, badgeSvg } from './badge.ts';
import { commentMarkdown } from './comment.ts';
import { phasesCsv, runsCsv, samplesCsv } from './csv.ts';
import { findingsJson } from './findings-json.ts';
import { summaryMarkdown } from './summary.ts';

export interface ReportExtras {
  /** Where samples.csv is read from; without it there is none. */
  readonly reader?: StoreReader;
}

/**
 * Everything of a result except experiment.db, into `outDir`, which is made where it is missing. A file is there whole or
 * as it was before; findings.json comes first, because everything else can be made from the database again.
 * Charts that these data don't allow are removed when an earlier report left them. Throws what the file system throws.
 */
export async function writeReport(analysis: Analysis, outDir: string, extras: ReportExtras = {}): Promise<void> {
  const write = (file: keyof typeof RESULT_FILES, content: string | Uint8Array | Iterable<string>): Promise<void> =>
    replaceFile(resultPath(outDir, file), content);
  await write('findings', findingsJson(analysis.findings));
  await write('comment', commentMarkdown(analysis.findings));
  await write('summary', summaryMarkdown(analysis.findings, analysis.runs));
  const badge = badgeOf(badgeFacts(analysis.findings));
  await write('badgeJson', badgeJson(badge));
  await write('badgeSvg', badgeSvg(badge));
  await write('runs', runsCsv(analysis.runs));
  const phases = phasesCsv(analysis.runs);
  if (phases === null) await rm(resultPath(outDir, 'phases'), { force: true });
  else await write('phases', phases);
  if (extras.reader !== undefined) await write('samples', samplesCsv(extras.reader));
  // chart.js and the renderer are only read here, so that measuring starts and runs without them.
  const { reportHtml } = await import('./html.ts');
  const { CHART_FILES, chartFiles } = await import('./charts/files.ts');
  await write('report', reportHtml(analysis));
  const charts = await chartFiles(analysis);
  const folder = resultPath(outDir, 'charts');
  for (const { name, content } of charts) await replaceFile(join(folder, name), content);
  for (const name of CHART_FILES) {
    if (!charts.some((chart) => chart.name === name)) await rm(join(folder, name), { force: true });
  }
}
