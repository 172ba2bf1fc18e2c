import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { nowNs } from '../../system/clock.ts';
import {
  clauseOf,
  type HttpAnswer,
  type HttpConnection,
  HttpFault,
  type HttpOrigin,
  type HttpQuestion,
  LONGEST_BODY,
  tooLong,
} from '../network/connection.ts';

export const KASA_PORT = 9999;
/** XOR key of the first byte. The key of every later byte is the encrypted byte before it. */
const FIRST_KEY = 171;
const LENGTH_BYTES = 4;

/** A message as it is sent: its length in four bytes, and the text in the vendor's XOR cipher, whose key is public. */
export function framed(text: string): Buffer {
  const bytes = Buffer.from(text);
  let key = FIRST_KEY;
  const hidden = bytes.map((byte) => {
    key ^= byte;
    return key;
  });
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, hidden]);
}

/** The text of a message, and its length in bytes; null: its end has not arrived. Throws HttpFault for a message that is too long. */
export function unframed(bytes: Buffer): { readonly text: string; readonly length: number } | null {
  if (bytes.length < LENGTH_BYTES) return null;
  const length = LENGTH_BYTES + bytes.readUInt32BE(0);
  if (length > LONGEST_BODY) throw tooLong();
  if (bytes.length < length) return null;
  const hidden = bytes.subarray(LENGTH_BYTES, length);
  return { text: hidden.map((byte, at) => byte ^ (hidden[at - 1] ?? FIRST_KEY)).toString(), length };
}

/** Opens no socket yet: the first question does. */
export async function openKasa(origin: Pick<HttpOrigin, 'host' | 'port'>): Promise<HttpConnection> {
  return new KasaConnection(origin);
}

/** Questions to a plug over one kept socket. A question's JSON stands where HTTP has its path, and every answer has the status 200. */
class KasaConnection implements HttpConnection {
  readonly #origin: Pick<HttpOrigin, 'host' | 'port'>;
  #socket: Socket | null = null;
  #isClosed = false;
  /** Also has the port of this end, which changes with each connection: another plug may answer on a new one. */
  remote?: string;

  constructor(origin: Pick<HttpOrigin, 'host' | 'port'>) {
    this.#origin = origin;
  }

  async get({ path, deadlineMs }: HttpQuestion): Promise<HttpAnswer> {
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      this.#socket ??= await this.#connect(signal);
      const askedNs = nowNs();
      this.#socket.write(framed(path));
      const body = await answerOn(this.#socket, signal);
      return { status: 200, headers: {}, body, tNs: askedNs + (nowNs() - askedNs) / 2n };
    } catch (cause) {
      // A later answer on this socket would be taken for that of the next question.
      this.#drop();
      if (cause instanceof HttpFault) throw cause;
      throw new HttpFault(signal.aborted ? `nothing came within ${deadlineMs / 1000} s` : clauseOf(cause), { cause });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#drop();
  }

  #drop(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  async #connect(signal: AbortSignal): Promise<Socket> {
    const socket = connect({ ...this.#origin, noDelay: true, keepAlive: true });
    try {
      await once(socket, 'connect', { signal });
      if (this.#isClosed) throw new HttpFault('the connection was closed');
    } catch (error) {
      socket.destroy();
      throw error;
    }
    socket.on('error', () => {}); // 'close' follows, and ends the question that waits
    socket.once('close', () => {
      if (this.#socket === socket) this.#socket = null;
    });
    this.remote = `${socket.remoteAddress} ${socket.localPort}`;
    return socket;
  }
}

/** Rejects with HttpFault, or with the signal's reason. */
function answerOn(socket: Socket, signal: AbortSignal): Promise<string> {
  const over = new AbortController();
  return new Promise<string>((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    const take = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      try {
        const message = unframed(bytes);
        if (message === null) return;
        if (bytes.length > message.length) throw new HttpFault('it sends more than it announces');
        resolve(message.text);
      } catch (error) {
        reject(error);
      }
    };
    const lose = () => reject(new HttpFault('the connection broke off'));
    const stop = () => reject(signal.reason);
    socket.on('data', take).once('close', lose);
    signal.addEventListener('abort', stop, { once: true });
    over.signal.addEventListener('abort', () => {
      socket.off('data', take).off('close', lose);
      signal.removeEventListener('abort', stop);
    });
  }).finally(() => over.abort());
}
