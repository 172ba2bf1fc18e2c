import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { getErrorCode, InputError } from '../../errors.ts';
import { plain } from '../../text/plain.ts';

/** One file of a disk: the image that was named, or one that it is based on. */
export interface ImageFile {
  readonly path: string;
  /** Format, given to QEMU so that it does not guess: what a guest writes at the beginning of a raw disk must not change it. */
  readonly format: 'qcow2' | 'raw';
}

const MAGIC = 'QFI\xfb';
/** Bytes that hold the header with its extensions: these end before the first cluster, which has 64 KiB, does. */
const HEADER_BYTES = 64 * 1024;
/** Upper bound on the length of a base's name (by the format). */
const MAX_NAME_BYTES = 1023;
/** Bit of an incompatible feature: the guest's data is in another file. */
const EXTERNAL_DATA = 1n << 2n;
/** Header extension that names the format of the base. */
const BACKING_FORMAT = 0xe2792aca;
const MAX_FILES = 16;

interface NextFile {
  readonly path: string;
  /** Format; null: the image does not say. */
  readonly format: ImageFile['format'] | null;
}

/**
 * The files that a disk image consists of, itself first. QEMU would open whatever a qcow2 image names as its base, be it another user's file, a device
 * or an address in the network, and give it to the guest; so a base lies in the folder of the image or below it, is a plain file, and of a format
 * that names no files in other ways. Throws InputError. (The format: docs/interop/qcow2.txt of QEMU.)
 */
export function imageFiles(image: string, variant: string): ImageFile[] {
  const who = `The image of variant ${JSON.stringify(variant)}, ${image},`;
  const folder = dirname(realpathSync(image));
  const files: ImageFile[] = [];
  let next: NextFile | null = { path: image, format: null };
  while (next !== null) {
    if (files.length === MAX_FILES) throw new InputError(`${who} is based on more than ${MAX_FILES - 1} others.`);
    const { path, format }: NextFile = next;
    const header: Buffer | null = format === 'raw' ? null : readHeader(path);
    if (format === 'qcow2' && header === null)
      throw new InputError(`${who} is based on ${path}, which is no qcow2 image.`);
    files.push({ path, format: header === null ? 'raw' : 'qcow2' });
    next = header === null ? null : baseOf(header, { who, path, folder });
  }
  return files;
}

/** Header of a qcow2 image; null: it is none. */
function readHeader(path: string): Buffer | null {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(HEADER_BYTES);
    const header = buffer.subarray(0, readSync(file, buffer, 0, HEADER_BYTES, 0));
    return header.subarray(0, 4).toString('latin1') === MAGIC ? header : null;
  } finally {
    closeSync(file);
  }
}

/** Base of an image; null: it has none. */
function baseOf(
  header: Buffer,
  { who, path, folder }: { readonly who: string; readonly path: string; readonly folder: string },
): NextFile | null {
  const broken = () => new InputError(`${who} can't be used: the header of ${path} is broken.`);
  if (header.length < 72) throw broken();
  const version = header.readUInt32BE(4);
  if (version !== 2 && version !== 3)
    throw new InputError(`${who} can't be used: ${path} is of version ${version} of qcow2, and 2 and 3 are known.`);
  if (version === 3 && header.length < 104) throw broken();
  if (version === 3 && (header.readBigUInt64BE(72) & EXTERNAL_DATA) !== 0n) {
    throw new InputError(`${who} can't be used: ${path} keeps its data in another file.`, { advice: FLATTEN });
  }
  const at = header.readBigUInt64BE(8);
  const length = header.readUInt32BE(16);
  if (at === 0n) return null;
  if (length === 0 || length > MAX_NAME_BYTES || at + BigInt(length) > BigInt(header.length)) throw broken();
  const name = header.subarray(Number(at), Number(at) + length).toString();
  const shown = plain(name, 200);
  const refuse = (why: string, advice = FLATTEN) => new InputError(`${who} is based on ${shown}, ${why}.`, { advice });
  // QEMU takes a prefix with a colon for a way to access the file: json:, nbd:, http:.
  if (name.includes('\0') || /^[^/]*:/.test(name)) throw refuse('which is no plain file');
  const format = formatOfBase(header, version);
  if (format === null) {
    throw refuse('and does not tell its format', 'Tell it: qemu-img rebase -u -F qcow2 -b BASE IMAGE (or -F raw).');
  }
  if (format !== 'qcow2' && format !== 'raw')
    throw refuse(`of the format ${plain(format, 40)}, and qcow2 and raw are known`);
  const base = resolve(dirname(path), name);
  let real: string;
  try {
    real = realpathSync(base);
  } catch (cause) {
    const why = getErrorCode(cause) === 'ENOENT' ? 'which isn’t there' : 'which can’t be read';
    throw new InputError(`${who} is based on ${shown}, ${why}.`, { advice: `Bring it back. ${FLATTEN}`, cause });
  }
  const within = relative(folder, real);
  if (within === '..' || within.startsWith(`..${sep}`)) {
    throw refuse('outside of its folder: whoever made the image would have the guest see any file of this machine');
  }
  if (!statSync(real).isFile()) throw refuse('which isn’t a file');
  return { path: base, format };
}

const FLATTEN =
  'An image without a base is made of it by: qemu-img convert -O qcow2 IMAGE NEW. Do so only with an image that you trust.';

function formatOfBase(header: Buffer, version: number): string | null {
  let at = version === 2 ? 72 : header.readUInt32BE(100);
  while (at + 8 <= header.length) {
    const type = header.readUInt32BE(at);
    const length = header.readUInt32BE(at + 4);
    if (type === 0 || at + 8 + length > header.length) return null;
    if (type === BACKING_FORMAT) return header.subarray(at + 8, at + 8 + length).toString();
    at += 8 + Math.ceil(length / 8) * 8;
  }
  return null;
}
