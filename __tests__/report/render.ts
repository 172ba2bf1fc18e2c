import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** GitHub Flavored Markdown to HTML, with the raw HTML that a forge lets through. */
export function render(markdown: string): string {
  return micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

/** Names of the elements in a rendered text, each once, sorted. */
export function elements(html: string): string[] {
  return [...new Set([...html.matchAll(/<([a-z][a-z0-9-]*)/gi)].map((match) => match[1]!.toLowerCase()))].sort();
}

/** What a reader sees: text without elements, entities read; a space that does not break is a space. */
export function visible(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replaceAll('\u00a0', ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&amp;/g, '&');
}
