import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type Docker from 'dockerode';

const HEADER_BYTES = 8;

/**
 * Appends to a file what a container has printed, stdout and stderr in the order in which they came.
 * It is read back from the engine's log after the window, not streamed during it: copying a workload's output would be
 * work of the harness inside the container's window that the native one doesn't have, since a native workload writes into its file itself.
 *
 * @param skip bytes of output that earlier starts of the same container have printed, and that are left out
 * @param limit stops the reading
 * @returns bytes of output in all
 */
export async function appendLogs(
  container: Docker.Container,
  logFile: string,
  skip: number,
  limit: { abortSignal: AbortSignal },
): Promise<number> {
  const stream = await container.logs({ stdout: true, stderr: true, follow: true, ...limit });
  const output = Readable.from(contents(stream as unknown as AsyncIterable<Buffer>));
  let seen = 0;
  await pipeline(
    output,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        const part = chunk.subarray(Math.min(chunk.length, Math.max(0, skip - seen)));
        seen += chunk.length;
        if (part.length > 0) yield part;
      }
    },
    createWriteStream(logFile, { flags: 'a' }),
    { signal: limit.abortSignal },
  );
  return seen;
}

/**
 * The payload of the engine's multiplexed stream: frames of a header (stream number, three zeros, length in 4 bytes, big-endian)
 * and that many bytes. The library's own splitter copies the rest of its buffer for each frame, which takes minutes
 * for a few hundred megabytes of short lines.
 */
export async function* contents(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let header = Buffer.alloc(0);
  let left = 0;
  for await (const chunk of stream) {
    let at = 0;
    while (at < chunk.length) {
      if (left > 0) {
        const part = chunk.subarray(at, at + left);
        at += part.length;
        left -= part.length;
        yield part;
        continue;
      }
      const missing = chunk.subarray(at, at + HEADER_BYTES - header.length);
      at += missing.length;
      header = Buffer.concat([header, missing]);
      if (header.length === HEADER_BYTES) {
        left = header.readUInt32BE(4);
        header = Buffer.alloc(0);
      }
    }
  }
}
