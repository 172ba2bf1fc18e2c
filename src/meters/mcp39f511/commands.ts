/**
 * Everything that these drivers can send: reads of 32 bytes at most (no public program has read more at once). Writing, saving to flash, the EEPROM
 * and calibration commands have no place here, and no byte of these frames, checksums included, has one of their values:
 * even a chip that takes up a frame in its middle finds none of them.
 */
export const READS = {
  /** System Status, System Version, voltage, frequency and active powers, the same block on both chips. */
  outputs: { address: 0x0002, length: 32 },
  /** Power factor to apparent power of the first channel, wherever either chip has them. */
  powers: { address: 0x000a, length: 32 },
  /** MCP39F511N: active and apparent power of the second channel. */
  powersOfChannel2: { address: 0x001a, length: 24 },
  /** MCP39F511N: accumulation interval and both ranges. */
  settingsOfTwoChannels: { address: 0x00a8, length: 26 },
  /** MCP39F511: range and accumulation interval. */
  settingsOfOneChannel: { address: 0x0082, length: 30 },
} as const;

export type ReadName = keyof typeof READS;

const HEADER = 0xa5;
const SET_ADDRESS_POINTER = 0x41;
const REGISTER_READ = 0x4e;

/** The request for one of `reads`: header, length of the frame, address (high byte first), count, sum of all bytes. */
export function frameOf(name: ReadName): Uint8Array {
  const { address, length } = READS[name];
  const frame = Uint8Array.of(HEADER, 8, SET_ADDRESS_POINTER, address >> 8, address & 0xff, REGISTER_READ, length, 0);
  frame[7] = checksum(frame.subarray(0, 7));
  return frame;
}

/** Sum of the bytes, modulo 256. */
export function checksum(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => (sum + byte) & 0xff, 0);
}
