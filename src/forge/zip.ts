import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';

/** Maximum entries of an archive; the measuring job's artifact client omits any more. */
const MAX_ENTRIES = 10_000;

/** File type bits of the Unix mode in an entry's attributes, if set. */
const KIND = 0o170000;
const REGULAR = 0o100000;

/**
 * Extracts one file of a zip archive to memory; null: it is not in the archive. Throws an Error with a clause for
 * a broken archive, a path outside of it, or a file that is duplicate, encrypted, a link, or larger than `mostBytes`.
 */
export async function fileOfZip(archive: Buffer, name: string, mostBytes: number): Promise<Buffer | null> {
  // Loaded only when an artifact is read, so that measuring starts without it.
  const { fromBufferPromise } = await import('yauzl');
  const zip = await fromBufferPromise(archive, { strictFileNames: true });
  if (zip.entryCount > MAX_ENTRIES) {
    throw new Error(`the archive has ${zip.entryCount} files; the limit is ${MAX_ENTRIES}`);
  }
  const found: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName === name) {
      found.push(entry);
    }
  }
  const [only, ...others] = found;
  if (others.length > 0) throw new Error(`the archive has ${name} ${found.length} times`);
  return only === undefined ? null : read(zip, only, mostBytes);
}

async function read(zip: ZipFile, entry: Entry, mostBytes: number): Promise<Buffer> {
  const { fileName, uncompressedSize } = entry;
  if (entry.isEncrypted()) throw new Error(`${fileName} is encrypted`);
  const kind = (entry.externalFileAttributes >>> 16) & KIND;
  if (kind !== 0 && kind !== REGULAR) throw new Error(`${fileName} is not a file but a link or something else`);
  if (uncompressedSize > mostBytes) {
    throw new Error(`${fileName} has ${uncompressedSize} bytes; the limit is ${mostBytes}`);
  }
  // The stream fails when content exceeds the declared size, so that a small archive can't become a huge file.
  const content = await buffer(await zip.openReadStreamPromise(entry));
  if (crc32(content) !== entry.crc32) throw new Error(`${fileName} is damaged (its checksum does not match)`);
  return content;
}
