import { expect } from '@jest/globals';
import { hasCrc } from '../../../src/meters/modbus/frames.ts';
import { asHex } from '../hex.ts';

/** Everything that was sent, as the log of an emulator has it, is a sequence of whole reads from one of `units`. Gives their number. */
export function expectOnlyReads(received: string, units: readonly number[]): number {
  const bytes = Buffer.from(received, 'latin1');
  const whole = bytes.length - (bytes.length % 8);
  for (let at = 0; at < whole; at += 8) {
    const frame = bytes.subarray(at, at + 8);
    const reads = (frame[1] === 0x03 || frame[1] === 0x04) && units.includes(frame[0] ?? 0) && hasCrc(frame);
    if (!reads) throw new Error(`${asHex(frame)} was sent, which is no read`);
  }
  expect(bytes.length).toBe(whole);
  return whole / 8;
}
