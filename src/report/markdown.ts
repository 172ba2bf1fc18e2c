import { markdownName, markdownText } from './escape.ts';
import { type Cell, headText, isNumeric, type Table } from './tables.ts';

/** Small building stones of GitHub Markdown. What they are given as Cell is escaped here; lines are not. */

export function markdownTable({ head, rows }: Table, nameLimit = 60): string {
  const cell = (content: Cell): string =>
    typeof content === 'string' ? markdownText(content, 300) : markdownName(content.name, nameLimit);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(head.map((h) => cell(headText(h)))),
    line(head.map((h) => (isNumeric(h) ? '---:' : '---'))),
    ...rows.map((row) =>
      line(row.map((content, i) => (isNumeric(head[i]!) ? unbroken(cell(content)) : cell(content)))),
    ),
  ].join('\n');
}

/** Numbers keep their units and intervals on one line; they may break before a bracket. */
function unbroken(text: string): string {
  return text.replace(/ (?!\()/g, '\u00a0');
}

export function folded(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

export function codeBlock(language: string, body: string): string {
  return `\`\`\`${language}\n${body}\n\`\`\``;
}

/** A coloured box on GitHub and Gitea, a quotation elsewhere. */
export function alertBox(kind: 'CAUTION' | 'WARNING' | 'NOTE', lines: readonly string[]): string {
  return [`> [!${kind}]`, ...lines.map((line) => `> ${line}`)].join('\n');
}

/** Paragraphs; empty ones are left out. */
export function paragraphs(parts: readonly (string | null)[]): string {
  return `${parts.filter((part) => part !== null && part !== '').join('\n\n')}\n`;
}
