import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';

/** No result has more; the artifact client of the measuring job leaves out what is beyond. */
const MAX_ENTRIES = 10_000;

/** Bits of the Unix mode in an entry's attributes that tell the kind of file, where they tell one. */
const KIND = 0o170000;
const REGULAR = 0o100000;

/**
 * One file of a zip archive, and nothing else of it; null: it isn't in there. Nothing is written anywhere. Throws an Error with a clause for
 * an archive that is broken, has a path that leads out of it, or has the file twice, encrypted, as a link, or with more than `mostBytes`.
 */
export async function fileOfZip(archive: Buffer, name: string, mostBytes: number): Promise<Buffer | null> {
  // Only read where an artifact is: measuring starts without it.
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
  // The stream fails as soon as there is more than the entry says, so that no small archive becomes a large file.
  const content = await buffer(await zip.openReadStreamPromise(entry));
  if (crc32(content) !== entry.crc32) throw new Error(`${fileName} is damaged (its checksum does not match)`);
  return content;
}
