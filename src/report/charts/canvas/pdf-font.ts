import { readFont } from './assets.ts';
import { fontOf } from './font.ts';
import { fontTables, type Weight } from './font-source.ts';
import { hex, stream, utf16 } from './pdf-file.ts';

/** The five objects of a font whose text is glyph numbers: font, descendant, descriptor, file, and the characters of its glyphs. */
export function fontObjects(weight: Weight, used: ReadonlyMap<number, string>, first: number): (string | Buffer)[] {
  const bytes = readFont(weight);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = fontTables(view);
  const [head = 0, hhea = 0] = [tables.get('head'), tables.get('hhea')];
  const perThousand = (at: number): number => Math.round((1000 * view.getInt16(at)) / view.getUint16(head + 18));
  const name = `/JOULED+DejaVuSans${weight === 'bold' ? '-Bold' : ''}`;
  const box = [36, 38, 40, 42].map((at) => perThousand(head + at)).join(' ');
  const widths = [...used].map(([glyph]) => `${glyph}[${Math.round(fontOf(weight).advance(glyph, 1000))}]`);
  const means = [...used].map(([glyph, character]) => `<${hex(glyph)}><${utf16(character)}>`);
  const groups = Array.from({ length: Math.ceil(means.length / 100) }, (_, i) => means.slice(100 * i, 100 * i + 100));
  const file = Buffer.from(withoutUnused(bytes, new Set(used.keys())));
  return [
    `<</Type/Font/Subtype/Type0/BaseFont${name}/Encoding/Identity-H/DescendantFonts[${first + 1} 0 R]/ToUnicode ${first + 4} 0 R>>`,
    `<</Type/Font/Subtype/CIDFontType2/BaseFont${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor ${first + 2} 0 R/W[${widths.join('')}]/CIDToGIDMap/Identity>>`,
    `<</Type/FontDescriptor/FontName${name}/Flags 4/FontBBox[${box}]/ItalicAngle 0/Ascent ${perThousand(hhea + 4)}/Descent ${perThousand(hhea + 6)}/CapHeight 729/StemV 80/FontFile2 ${first + 3} 0 R>>`,
    stream(`/Length1 ${file.length}`, file),
    stream(
      '',
      `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Used def /CMapType 2 def 1 begincodespacerange <0000><ffff> endcodespacerange\n${groups.map((group) => `${group.length} beginbfchar\n${group.join('\n')}\nendbfchar`).join('\n')}\nendcmap end end`,
    ),
  ];
}

/** The font with unused outlines replaced by zeros, which compress well; components of used accented letters are kept. */
function withoutUnused(font: Uint8Array, used: ReadonlySet<number>): Uint8Array {
  const bytes = Uint8Array.from(font);
  const view = new DataView(bytes.buffer);
  const tables = fontTables(view);
  const [head = 0, loca = 0, glyf = 0, maxp = 0] = ['head', 'loca', 'glyf', 'maxp'].map((tag) => tables.get(tag));
  const isLong = view.getUint16(head + 50) === 1;
  const at = (glyph: number): number =>
    glyf + (isLong ? view.getUint32(loca + 4 * glyph) : 2 * view.getUint16(loca + 2 * glyph));
  // A composite glyph refers to other glyphs, and has −1 contours.
  const isComposed = [...used].some((glyph) => at(glyph + 1) > at(glyph) && view.getInt16(at(glyph)) < 0);
  for (let glyph = 0; !isComposed && glyph < view.getUint16(maxp + 4); glyph++) {
    if (!used.has(glyph)) bytes.fill(0, at(glyph), at(glyph + 1));
  }
  return bytes;
}
