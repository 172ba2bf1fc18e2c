import { readFile, stat } from 'node:fs/promises';
import { InputError, Stopped } from '../errors.ts';
import { COMMENT_BYTES } from '../forge/comment.ts';
import type { ExperimentResult } from '../run/run.ts';
import { resultPath } from '../system/result-files.ts';
import { errorNote } from './error-text.ts';

/** A larger file was not written by the report. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Texts for the job summary, the best first; the others are for where that doesn't fit. */
export async function summaryTexts(result: ExperimentResult): Promise<string[]> {
  const note = noteOf(result);
  const texts = [await resultText(result, 'summary'), await resultText(result, 'comment')];
  return [...texts.map((text) => paragraphs(note, text)), paragraphs(note)].filter((text) => text !== '');
}

/** Addresses of what was uploaded; null: there is none. */
export interface Uploaded {
  readonly artifactUrl: string | null;
  /** The report by itself, which opens in the browser. */
  readonly reportUrl: string | null;
}

/** Text for the comment, with links to the report and the artifact or else to the workflow run; null: there is nothing to tell. */
export async function commentText(
  result: ExperimentResult,
  { artifactUrl, reportUrl }: Uploaded,
  runUrl: string | null,
): Promise<string | null> {
  const report = await resultText(result, 'comment');
  // A mistake in the workflow file and a cancelled job are told in the log; they are nothing to tell the conversation.
  const isPrivate = result.error instanceof Stopped || result.error instanceof InputError;
  const note = report === null && isPrivate ? null : noteOf(result);
  if (report === null && note === null) {
    return null;
  }
  const links =
    artifactUrl === null
      ? linkLine(link('This workflow run', runUrl))
      : linkLine(
          link('Interactive report', reportUrl),
          link(reportUrl === null ? 'Report and raw data' : 'Raw data', artifactUrl),
        );
  const full = paragraphs(note, report, links);
  return Buffer.byteLength(full) > COMMENT_BYTES && report !== null ? report : full;
}

function link(text: string, url: string | null): string {
  return url === null ? '' : `[${text}](${url})`;
}

function linkLine(...links: readonly string[]): string | null {
  const line = links.filter((each) => each !== '').join(' · ');
  return line === '' ? null : `<sub>${line}</sub>`;
}

function noteOf({ error, analysis }: ExperimentResult): string | null {
  return error === null || error === undefined ? null : errorNote(error, analysis !== null);
}

/** A text of this experiment's result; null where there is none, or only an earlier experiment's. */
async function resultText({ outDir, analysis }: ExperimentResult, file: 'summary' | 'comment'): Promise<string | null> {
  const path = resultPath(outDir, file);
  try {
    return analysis !== null && (await stat(path)).size <= MOST_BYTES ? (await readFile(path, 'utf8')).trimEnd() : null;
  } catch {
    return null;
  }
}

function paragraphs(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join('\n\n');
}
