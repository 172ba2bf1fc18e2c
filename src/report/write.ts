import type { ProfileTree } from '../analysis/explain/tree.ts';
import type { Analysis } from '../analysis/results.ts';
import type { StoreReader } from '../store/records.ts';
import { RESULT_FILES } from '../system/result-files.ts';
import { ResultFolder } from '../system/result-folder.ts';
import { screenJson, visible } from '../text/plain.ts';
import { badgeFacts, badgeJson, badgeOf, badgeSvg } from './badge.ts';
import { commentMarkdown } from './comment.ts';
import { confirmingFile } from './confirm.ts';
import { phasesCsv, runsCsv, samplesCsv } from './csv.ts';
import { findingsJson } from './findings-json.ts';
import { isProfileFile, profileFiles } from './profiles/files.ts';
import { summaryMarkdown } from './summary.ts';

export interface ReportExtras {
  /** Where samples.csv is read from; without it there is none. */
  readonly reader?: StoreReader;
}

/** As they were written: what is published is never read back from a folder that others may write in. */
export interface ReportTexts {
  readonly comment: string;
  readonly summary: string;
  /** confirm.yml, which is no text of a result; absent: none is offered. */
  readonly confirm?: string;
}

/**
 * Everything of a result except experiment.db, into `outDir`, which is created if it is missing. A file is there whole or
 * as it was before; findings.json comes first, because everything else can be made from the database again.
 * Charts that these data don't allow are removed when an earlier report left them. Throws what the file system throws.
 */
export async function writeReport(analysis: Analysis, outDir: string, extras: ReportExtras = {}): Promise<ReportTexts> {
  const findings = findingsJson(analysis.findings);
  using folder = ResultFolder.open(outDir);
  const write = (file: keyof typeof RESULT_FILES, content: string | Uint8Array | Iterable<string>): Promise<void> =>
    folder.replace(RESULT_FILES[file], content);
  await write('findings', findings);
  const { explanation } = analysis.findings;
  const confirm = explanation && extras.reader ? confirmingFile(explanation, extras.reader.definition()) : null;
  const texts = {
    comment: commentMarkdown(analysis.findings),
    summary: summaryMarkdown(analysis.findings, analysis.runs),
    ...(confirm !== null && { confirm }),
  };
  await write('comment', texts.comment);
  await write('summary', texts.summary);
  const badge = badgeOf(badgeFacts(analysis.findings));
  await write('badgeJson', badgeJson(badge));
  await write('badgeSvg', badgeSvg(badge));
  await write('runs', runsCsv(analysis.runs, analysis.findings));
  const phases = phasesCsv(analysis.runs);
  if (phases === null) folder.remove(RESULT_FILES.phases);
  else await write('phases', phases);
  if (explanation === undefined) folder.remove(RESULT_FILES.explain);
  else await write('explain', `${screenJson(JSON.stringify(explanation, null, 2))}\n`);
  if (confirm === null) folder.remove(RESULT_FILES.confirm);
  else await write('confirm', confirm);
  const { asWritten } = extras.reader?.definition() ?? {};
  if (asWritten === undefined) folder.remove(RESULT_FILES.experiment);
  // A database may have been made up: a terminal is shown nothing but what it says.
  else await write('experiment', asWritten.split('\n').map(visible).join('\n'));
  if (extras.reader !== undefined) await write('samples', samplesCsv(extras.reader));
  // chart.js and the renderer are only read here, so that measuring starts and runs without them.
  const { reportHtml, treeOf } = await import('./html.ts');
  const { CHART_FILES, chartFiles } = await import('./charts/draw.ts');
  const tree = treeOf(analysis);
  await write('report', reportHtml(analysis, tree));
  const charts = await chartFiles(analysis);
  using pictures = folder.folder(RESULT_FILES.charts);
  for (const { name, content } of charts) await pictures.replace(name, content);
  for (const name of CHART_FILES) {
    if (!charts.some((chart) => chart.name === name)) await pictures.remove(name);
  }
  await writeProfiles(tree, analysis.findings.experiment.name, folder);
  return texts;
}

async function writeProfiles(tree: ProfileTree | null, title: string, folder: ResultFolder): Promise<void> {
  if (tree === null && !folder.names().includes(RESULT_FILES.profiles)) return;
  {
    using profiles = folder.folder(RESULT_FILES.profiles);
    const earlier = new Set(profiles.names().filter(isProfileFile));
    if (tree !== null) {
      for (const { name, content } of profileFiles(tree, title)) {
        await profiles.replace(name, content);
        earlier.delete(name);
      }
    }
    for (const name of earlier) profiles.remove(name);
  }
  if (tree === null) folder.removeEmpty(RESULT_FILES.profiles);
}
