// Class: system.
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { parseStamp, stampedLines } from '../../../src/executors/container/stamped-lines.ts';

function frame(stream: 1 | 2, text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}

const STAMP = '2026-01-02T03:04:05.123456789Z';

async function read(bytes: Buffer, pieces: number) {
  const chunks = [];
  for (let at = 0; at < bytes.length; at += pieces) chunks.push(bytes.subarray(at, at + pieces));
  const lines: [string, bigint][] = [];
  for await (const { line, stampNs } of stampedLines(Readable.from(chunks))) lines.push([line.toString(), stampNs()]);
  return lines;
}

describe('stampedLines', () => {
  it('gives every line with its stamp, however the stream is cut, and a long line once', async () => {
    const long = 'z'.repeat(16_384);
    const bytes = Buffer.concat([
      frame(1, `${STAMP} ::joulediff phase a\n`),
      frame(1, `${STAMP} ${long}`),
      frame(2, '2026-01-02T03:04:06Z on stderr\n'),
      frame(1, `${STAMP} ::joulediff phase of a long line\n`),
      frame(1, `${STAMP} \n`),
      frame(1, `${STAMP} last`),
    ]);
    const ns = parseStamp(STAMP);
    for (const pieces of [1, 7, 4096, bytes.length]) {
      const lines = await read(bytes, pieces);
      expect(lines.map(([line, stamp]) => [line.slice(0, 20), stamp])).toEqual([
        ['::joulediff phase a', ns],
        ['z'.repeat(20), ns],
        ['on stderr', parseStamp('2026-01-02T03:04:06Z')],
        ['', ns],
        ['last', ns],
      ]);
      expect(Math.max(...lines.map(([line]) => line.length))).toBeLessThan(5000);
    }
  });

  it('reads stamps to the nanosecond, in any zone, and refuses what is none', () => {
    expect(parseStamp('1970-01-01T00:00:01.5Z')).toBe(1_500_000_000n);
    expect(parseStamp('1970-01-01T01:00:00.000000001+01:00')).toBe(1n);
    expect(() => parseStamp('yesterday')).toThrow('no time stamps');
  });
});
