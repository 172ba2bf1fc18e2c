import { InputError, Stopped } from '../errors.ts';
import { COMMENT_BYTES } from '../forge/comment.ts';
import type { ExperimentResult } from '../run/run.ts';
import { errorNote } from './error-text.ts';

/** Texts for the job summary, the most detailed first; the others are for when it does not fit. */
export function summaryTexts(result: ExperimentResult): string[] {
  const note = noteOf(result);
  const texts = [result.texts?.summary ?? null, result.texts?.comment ?? null];
  return [...texts.map((text) => paragraphs(note, text?.trimEnd() ?? null)), paragraphs(note)].filter(
    (text) => text !== '',
  );
}

/** Addresses of the uploads; null: there is none. */
export interface Uploaded {
  readonly artifactUrl: string | null;
  /** The report alone, viewable in a browser. */
  readonly reportUrl: string | null;
}

/** Whether a failure is not worth a comment: workflow mistakes and cancellations without a result are only logged. */
export function isUnreported({ error, texts }: ExperimentResult): boolean {
  return texts === null && (error instanceof Stopped || error instanceof InputError);
}

/** Text of the comment, with links to the report and the artifact, or to the workflow run; null: no comment. */
export function commentText(
  result: ExperimentResult,
  { artifactUrl, reportUrl }: Uploaded,
  runUrl: string | null,
): string | null {
  const report = result.texts?.comment.trimEnd() ?? null;
  const note = isUnreported(result) ? null : noteOf(result);
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

function paragraphs(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join('\n\n');
}
