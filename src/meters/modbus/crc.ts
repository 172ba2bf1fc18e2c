/** CRC-16/MODBUS of the bytes: start 0xFFFF, reflected polynomial 0xA001 (Modbus over Serial Line 1.02, 6.2.2). */
export function crc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  return crc;
}

/** The bytes and their CRC, which goes over the wire low byte first. */
export function withCrc(bytes: Uint8Array): Uint8Array {
  const crc = crc16(bytes);
  const frame = new Uint8Array(bytes.length + 2);
  frame.set(bytes);
  frame[bytes.length] = crc & 0xff;
  frame[bytes.length + 1] = crc >>> 8;
  return frame;
}

/** Is this a frame whose last two bytes are the CRC of those before? */
export function hasCrc(frame: Uint8Array): boolean {
  const end = frame.length - 2;
  if (end < 2) return false;
  const crc = crc16(frame.subarray(0, end));
  return frame[end] === (crc & 0xff) && frame[end + 1] === crc >>> 8;
}
