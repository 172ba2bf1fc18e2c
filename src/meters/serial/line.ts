import { readSync, writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { SerialPort } from 'serialport';
import { MeasureError, messageOf } from '../../errors.ts';
import { withDeadline } from '../../system/deadline.ts';
import { portHolder } from './holder.ts';
import { openingError, portError } from './port-errors.ts';

export interface LineFormat {
  readonly baudRate: number;
  /** Parity; default `none`. */
  readonly parity?: 'none' | 'even' | 'odd';
  /** Stop bits; default 1. */
  readonly stopBits?: 1 | 2;
}

const OPEN_DEADLINE_MS = 2000;
const WRITE_DEADLINE_MS = 1000;
const CLOSE_DEADLINE_MS = 1000;

/** An opened port as drivers see it; tests have their own. */
export interface Line {
  readonly path: string;
  /** The listener gets bytes with the time of their arrival. Bytes that come without a listener are dropped. */
  onData(listener: (chunk: Uint8Array, tNs: bigint) => void): void;
  /** Called once when the port is unplugged or fails; at once when that has happened already. */
  onLost(listener: (error: MeasureError) => void): void;
  /** Throws MeasureError when the bytes are not taken within a second. */
  write(bytes: Uint8Array): Promise<void>;
  /** Lets go of the port. Never throws, may be called twice. */
  close(): Promise<void>;
}

/**
 * One opened serial port: 8 data bits, no flow control, locked for this process. An object is opened once and never again;
 * to come back after an unplug, open a new one. Every operation ends in bounded time.
 */
export class SerialLine implements Line {
  readonly path: string;
  readonly #port: SerialPort;
  #onData: (chunk: Uint8Array, tNs: bigint) => void = () => {};
  #onLost: (error: MeasureError) => void = () => {};
  #lost: MeasureError | null = null;
  #closed = false;

  private constructor(path: string, port: SerialPort) {
    this.path = path;
    this.#port = port;
    port.on('data', (chunk: Uint8Array) => {
      const tNs = process.hrtime.bigint();
      this.#onData(chunk, tNs);
    });
    // Without this handler an error of a write in flight would end the process; what it means comes with `close`.
    port.on('error', (error) => this.#lose(error));
    port.on('close', (error: unknown) => this.#lose(error));
  }

  /** Throws MeasureError: not there, not allowed, in use, not a serial port. */
  static async open(path: string, format: LineFormat): Promise<SerialLine> {
    await untilLetGo(path);
    const error = portError(path);
    if (error) throw error;
    const { SerialPort } = await import('serialport'); // loads a native add-on, which the other meters don't need
    const settings = {
      binding: hangUpAware(SerialPort.binding),
      path,
      baudRate: format.baudRate,
      dataBits: 8 as const,
      parity: format.parity ?? 'none',
      stopBits: format.stopBits ?? 1,
      rtscts: false,
      xon: false,
      xoff: false,
      lock: true,
      autoOpen: false as const,
    };
    const port = new SerialPort(settings);
    port.on('error', () => {});
    const opened = new Promise<void>((resolve, reject) =>
      port.open((error) => (error ? reject(openingError(path, error)) : resolve())),
    );
    await withDeadline(opened, OPEN_DEADLINE_MS, () => {
      opened.then(
        () => port.close(() => {}),
        () => {},
      );
      throw new MeasureError(`The serial port ${path} could not be opened within ${OPEN_DEADLINE_MS / 1000} s.`, {
        advice: 'Unplug it and plug it in again.',
      });
    });
    return new SerialLine(path, port);
  }

  onData(listener: (chunk: Uint8Array, tNs: bigint) => void): void {
    this.#onData = listener;
  }

  onLost(listener: (error: MeasureError) => void): void {
    this.#onLost = listener;
    if (this.#lost) listener(this.#lost);
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#lost) throw this.#lost;
    if (this.#closed) throw new MeasureError(`The serial port ${this.path} is closed.`);
    const written = new Promise<void>((resolve, reject) =>
      this.#port.write(bytes, undefined, (error) => (error ? reject(this.#lose(error)) : resolve())),
    );
    await withDeadline(written, WRITE_DEADLINE_MS, () => {
      throw this.#lost ?? new MeasureError(`The serial port ${this.path} accepts no data.`, { advice: REPLUG });
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#onData = () => {};
    if (!this.#port.isOpen) return;
    const port = this.#port;
    // Bytes that the device doesn't take would hold up the close for up to 30 s.
    await withDeadline(new Promise<void>((resolve) => port.flush(() => resolve())), CLOSE_DEADLINE_MS, () => {});
    await withDeadline(new Promise<void>((resolve) => port.close(() => resolve())), CLOSE_DEADLINE_MS, () => {});
  }

  #lose(cause: unknown): MeasureError {
    if (this.#lost) return this.#lost;
    if (this.#closed) return new MeasureError(`The serial port ${this.path} is closed.`, { cause });
    this.#lost = new MeasureError(`The serial port ${this.path} was unplugged or failed (${messageOf(cause)}).`, {
      advice: REPLUG,
      cause,
    });
    this.#onLost(this.#lost);
    return this.#lost;
  }
}

/** How often, and for how long, to look whether a closed port is free. */
const [LET_GO_EVERY_MS, LET_GO_MS] = [20, 1000];

/**
 * Waits until this process no longer locks a port that it has closed: a child that is being started has copies of all open files until it becomes
 * another program, which may take a moment on a busy machine.
 */
async function untilLetGo(path: string): Promise<void> {
  const isOurs = (): boolean => {
    try {
      return portHolder(path)?.pid === process.pid;
    } catch {
      return false; // what is wrong with it is told where it is opened
    }
  };
  for (let waitedMs = 0; waitedMs < LET_GO_MS && isOurs(); waitedMs += LET_GO_EVERY_MS) {
    await setTimeout(LET_GO_EVERY_MS);
  }
}

const REPLUG = 'Check the cable, and plug the meter in again.';

type Binding = (typeof SerialPort)['binding'];
type OpenedBinding = Awaited<ReturnType<Binding['open']>>;

/**
 * The serial library's binding with its reading replaced: at the hang-up that an unplug is, a read may give 0 bytes, which the library takes for
 * "nothing yet" and repeats for ever, filling the memory (serialport/bindings-cpp#162). A port with `vmin` 1 never gives 0 bytes
 * otherwise, so here it means that the port is gone. The library opens ports non-blocking, so they are read and written at once: a thread for each
 * call, as the library has it, doubles the processor time of a meter that is polled 25 times a second.
 */
export function hangUpAware(binding: Binding): Binding {
  return {
    list: binding.list,
    open: async (options: never) => {
      const port: OpenedBinding = await binding.open(options);
      if ('poller' in port && 'fd' in port) {
        const write = port.write.bind(port);
        port.read = readerOf(port);
        port.write = (bytes) => write(bytes.subarray(writtenAtOnce(port.fd, bytes)));
      }
      return port;
    },
  } as Binding;
}

type UnixBinding = Extract<OpenedBinding, { poller: unknown }>;

function readerOf(port: UnixBinding): UnixBinding['read'] {
  const untilReadable = (): Promise<void> =>
    new Promise((resolve, reject) => {
      port.poller.once('readable', (failure: Error | null) => (failure ? reject(failure) : resolve()));
    });
  /** The last read took everything that had arrived: another one would only throw. */
  let isEmpty = false;
  return async (buffer, offset, length) => {
    while (port.fd !== null) {
      try {
        if (isEmpty) await untilReadable();
        isEmpty = false;
        if (port.fd === null) break;
        const bytesRead = readSync(port.fd, buffer, offset, length, null);
        isEmpty = bytesRead < length;
        if (bytesRead > 0) return { buffer, bytesRead };
      } catch (error) {
        if (!['EAGAIN', 'EWOULDBLOCK', 'EINTR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
        isEmpty = true;
        continue;
      }
      throw new Error('hung up');
    }
    throw Object.assign(new Error('Port is not open'), { canceled: true });
  };
}

/** Number of bytes that the port took without waiting. The library writes the others, and says what is wrong if none can be written. */
function writtenAtOnce(fd: number | null, bytes: Buffer): number {
  try {
    return fd === null ? 0 : writeSync(fd, bytes);
  } catch {
    return 0;
  }
}
