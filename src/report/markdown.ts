/** Markdown around a report, which whoever posts it writes by himself. */

/** A coloured box on GitHub and Gitea, a quotation elsewhere. */
export function alertBox(kind: 'CAUTION' | 'WARNING' | 'NOTE', lines: readonly string[]): string {
  return [`> [!${kind}]`, ...lines.map((line) => `> ${line}`)].join('\n');
}

/** Paragraphs; empty ones are left out. */
export function paragraphs(parts: readonly (string | null)[]): string {
  return `${parts.filter((part) => part !== null && part !== '').join('\n\n')}\n`;
}
