import { plain, shorten, visible } from '../text/plain.ts';
import { shellWord } from '../text/shell.ts';

/** Escaping for each document format: all text from a workload, a file or an artifact must pass through one of these functions. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text or attribute value of HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);
}

/** Text or attribute value of SVG; characters that XML forbids are gone. */
export function escapeXml(text: string): string {
  return escapeHtml(plain(text, 2000));
}

/** Text from outside for HTML: visible characters only, on one line. */
export function htmlText(text: string, limit = 500): string {
  return escapeHtml(plain(text, limit));
}

/** Like `htmlText`, for part of a line: blanks at its ends are kept. */
export function htmlProse(text: string, limit = 2000): string {
  return escapeHtml(shorten(visible(text), limit));
}

/** JSON for a `<script type="application/json">`: no `<`, so that nothing in it ends the element or starts a comment. */
export function escapeJsonForScript(json: string): string {
  return json
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
}

const MARKDOWN: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\\': '&#92;',
  '`': '&#96;',
  '|': '&#124;',
  // GitHub begins a formula at a dollar sign, even as an entity; an element around it prevents that.
  $: '<span>&#36;</span>',
};

/** U+2060 WORD JOINER: invisible, allows no line break, and interrupts mentions, numbers and links. */
const JOINER = '\u2060';

/**
 * A name for GitHub Markdown, as a code span, where no mentions, issue numbers, links, emoji or formulas are made.
 * Characters that a code span can't contain are replaced: a pipe, which even there splits table cells, by the broken bar ¦. Text that
 * looks like the comment's own hidden marker gets a joiner, because markers are searched in the source.
 */
export function markdownName(text: string, limit = 60): string {
  const line =
    plain(text, limit)
      .replace(/\|/g, '¦')
      .replace(/<(?=!)/g, `<${JOINER}`) || '(empty)';
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Prose for GitHub Markdown on a line of its own: shown as it is written, without formatting, mentions, references, links or emoji. */
export function markdownText(text: string, limit = 500): string {
  return markdownLine(markdownProse(plain(text, limit), limit));
}

/** Like `markdownText`, for part of a line: blanks at its ends are kept. */
export function markdownProse(text: string, limit = 500): string {
  const line = shorten(visible(text), limit)
    .replace(/[@#](?=\S)/gu, `$&${JOINER}`)
    .replace(/GH-(?=\d)/gi, `$&${JOINER}`)
    .replace(/:(?=\/\/|[a-z0-9_+-]+:)/gi, `$&${JOINER}`)
    .replace(/www(?=\.)/gi, `$&${JOINER}`)
    // For a forge, an underscore is not part of a word, unlike for \b.
    .replace(/(?<![0-9a-z])(?=\d*[a-f])[0-9a-f](?=[0-9a-f]{6,39}(?![0-9a-z]))/gi, `$&${JOINER}`);
  return line.replace(/[&<>\\`|$]/g, (c) => MARKDOWN[c] ?? c).replace(/[*_~[\]!]/g, '\\$&');
}

/** Escapes the beginning of a line, so that it starts no list, heading or rule. */
export function markdownLine(markdown: string): string {
  return markdown.replace(/^(?=(?:[-+]|#{1,6}|\d+[.)])(?:\s|$)|[-=]{2,}|=\s*$)/, JOINER);
}

/** One line inside a fenced block: it cannot end the fence, and no marker look-alike stands in the comment's source. */
export function fenced(text: string, limit = 200): string {
  return plain(text, limit).replace(/`/g, "'").replace(/</g, '‹').replace(/>/g, '›');
}

/** A label between quotes in a mermaid diagram: letters, digits and the few signs that no version of its grammar reads as syntax. */
export function mermaidLabel(text: string, limit = 24): string {
  const label = plain(text.replace(/[^\p{L}\p{N} ._:/=+-]/gu, '_'), limit).replace(/…/g, '..');
  return label === '' ? '_' : label;
}

/** One shell word for a command that a reader may copy. */
export function copiedWord(text: string): string {
  const line = plain(text, 1000);
  return /^[\w@%+=:,./-]+$/.test(line) ? line : shellWord(line);
}

const LATEX: ReadonlyMap<string, string> = new Map([
  ['\\', '\\textbackslash{}'],
  ['^', '\\textasciicircum{}'],
  ['~', '\\textasciitilde{}'],
  ['<', '\\textless{}'],
  ['>', '\\textgreater{}'],
  ['|', '\\textbar{}'],
  // babel makes this character active in some languages.
  ['"', '{\\char34}'],
  // At the beginning of a row, these would be parsed as an option of the row before.
  ['[', '{[}'],
  [']', '{]}'],
  ['*', '{*}'],
  ['\u00a0', '~'],
  ['−', '$-$'],
  ['±', '$\\pm$'],
  ['×', '$\\times$'],
  ['·', '$\\cdot$'],
  ['°', '$^\\circ$'],
  ['δ', '$\\delta$'],
  ['Δ', '$\\Delta$'],
  ['μ', '$\\mu$'],
  ['µ', '$\\mu$'],
  ['→', '$\\rightarrow$'],
  ['≤', '$\\leq$'],
  ['≥', '$\\geq$'],
  ['≈', '$\\approx$'],
  ['…', '\\ldots{}'],
  ['–', '--'],
  ['—', '---'],
  ['’', "'"],
]);

/** Letters that LaTeX makes of an ASCII letter and one accent in any of its fonts. */
const ACCENTED = /^[A-Za-z][\u0300-\u0304\u0306-\u0308\u030a-\u030c\u0327]$/;

/**
 * Escapes text for LaTeX, in prose or a table: it contains no commands, comments, arguments or ligatures. A character that pdfLaTeX's usual
 * fonts lack is written as its code point, `[U+4E2D]`, because it would stop the compilation.
 */
export function latexText(text: string, limit = 500): string {
  return [...shorten(visible(text), limit)]
    .map((c, i, all) => {
      const known = LATEX.get(c);
      if (known !== undefined) return known;
      if (/[{}$&#_%]/.test(c)) return `\\${c}`;
      // TeX joins neighbors such as -- or `` into one sign; the empty braces keep them apart.
      if (/[-'`,!?]/.test(c) && /[-'`,]/.test(all[i + 1] ?? '')) return `${c}{}`;
      if (/[ -~]/.test(c) || (c <= '\u017f' && ACCENTED.test(c.normalize('NFD'))) || /[ßæøœłÆØŒŁ]/.test(c)) return c;
      return `{[}U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}{]}`;
    })
    .join('');
}
