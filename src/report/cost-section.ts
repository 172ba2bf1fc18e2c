import type { Findings } from '../findings/findings.ts';
import { costIntro, costTable } from './cost-words.ts';
import { markdownText } from './escape.ts';
import { folded, markdownTable } from './markdown.ts';

/** Comparisons whose costs stand open; more are folded. */
const MOST_OPEN = 3;

/** Money and carbon as Markdown, of at most so many comparisons; null: neither price nor intensity was given. */
export function costSection(findings: Findings, most: number): string | null {
  const { costs } = findings;
  if (!costs || most === 0) return null;
  const table = costTable(findings, costs, most);
  if (table.rows.length === 0) return null;
  const all = Math.max(costs.differences.length, costs.differences.length === 0 ? costs.variants.length : 0);
  const note = all > most ? `\n\n${all - most} more are in findings.json.` : '';
  const intro = markdownText(costIntro(findings, costs));
  if (all <= MOST_OPEN) return `**Cost.** ${intro}\n\n${markdownTable(table)}`;
  return folded('Cost', `${intro}\n\n${markdownTable(table)}${note}`);
}
