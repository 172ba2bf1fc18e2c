/** Bytes written as `a5 08 41`. */
export function bytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.split(' '), (pair) => Number.parseInt(pair, 16));
}

/** The reply to a read of the MCP39F511 with nothing powered, as a user of the real chip reported it: 32 bytes from 0x0002. */
export const realReply = bytes(
  '06 23 51 e0 10 18 06 00 00 00 af 00 ff 7f db 01 00 00 02 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 95',
);

/** MCP39F511N: 42.50 W and 0 W from 0x0016. */
export const powersReply = bytes('06 0b 9a 10 00 00 00 00 00 00 bb');
