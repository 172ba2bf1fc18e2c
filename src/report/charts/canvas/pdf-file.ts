import { deflateSync } from 'node:zlib';

/** Number of a glyph as four hexadecimal digits. */
export const hex = (glyph: number): string => glyph.toString(16).padStart(4, '0');
/** Text as hexadecimal digits of UTF-16, big-endian. */
export const utf16 = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');

/** A compressed stream object; `entries` are further entries of its dictionary. */
export function stream(entries: string, bytes: string | Buffer): Buffer {
  const packed = deflateSync(bytes);
  return Buffer.concat([
    Buffer.from(`<<${entries}/Length ${packed.length}/Filter/FlateDecode>>stream\n`),
    packed,
    Buffer.from('\nendstream'),
  ]);
}

/** A PDF file: its numbered objects, the table of their positions, and a trailer that names the first as catalog and the fifth as information. */
export function pdfFile(objects: readonly (string | Buffer)[]): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let length = parts[0]!.length;
  const places = objects.map((object, i) => {
    const part = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
    return length - part.length;
  });
  const lines = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`);
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines.join('')}trailer\n<</Size ${objects.length + 1}/Root 1 0 R/Info 5 0 R>>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
