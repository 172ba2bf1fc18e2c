import { hex } from '../hex.ts';

/** The reply to a read of the MCP39F511 with nothing powered, as a user of the real chip reported it: 32 bytes from 0x0002. */
export const realReply = hex(
  '06 23 51 e0 10 18 06 00 00 00 af 00 ff 7f db 01 00 00 02 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 95',
);

/** MCP39F511N: 42.50 W and 0 W from 0x0016. */
export const powersReply = hex('06 0b 9a 10 00 00 00 00 00 00 bb');

/** The frames in everything that was sent to a meter; throws where anything else is between them. */
export function framesIn(received: string): string[] {
  const bytes = Buffer.from(received, 'latin1');
  const frames: string[] = [];
  for (let at = 0; at < bytes.length; at += 8) {
    const frame = bytes.subarray(at, at + 8);
    if (frame[0] !== 0xa5 || frame[1] !== frame.length) throw new Error(`no frame: ${frame.toString('hex')}`);
    frames.push(frame.toString('hex'));
  }
  return frames;
}
