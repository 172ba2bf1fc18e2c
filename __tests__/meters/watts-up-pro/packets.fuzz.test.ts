// Class: system.
import { describe, expect, it } from '@jest/globals';
import { PacketReader, readDataRecord } from '../../../src/meters/watts-up-pro/packets.ts';
import { createPrng } from '../../../src/stats/prng.ts';

const RECORDS = [
  '#d,-,18,112,1199,275,79,0,34,2,112,1202,275,0,1199,0,100,0,0,600,112;\r\n',
  '#d,-,18,391,1200,335,79,0,34,2,391,1200,336,112,1198,275,91,0,0,600,427;\r\n',
  '#d,-,18,124,1191,97,0,_,_,_,124,_,_,_,_,_,100,_,_,_,_;\r\n',
];
const POWERS = [11.2, 39.1, 12.4];
const BYTES = 1_000_000;

/** Powers that are accepted out of a stream, pushed in pieces of random length. */
function accepted(stream: Buffer, random: ReturnType<typeof createPrng>): number[] {
  const reader = new PacketReader();
  const powers: number[] = [];
  for (let at = 0; at < stream.length; ) {
    const size = 1 + random.index(200);
    for (const packet of reader.push(stream.subarray(at, at + size))) {
      const reading = readDataRecord(packet);
      if (reading && 'record' in reading) powers.push(reading.record.powerW);
    }
    at += size;
  }
  return powers;
}

describe('a million bytes', () => {
  it.each([
    ['of any value', Array.from({ length: 256 }, (_, byte) => byte)],
    ['of the protocol’s own characters', [...Buffer.from('#;,-_dvc0123456789\r\n\0')]],
  ])('%s give no record and stop nothing', (_what, alphabet) => {
    const random = createPrng(17);
    const noise = Buffer.from(
      Uint8Array.from({ length: BYTES }, () => alphabet[random.index(alphabet.length)] as number),
    );
    expect(accepted(noise, random)).toEqual([]);
    const reader = new PacketReader();
    reader.push(noise);
    // A packet is read again right after the noise, whatever the noise ended with.
    const after = reader.push(Buffer.from(RECORDS[0] as string)).map(readDataRecord);
    expect(after.at(-1)).toMatchObject({ record: { powerW: 11.2 } });
  });

  it('with noise between and inside, and cut anywhere, give only records that were sent, and all of those that came whole', () => {
    const random = createPrng(23);
    const pieces: string[] = [];
    let whole = 0;
    for (let length = 0; length < BYTES; ) {
      const record = RECORDS[random.index(3)] as string;
      const at = random.index(record.length - 3);
      // Cut before its end; or a control character inside, or noise in front: these two come whole.
      const piece = [record.slice(0, at), `${record.slice(0, at)}\0${record.slice(at)}`, `\xff;,12;${record}`][
        random.index(3)
      ] as string;
      if (piece.includes(';\r\n')) whole++;
      pieces.push(piece);
      length += piece.length;
    }
    const powers = accepted(Buffer.from(pieces.join(''), 'latin1'), random);
    expect(new Set(powers)).toEqual(new Set(POWERS));
    expect(powers.length).toBe(whole);
  });
});
