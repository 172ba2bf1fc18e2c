import type { Merged } from '../../../findings/merged.ts';
import { type Heading, type Part, section } from '../../../report/document/blocks.ts';
import { renderMarkdown } from '../../../report/document/markdown.ts';
import { renderTerminal, type TerminalOptions } from '../../../report/document/terminal.ts';
import { name, text } from '../../../report/document/text.ts';
import type { Result } from '../analysis/merge.ts';
import { gatheredCommits, gatheredSources } from './gathered/sections.ts';
import { mergedSection } from './sections/merged.ts';

/** Results that are named one by one. */
const MAX_NAMED = 12;

/** What several machines say together, as plain text with a line end at its end. */
export function mergedTerminal(given: readonly Result[], merged: readonly Merged[], options: TerminalOptions): string {
  return renderTerminal(document(given, merged, options.width ?? 80), options);
}

export function mergedMarkdown(given: readonly Result[], merged: readonly Merged[]): string {
  return renderMarkdown(document(given, merged, 80));
}

function document(given: readonly Result[], merged: readonly Merged[], width: number): Part[] {
  const parts = merged.map((one): Part => {
    const content = mergedSection(one, { width, isFolded: false });
    return merged.length === 1
      ? content
      : section('', text`${name(one.variant)} against ${name(one.baseline)}`, content);
  });
  return [title(merged), gatheredSources(given, MAX_NAMED), gatheredCommits(given, MAX_NAMED), ...parts];
}

function title(merged: readonly Merged[]): Heading {
  const machines = Math.max(...merged.map((one) => one.machines.length));
  const [first] = merged;
  const what =
    first !== undefined && merged.length === 1
      ? text`${name(first.variant)} against ${name(first.baseline)}`
      : [`${merged.length} comparisons`];
  return {
    kind: 'heading',
    level: 1,
    text:
      first?.by === 'result'
        ? text`${what} in ${String(machines)} results`
        : text`${what} on ${String(machines)} machines`,
  };
}
