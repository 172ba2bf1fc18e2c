import { loadFont } from '#font-source';
import { distinctLabels, plain, shortenUntil } from '../../../text/plain.ts';
import type { Weight } from './font-source.ts';
import { SIZE } from './theme.ts';

const cache = new Map<Weight, ReturnType<typeof loadFont>>();

/** The font of this weight. It is read once. */
export function fontOf(weight: Weight): ReturnType<typeof loadFont> {
  const font = cache.get(weight) ?? loadFont(weight);
  cache.set(weight, font);
  return font;
}

/** Shortens a line with an ellipsis in its middle, so that beginning and end (often a tag) stay, until it is at most `maxPx` wide. */
export function shortenToWidth(text: string, maxPx: number, sizePx: number, weight: Weight): string {
  const font = fontOf(weight);
  return shortenUntil(text, (shorter) => font.width(shorter, sizePx) <= maxPx, 2);
}

/** Breaks a text at spaces into lines at most `maxPx` wide; a single word that is wider is shortened. */
export function wrapToWidth(text: string, maxPx: number, sizePx: number, weight: Weight): string[] {
  const font = fontOf(weight);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && font.width(longer, sizePx) > maxPx) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  if (line !== '') lines.push(line);
  return lines.map((l) => shortenToWidth(l, maxPx, sizePx, weight));
}

/** Names of variants as the charts write them: bold, at most 200 pixels wide, all different. */
export function variantLabels(names: readonly string[]): string[] {
  return distinctLabels(
    names.map((name) => plain(name, 200)),
    (name) => shortenToWidth(name, 200, SIZE.text, 'bold'),
  );
}
