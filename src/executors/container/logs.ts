import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type Docker from 'dockerode';
import { openRegular } from '../../system/open-regular.ts';

const HEADER_BYTES = 8;

/**
 * Appends to a file what a container has printed, stdout and stderr in the order in which they came.
 * It is read back from the engine's log after the window, not streamed during it: copying a workload's output would be
 * work of the harness inside the container's window that the native one doesn't have, since a native workload writes into its file itself.
 *
 * @param skip bytes of output that earlier starts of the same container have printed, and that are left out
 * @param abortSignal stops the reading
 * @returns what the engine still has: its bytes in all, and how many they take in its own file
 */
export async function appendLogs(
  container: Docker.Container,
  logFile: string,
  skip: number,
  abortSignal: AbortSignal,
): Promise<{ readonly bytes: number; readonly storedBytes: number }> {
  const stream = await container.logs({ stdout: true, stderr: true, follow: true, abortSignal });
  const output = Readable.from(contents(stream as unknown as AsyncIterable<Buffer>));
  let seen = 0;
  let storedBytes = 0;
  const to = openRegular(logFile, 'append');
  await pipeline(
    output,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        const part = chunk.subarray(Math.min(chunk.length, Math.max(0, skip - seen)));
        seen += chunk.length;
        storedBytes += storedLength(chunk);
        if (part.length > 0) yield part;
      }
    },
    createWriteStream(logFile, { fd: to }),
    { signal: abortSignal },
  );
  return { bytes: seen, storedBytes };
}

/** Bytes that each byte of output takes in the engine's JSON file. */
const STORED = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x0a) return 80;
  if (byte < 0x20 || byte >= 0x80 || [0x26, 0x3c, 0x3e].includes(byte)) return 6;
  return byte === 0x22 || byte === 0x5c ? 2 : 1;
});

/** Upper bound on the bytes that a chunk takes in the engine's file. */
function storedLength(chunk: Buffer): number {
  let length = 0;
  for (let i = 0; i < chunk.length; i++) length += STORED[chunk[i] as number] as number;
  return length;
}

/**
 * The payload of the engine's multiplexed stream: frames of a header (stream number, three zeros, length in 4 bytes, big-endian)
 * and that many bytes. The library's own splitter copies the rest of its buffer for each frame, which takes minutes
 * for a few hundred megabytes of short lines.
 */
export async function* contents(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const header = Buffer.alloc(HEADER_BYTES);
  let headerBytes = 0;
  let left = 0;
  for await (const chunk of stream) {
    // One piece is made per chunk, not per frame: a frame is a line, and lines are short.
    const payload = Buffer.allocUnsafe(chunk.length);
    let length = 0;
    let at = 0;
    while (at < chunk.length) {
      if (left > 0) {
        const copied = chunk.copy(payload, length, at, at + left);
        at += copied;
        length += copied;
        left -= copied;
        continue;
      }
      const copied = chunk.copy(header, headerBytes, at, at + HEADER_BYTES - headerBytes);
      at += copied;
      headerBytes += copied;
      if (headerBytes === HEADER_BYTES) {
        left = header.readUInt32BE(4);
        headerBytes = 0;
      }
    }
    if (length > 0) yield payload.subarray(0, length);
  }
}
