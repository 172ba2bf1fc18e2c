import { createCipheriv, createDecipheriv, hash } from 'node:crypto';

/** Length of the random seed that each side makes for a session. */
export const SEED_BYTES = 16;
const SIGNATURE_BYTES = 32;
const CIPHER = 'aes-128-cbc';

const digest = (algorithm: 'sha1' | 'sha256', ...parts: readonly Buffer[]): Buffer =>
  hash(algorithm, Buffer.concat(parts), 'buffer');

/** Hash of the owner's account, which the plug stores. */
export const accountHash = (user: string, password: string): Buffer =>
  digest('sha256', digest('sha1', Buffer.from(user)), digest('sha1', Buffer.from(password)));

/** Proof that one knows the account. `first`: seed of the other side, which comes first in what each side proves. */
export const proof = (first: Buffer, second: Buffer, account: Buffer): Buffer =>
  digest('sha256', first, second, account);

/** Encrypts and signs the messages of a session, in both directions alike (KLAP version 2, as python-kasa 0.12.0 has it). */
export class KlapCipher {
  readonly #key: Buffer;
  readonly #vector: Buffer;
  readonly #signing: Buffer;
  /** Sequence number before the first question's. */
  readonly origin: number;

  /** `local`: the client's seed; `remote`: the plug's. */
  constructor(local: Buffer, remote: Buffer, account: Buffer) {
    const derive = (label: string) => digest('sha256', Buffer.from(label), local, remote, account);
    const vector = derive('iv');
    this.#key = derive('lsk').subarray(0, 16);
    this.#vector = vector.subarray(0, 12);
    this.origin = vector.readInt32BE(28);
    this.#signing = derive('ldk').subarray(0, 28);
  }

  /** `sequence`: the question's number, which its answer has too. */
  seal(text: string, sequence: number): Buffer {
    const number = int32(sequence);
    const cipher = createCipheriv(CIPHER, this.#key, Buffer.concat([this.#vector, number]));
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([digest('sha256', this.#signing, number, encrypted), encrypted]);
  }

  /** The text; null: it is not signed for this session and number. */
  open(sealed: Buffer, sequence: number): string | null {
    const number = int32(sequence);
    const encrypted = sealed.subarray(SIGNATURE_BYTES);
    const signature = digest('sha256', this.#signing, number, encrypted);
    if (!signature.equals(sealed.subarray(0, SIGNATURE_BYTES))) return null;
    const cipher = createDecipheriv(CIPHER, this.#key, Buffer.concat([this.#vector, number]));
    try {
      return Buffer.concat([cipher.update(encrypted), cipher.final()]).toString();
    } catch {
      return null; // it was signed, and is no message all the same
    }
  }
}

function int32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  return bytes;
}
