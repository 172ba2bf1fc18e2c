// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { computeChecksum } from '../../../src/meters/described/checksums.ts';
import { Description } from '../../../src/meters/described/description.ts';
import { Framer } from '../../../src/meters/described/framer.ts';

const framer = (framing: object, at: number | string = 0): Framer =>
  new Framer(Description.parse({ name: 'x', serial: { baud: 9600 }, power: { at, unit: 'W' }, ...framing }));

const RECORD = { record: { starts: 'a5 5a', length: 8, checksum: { type: 'sum8' } } };
const record = (text: string): Buffer => {
  const bytes = Buffer.from(`\xa5\x5a${text}`, 'latin1');
  return Buffer.concat([bytes, computeChecksum('sum8', bytes)]);
};
const inChunks = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));

describe('a stream', () => {
  it.each([1, 3, 8, 1000])('of records is taken apart in chunks of %i bytes, past noise and broken ones', (size) => {
    const broken = record('abcde');
    broken[4]! ^= 1;
    // The third one holds the beginning of another.
    const all = [Buffer.from('noise\xa5', 'latin1'), record('abcde'), broken, record('a\xa5\x5abc'), record('fghij')];
    const one = framer(RECORD);
    const frames = inChunks(Buffer.concat(all), size).flatMap((chunk) => one.push(chunk));
    expect(
      frames.map((frame) => (frame.kind === 'bytes' ? Buffer.from(frame.bytes).toString('latin1', 2, 7) : '')),
    ).toEqual(['abcde', 'a\xa5\x5abc', 'fghij']);
    expect(one.isEmulated).toBe(false);
  });

  it.each([1, 5, 1000])('of lines is taken apart in chunks of %i bytes, other lines left out', (size) => {
    const one = framer({ line: { separator: ',', starts: '#d' } });
    const text = `3,4\r\n#d1,2\r\n#x9\n${'#d'.padEnd(600, '7')}\n#d5,6\n#d`;
    const frames = inChunks(Buffer.from(text), size).flatMap((chunk) => one.push(chunk));
    expect(frames).toEqual([
      { kind: 'columns', columns: ['1', '2'] },
      { kind: 'columns', columns: ['5', '6'] },
    ]);
  });

  it('of documents leaves out what is none', () => {
    const one = framer({ json: {} }, '/p');
    expect(one.push(Buffer.from('"p":1}\n{"p":2}\n{"p":\n\n{"p":"é"}\n'))).toEqual([
      { kind: 'document', document: { p: 2 } },
      { kind: 'document', document: { p: 'é' } },
    ]);
  });

  it.each<[string, object, Buffer]>([
    ['records', RECORD, Buffer.concat([Buffer.from('joulediff emulator'), record('abcde')])],
    ['lines', { line: { separator: ',' } }, Buffer.from('joulediff emulator\n1,2\n')],
  ])('of %s says where an emulator sends it', (_, framing, bytes) => {
    for (const size of [1, 7, 1000]) {
      const one = framer(framing);
      expect(inChunks(bytes, size).flatMap((chunk) => one.push(chunk))).toHaveLength(1);
      expect(one.isEmulated).toBe(true);
    }
  });

  it('of a million bytes that are nothing is not kept', () => {
    const one = framer(RECORD);
    for (let i = 0; i < 1000; i++) expect(one.push(Buffer.alloc(1000, 0xa5))).toEqual([]);
    expect(one.push(record('abcde'))).toHaveLength(1);
  });
});
