import { COMMENT_BYTES } from '../../../forge/comment.ts';
import { alert, firstItems, type Heading, paragraph, table } from '../../../report/document/blocks.ts';
import { renderMarkdown } from '../../../report/document/markdown.ts';
import type { Text } from '../../../report/document/text.ts';
import { plain, plural } from '../../../text/plain.ts';
import { gatheredComment, gatheredSummary } from '../report/gathered/gathered.ts';
import type { Gathered } from './gathered.ts';

/** Maximum rejected results that are listed one by one. */
const MAX_REFUSED = 8;
/** Maximum rows for jobs without a result. */
const MAX_MISSING = 50;

/** Text around the results. */
export interface Frame {
  /** Origin of the results, Markdown; null: this run. */
  readonly note: string | null;
  /** Link at the end. Markdown. */
  readonly link: string | null;
}

/** The comment, at most 60,000 bytes. Without results it says so. */
export function gatheredCommentText(gathered: Gathered, { note, link }: Frame): string {
  const [missing, refused] = [missingSection(gathered), refusedSection(gathered.refused)];
  const around = paragraphs([note, missing, refused, link]);
  const room = COMMENT_BYTES - Buffer.byteLength(around) - 10;
  const report = gathered.results.length === 0 ? NO_RESULT : gatheredComment(gathered.results, room);
  return paragraphs([note, report.trimEnd(), missing, refused, link]).trimEnd();
}

/** Texts for the job summary, the best first. */
export function gatheredSummaries(gathered: Gathered, { note }: Frame): string[] {
  const { results } = gathered;
  const texts = results.length === 0 ? [NO_RESULT] : [gatheredSummary(results), gatheredComment(results)];
  const after = [missingSection(gathered), refusedSection(gathered.refused)];
  return texts.map((report) => paragraphs([note, report.trimEnd(), ...after]).trimEnd());
}

const NO_RESULT_HEADING: Heading = {
  kind: 'heading',
  level: 1,
  verdict: 'failed',
  text: ['joulediff: no job left a result'],
};
const NO_RESULT = renderMarkdown([NO_RESULT_HEADING]);

/** A row for each job that should have left a result and has none. */
function missingSection({ missing, results }: Gathered): string | null {
  if (missing.length === 0) return null;
  const shown = missing.slice(0, MAX_MISSING);
  const rows = table('Jobs without a result', shown, [
    { head: 'Job', cell: ({ name }) => ({ name }) },
    {
      head: 'Result',
      cell: ({ conclusion }) => (conclusion === null ? 'none' : `none: it ended with ${plain(conclusion)}`),
    },
  ]);
  const left = missing.length - shown.length;
  const others = results.length === 0 ? '' : ' The numbers here are of the other jobs only.';
  const box = alert('warning', paragraph({ strong: [`${plural(missing.length, 'job')} without a result.`] }, others));
  return renderMarkdown([box, rows, left === 0 ? null : paragraph(`… and ${left} more.`)]).trimEnd();
}

export function refusedSection(refused: Gathered['refused']): string | null {
  if (refused.length === 0) return null;
  const items = refused.map(({ name, reason }): Text => [{ name }, ` was rejected: ${plain(reason, 300)}`]);
  const box = alert(
    'warning',
    firstItems(items, MAX_REFUSED, (count) => `… and ${count} more.`),
  );
  return renderMarkdown([box]).trimEnd();
}

/** Paragraphs of Markdown; empty ones are left out. */
function paragraphs(parts: readonly (string | null)[]): string {
  return `${parts.filter((part) => part !== null && part !== '').join('\n\n')}\n`;
}
