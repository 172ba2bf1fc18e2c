// Class: system.
import { expect, it } from '@jest/globals';
import { contents } from '../../../src/executors/container/logs.ts';

function frame(stream: number, text: string): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

it.each([1, 3, 7, 8, 9, 1000])('takes the payload out of frames that arrive in pieces of %i bytes', async (size) => {
  const bytes = Buffer.concat([frame(1, 'out\n'), frame(2, ''), frame(2, 'err: é\n'), frame(1, 'x'.repeat(300))]);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  let text = Buffer.alloc(0);
  for await (const part of contents(pieces())) text = Buffer.concat([text, part]);
  expect(text.toString()).toBe(`out\nerr: é\n${'x'.repeat(300)}`);
});
