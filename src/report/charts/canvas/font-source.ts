import { readFont } from './assets.ts';

export type Weight = 'regular' | 'bold';

/** Advance widths of a font, so that text is measured with the font that draws it. */
export interface Font {
  /** Width of a line of text in pixels at `sizePx`. Characters that the font lacks count as its box for missing ones. */
  width(text: string, sizePx: number): number;
}

/** Fonts in files, for equal pictures on every machine. In a browser, ../page/font-source.ts replaces this module. */
export const STACK = '"DejaVu Sans", Verdana, sans-serif';

export function loadFont(weight: Weight): FontFile {
  return parseFont(readFont(weight));
}

/** A TrueType font, read from its tables. */
export interface FontFile extends Font {
  has(codePoint: number): boolean;
  /** Number of a character's glyph; 0 is the box for missing ones. */
  glyph(codePoint: number): number;
  /** Horizontal advance of a glyph in pixels, at a font size of `sizePx`. */
  advance(glyph: number, sizePx: number): number;
}

/** Offset of each table in a TrueType file, by its tag. */
export function fontTables(view: DataView): Map<string, number> {
  const tables = new Map<string, number>();
  for (let i = 0; i < view.getUint16(4); i++) {
    const record = 12 + 16 * i;
    const tag = [0, 1, 2, 3].map((at) => view.getUint8(record + at));
    tables.set(String.fromCharCode(...tag), view.getUint32(record + 8));
  }
  return tables;
}

/**
 * Reads `cmap` (format 4) and `hmtx` of a TrueType file (OpenType specification 1.9).
 * Throws an Error for anything else: only our own fonts are read.
 */
export function parseFont(bytes: Uint8Array): FontFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = fontTables(view);
  const table = (tag: string): number => {
    const offset = tables.get(tag);
    if (offset === undefined) throw new Error(`font without table ${tag}`);
    return offset;
  };
  const unitsPerEm = view.getUint16(table('head') + 18);
  const longMetrics = view.getUint16(table('hhea') + 34);
  const hmtx = table('hmtx');
  const units = (glyph: number): number => view.getUint16(hmtx + 4 * Math.min(glyph, longMetrics - 1));
  const getGlyph = characterMap(view, table('cmap'));
  return {
    has: (codePoint) => getGlyph(codePoint) !== 0,
    glyph: getGlyph,
    advance: (glyph, sizePx) => (units(glyph) * sizePx) / unitsPerEm,
    width: (text, sizePx) => {
      let all = 0;
      for (const character of text) all += units(getGlyph(character.codePointAt(0) ?? 0));
      return (all * sizePx) / unitsPerEm;
    },
  };
}

function characterMap(view: DataView, cmap: number): (codePoint: number) => number {
  const glyphs = new Map<number, number>();
  for (let i = 0; i < view.getUint16(cmap + 2); i++) {
    const sub = cmap + view.getUint32(cmap + 4 + 8 * i + 4);
    if (view.getUint16(sub) === 4) {
      readFormat4(view, sub, glyphs);
      return (codePoint) => glyphs.get(codePoint) ?? 0;
    }
  }
  throw new Error('font without a character map of format 4');
}

function readFormat4(view: DataView, sub: number, glyphs: Map<number, number>): void {
  const segments = view.getUint16(sub + 6) / 2;
  const ends = sub + 14;
  const starts = ends + 2 * segments + 2;
  const deltas = starts + 2 * segments;
  const ranges = deltas + 2 * segments;
  for (let s = 0; s < segments; s++) {
    const range = view.getUint16(ranges + 2 * s);
    const start = view.getUint16(starts + 2 * s);
    for (let c = start; c <= view.getUint16(ends + 2 * s) && c < 0xffff; c++) {
      const raw = range === 0 ? c : view.getUint16(ranges + 2 * s + range + 2 * (c - start));
      if (raw !== 0) glyphs.set(c, (raw + view.getUint16(deltas + 2 * s)) & 0xffff);
    }
  }
}
