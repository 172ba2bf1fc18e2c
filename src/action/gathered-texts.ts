import { COMMENT_BYTES } from '../forge/comment.ts';
import { alert, firstItems } from '../report/document/blocks.ts';
import { renderMarkdown } from '../report/document/markdown.ts';
import type { Text } from '../report/document/text.ts';
import { gatheredComment, gatheredSummary } from '../report/gathered/gathered.ts';
import { plain } from '../text/plain.ts';
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
  if (refused.length === 0) return null;
  const items = refused.map(({ name, reason }): Text => [{ name }, ` was rejected: ${plain(reason, 300)}`]);
  const box = alert(
    'warning',
    firstItems(items, MOST_REFUSED, (count) => `… and ${count} more.`),
  );
  return renderMarkdown([box]).trimEnd();
}

/** Paragraphs of Markdown; empty ones are left out. */
function paragraphs(parts: readonly (string | null)[]): string {
  return `${parts.filter((part) => part !== null && part !== '').join('\n\n')}\n`;
}
