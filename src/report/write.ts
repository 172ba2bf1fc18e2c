import type { Analysis } from '../analysis/results.ts';
import type { StoreReader } from '../store/reader.ts';
import { RESULT_FILES } from '../system/result-files.ts';
import { ResultFolder } from '../system/result-folder.ts';
import { screenJson, visible } from '../text/plain.ts';
import { badgeFacts, badgeJson, badgeSvg, formatBadge } from './badge.ts';
import { commentMarkdown } from './comment.ts';
import { phasesCsv, runsCsv, samplesCsv } from './csv.ts';
import { findingsJson } from './findings-json.ts';
import type { ReportPart } from './part.ts';
import { summaryMarkdown } from './summary.ts';

export interface ReportExtras {
  /** Source of samples.csv; absent: that file is not written. */
  readonly reader?: StoreReader;
  /** Absent: this build has no part that adds files. */
  readonly part?: ReportPart | undefined;
}

/** Texts as they were written. Publishing uses these, since other users may be able to change the folder. */
export interface ReportTexts {
  readonly comment: string;
  readonly summary: string;
  /** confirm.yml, an experiment that tests a cause; absent: none is proposed. */
  readonly confirm?: string;
}

/**
 * Writes all files of a result except experiment.db to `outDir`, which is created if it is missing. Each file is replaced completely or not
 * at all; findings.json comes first, because everything else can be made from the database again.
 * Charts of an earlier report that these data don't allow are removed. Throws the file system's error.
 */
export async function writeReport(analysis: Analysis, outDir: string, extras: ReportExtras = {}): Promise<ReportTexts> {
  const findings = findingsJson(analysis.findings);
  using folder = ResultFolder.open(outDir);
  /** Without content, the file of an earlier report is removed. */
  const write = async (file: keyof typeof RESULT_FILES, content: string | Iterable<string> | null | undefined) => {
    if (content == null) folder.remove(RESULT_FILES[file]);
    else await folder.replace(RESULT_FILES[file], content);
  };
  await write('findings', findings);
  const { explanation } = analysis.findings;
  const texts = {
    comment: commentMarkdown(analysis.findings),
    summary: summaryMarkdown(analysis.findings, analysis.runs),
  };
  await write('comment', texts.comment);
  await write('summary', texts.summary);
  const badge = formatBadge(badgeFacts(analysis.findings));
  await write('badgeJson', badgeJson(badge));
  await write('badgeSvg', badgeSvg(badge));
  await write('runs', runsCsv(analysis.runs, analysis.findings));
  await write('phases', phasesCsv(analysis.runs, analysis.findings));
  await write('explain', explanation && `${screenJson(JSON.stringify(explanation, null, 2))}\n`);
  // A database may be made up: control sequences for a terminal are removed.
  await write('experiment', extras.reader?.definition().asWritten?.split('\n').map(visible).join('\n'));
  if (extras.reader !== undefined) await write('samples', samplesCsv(extras.reader));
  // chart.js and the renderer are loaded only here, so that measuring does not load them.
  const { reportHtml } = await import('./html.ts');
  const { CHART_FILES, chartFiles } = await import('./charts/draw.ts');
  const added = await extras.part?.(analysis);
  await write('report', reportHtml(analysis, added?.figure));
  const charts = await chartFiles(analysis);
  using pictures = folder.folder(RESULT_FILES.charts);
  for (const { name, content } of charts) await pictures.replace(name, content);
  for (const name of CHART_FILES) {
    if (!charts.some((chart) => chart.name === name)) await pictures.remove(name);
  }
  const confirm = await added?.write(folder, extras.reader);
  return { ...texts, ...(typeof confirm === 'string' && { confirm }) };
}
