import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** PNG header fields: 8 bits per channel, RGBA; zlib; no interlacing. */
const RGBA = [8, 6, 0, 0, 0];

/** Raw picture. `pixels`: 4 bytes (red, green, blue, alpha) each, in rows from the top. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/**
 * Encodes a picture as PNG (W3C, Portable Network Graphics, third edition). Rows are unfiltered: filters help photos but make charts 50 % larger.
 * The encoder in resvg's WebAssembly takes twice the time.
 */
export function encodePng({ width, height, pixels }: Picture): Uint8Array {
  const header = Buffer.alloc(8 + RGBA.length);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(RGBA, 8);
  const lineBytes = 4 * width;
  // Each row begins with the number of its filter, 0.
  const lines = Buffer.alloc(height * (1 + lineBytes));
  for (let y = 0; y < height; y++) {
    lines.set(pixels.subarray(y * lineBytes, (y + 1) * lineBytes), y * (1 + lineBytes) + 1);
  }
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(lines)), chunk('IEND')]);
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
}
