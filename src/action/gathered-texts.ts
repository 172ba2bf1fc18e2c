import { COMMENT_BYTES } from '../forge/comment.ts';
import { markdownName, markdownText } from '../report/escape.ts';
import { gatheredComment, gatheredSummary } from '../report/gathered/gathered.ts';
import { alertBox, paragraphs } from '../report/markdown.ts';
import type { Gathered } from './gathered.ts';

/** Refusals that are told one by one. */
const MOST_REFUSED = 8;

/** What stands around the results. */
export interface Frame {
  /** Where they come from; null: from this very run. Markdown. */
  readonly note: string | null;
  /** Link at the end. Markdown. */
  readonly link: string | null;
}

/** The comment, at most 60,000 bytes. `results` is not empty. */
export function gatheredCommentText({ results, refused }: Gathered, { note, link }: Frame): string {
  const around = paragraphs([note, refusedSection(refused), link]);
  const report = gatheredComment(results, COMMENT_BYTES - Buffer.byteLength(around) - 10);
  return paragraphs([note, report.trimEnd(), refusedSection(refused), link]).trimEnd();
}

/** Texts for the job summary, the best first. `results` is not empty. */
export function gatheredSummaries(gathered: Gathered, { note }: Frame): string[] {
  const refused = refusedSection(gathered.refused);
  const texts = [gatheredSummary(gathered.results), gatheredComment(gathered.results)];
  return texts.map((report) => paragraphs([note, report.trimEnd(), refused]).trimEnd());
}

export function refusedSection(refused: Gathered['refused']): string | null {
  if (refused.length === 0) {
    return null;
  }
  const lines = refused.slice(0, MOST_REFUSED).map(({ name, reason }) => {
    return `- ${markdownName(name)} was not taken: ${markdownText(reason, 300)}`;
  });
  const more = refused.length - lines.length;
  return alertBox('WARNING', more === 0 ? lines : [...lines, `- … and ${more} more.`]);
}
