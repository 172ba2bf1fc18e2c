import { connect, type Socket } from 'node:net';
import { MeasureError } from '../../errors.ts';
import { nowNs } from '../../system/clock.ts';
import type { Line } from '../serial/line.ts';
import { clauseOf } from './connection.ts';

const OPEN_DEADLINE_MS = 4000;
const WRITE_DEADLINE_MS = 1000;

/** A plain socket as a line: instruments listen on one, and so do converters that carry a serial port over the network. */
export class TcpLine implements Line {
  readonly path: string;
  readonly #socket: Socket;
  #onLost: (error: MeasureError) => void = () => {};
  #lost: MeasureError | null = null;
  #closed = false;

  private constructor(path: string, socket: Socket) {
    this.path = path;
    this.#socket = socket;
    let why: unknown = new Error('it was closed at the other end');
    socket.on('error', (error) => {
      why = error;
    });
    socket.on('close', () => this.#lose(why));
  }

  /** Throws MeasureError: nothing listens there, or doesn't answer in time. */
  static async open(host: string, port: number): Promise<TcpLine> {
    const path = `${host}:${port}`;
    const socket = connect({ host, port, noDelay: true, keepAlive: true });
    try {
      await new Promise<void>((resolve, reject) => {
        socket.setTimeout(OPEN_DEADLINE_MS, () =>
          reject(new Error(`nothing came within ${OPEN_DEADLINE_MS / 1000} s`)),
        );
        socket.once('error', reject).once('connect', resolve);
      });
    } catch (cause) {
      socket.destroy();
      const advice =
        'Check its address and port, that this machine can reach it, and that nobody else is connected to it.';
      throw new MeasureError(`No connection could be made to ${path}: ${clauseOf(cause)}.`, { advice, cause });
    }
    socket.setTimeout(0);
    return new TcpLine(path, socket);
  }

  onData(listener: (chunk: Uint8Array, tNs: bigint) => void): void {
    this.#socket.removeAllListeners('data').on('data', (chunk) => listener(chunk, nowNs()));
  }

  onLost(listener: (error: MeasureError) => void): void {
    this.#onLost = listener;
    if (this.#lost) listener(this.#lost);
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#lost) throw this.#lost;
    if (this.#closed) throw new MeasureError(`The connection to ${this.path} is closed.`);
    // Data that the kernel still holds after this time shows that the instrument is gone.
    if (this.#socket.writableLength > 0 && !(await this.#drained())) {
      throw new MeasureError(`${this.path} accepts no data.`, { advice: 'Check its network.' });
    }
    this.#socket.write(bytes);
  }

  #drained(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), WRITE_DEADLINE_MS);
      this.#socket.once('drain', () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // The last bytes are still sent, but a receiver that doesn't take them is not waited for.
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, WRITE_DEADLINE_MS);
      this.#socket.end(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.#socket.destroy();
  }

  #lose(cause: unknown): void {
    if (this.#lost || this.#closed) return;
    this.#lost = new MeasureError(`The connection to ${this.path} broke off (${clauseOf(cause)}).`, { cause });
    this.#onLost(this.#lost);
  }
}
