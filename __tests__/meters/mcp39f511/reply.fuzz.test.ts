// Class: system.
import { describe, expect, it } from '@jest/globals';
import { checksum, ReplyReader } from '../../../src/meters/mcp39f511/reply.ts';
import { realReply } from './frames.ts';

const BYTE_COUNT = 1_000_000;

/** Numbers below `limit`, the same ones every time (a linear congruence modulo 2^32, its high bits). */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Feeds a million bytes to readers, a new one after each reply, as a conversation does; gives the replies with all that went into each. */
function feed(next: () => Uint8Array): { replies: number; wrong: number } {
  let fed = 0;
  let replies = 0;
  let wrong = 0;
  let reader = new ReplyReader(32);
  let seen: number[] = [];
  while (fed < BYTE_COUNT) {
    const chunk = next();
    fed += chunk.length;
    seen.push(...chunk);
    const reply = reader.push(chunk);
    if (!reply) continue;
    if ('data' in reply) {
      replies++;
      const frame = Uint8Array.from(seen);
      const right =
        frame.length === 35 &&
        frame[0] === 6 &&
        frame[1] === 35 &&
        checksum(frame.subarray(0, 34)) === frame[34] &&
        Buffer.compare(reply.data, frame.subarray(2, 34)) === 0;
      if (!right) wrong++;
    }
    reader = new ReplyReader(32);
    seen = [];
  }
  return { replies, wrong };
}

describe('ReplyReader, a million bytes', () => {
  it('survives random ones, and makes no reading that is not a whole frame', () => {
    const below = numbers(1);
    const { wrong } = feed(() => Uint8Array.from({ length: 1 + below(64) }, () => below(256)));
    expect(wrong).toBe(0);
  });

  it('reads the sound ones among mutated replies, and takes none of the others', () => {
    const below = numbers(2);
    const pending: Uint8Array[] = [];
    let sound = 0;
    const { replies, wrong } = feed(() => {
      const rest = pending.pop();
      if (rest) return rest;
      const frame = [...realReply];
      const mutation = below(5);
      if (mutation === 0) sound++;
      else if (mutation === 1) frame[below(35)]! ^= 1 << below(8);
      else if (mutation === 2) frame.splice(below(35), 1, 0x51, 0x15);
      else if (mutation === 3)
        frame.splice(below(34), 1 + below(2)); // what is missing is taken from the next
      else {
        frame.push(below(256));
      }
      const at = 1 + below(frame.length - 1);
      if (mutation !== 4) pending.push(Uint8Array.from(frame.slice(at)));
      return Uint8Array.from(mutation === 4 ? frame : frame.slice(0, at));
    });
    expect(wrong).toBe(0);
    expect(sound).toBeGreaterThan(1000);
    expect(replies).toBeGreaterThan(sound / 3);
  });

  it('keeps no more than one reply, however much comes', () => {
    const reader = new ReplyReader(32);
    const chunk = new Uint8Array(4096).fill(6);
    for (let fed = 0; fed < BYTE_COUNT; fed += chunk.length) reader.push(chunk);
    expect(reader.unfinished()).toBe('the reply ended after 2 of 35 bytes');
  });
});
