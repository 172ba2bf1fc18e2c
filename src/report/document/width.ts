import measureWidth from 'fast-string-truncated-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { unitsBound, unitsFree } from '../../text/numbers.ts';
import { shortenUntil } from '../../text/plain.ts';

/** Number of terminal columns of a text. */
export function displayWidth(text: string): number {
  return measureWidth(text).width;
}

/** The first `width` columns of a text. */
export function cutWidth(text: string, width: number): string {
  return text.slice(0, measureWidth(text, { limit: width }).index);
}

/** Shortens a text to `width` columns, with … in the middle. */
export function fitWidth(text: string, width: number): string {
  return shortenUntil(text, (shorter) => displayWidth(shorter) <= width);
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** Lines of at most `width` columns, broken at spaces if possible, but not between a number and its unit. */
export function wrap(text: string, width: number): string[] {
  return unitsFree(wrapAnsi(unitsBound(text), width, { hard: true })).split('\n');
}

/**
 * Wraps a name to lines of at most `width` columns, further ones indented, preferably after separators of its parts;
 * nothing is left out.
 */
export function wrapName(name: string, width: number): string[] {
  if (displayWidth(name) <= width) return [name];
  const lines: string[] = [];
  let line = '';
  for (const part of name.split(/(?<=[\s/:@_-])/u)) {
    if (displayWidth(`${line}${part}`.trimEnd()) <= width - 2) {
      line += part;
      continue;
    }
    const pieces = wrapAnsi(part, width - 2, { hard: true, trim: false }).split('\n');
    lines.push(...(line === '' ? [] : [line]), ...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
  }
  return [...lines, line].map((text, i) => `${i === 0 ? '' : '  '}${text.trimEnd()}`);
}
