import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { MeasureError, messageOf } from '../../errors.ts';
import { nowNs } from '../../system/clock.ts';
import { withDeadline } from '../../system/deadline.ts';
import type { Line } from '../serial/line.ts';

const LONGEST_ANSWER = 4096;
const CLOSE_MS = 1000;
const END = 0x0a;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  ENODEV: 'it is not there',
  EACCES: 'your user may not use it',
  EPERM: 'your user may not use it',
  EBUSY: 'another program uses it',
};

/** Opens a meter's file of the kernel's. `rule`: of udev, which lets a user open it. Throws MeasureError: not there, not allowed. */
export async function openDevice(
  path: string,
  flags: number,
  { rule, missing }: { readonly rule: string; readonly missing: string },
): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const isForbidden = code === 'EACCES' || code === 'EPERM';
    const advice = isForbidden ? `Let your user use it by a udev rule such as ${rule}.` : missing;
    const why = REASONS[code ?? ''] ?? (cause as Error).message;
    throw new MeasureError(`The instrument ${path} can't be opened: ${why}.`, { advice, cause });
  }
}

/**
 * An instrument on USB, through Linux's `usbtmc` driver: a message is written, and its answer read where one was asked for. A read without a
 * question would end in a timeout of the driver's and an error of the instrument's.
 */
export class UsbtmcLine implements Line {
  readonly path: string;
  readonly #file: FileHandle;
  #onData: (chunk: Uint8Array, tNs: bigint) => void = () => {};
  #onLost: (error: MeasureError) => void = () => {};
  #lost: MeasureError | null = null;
  #reading: Promise<void> = Promise.resolve();
  #closed = false;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  /** Throws MeasureError: not there, not allowed. */
  static async open(path: string): Promise<UsbtmcLine> {
    const file = await openDevice(path, constants.O_RDWR, {
      rule: 'SUBSYSTEM=="usbmisc", KERNEL=="usbtmc*", GROUP="dialout", MODE="0660"',
      missing: 'Is the instrument switched on and connected, and is the kernel’s module usbtmc loaded?',
    });
    return new UsbtmcLine(path, file);
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
    if (this.#closed) throw new MeasureError(`The instrument ${this.path} is closed.`);
    await this.#reading;
    try {
      await this.#file.write(bytes, 0, bytes.length, null);
    } catch (cause) {
      throw this.#lose(cause);
    }
    if (bytes.includes('?'.charCodeAt(0))) this.#reading = this.#readAnswer();
  }

  async #readAnswer(): Promise<void> {
    const buffer = Buffer.alloc(LONGEST_ANSWER);
    try {
      for (let ended = false; !ended && !this.#closed; ) {
        const { bytesRead } = await this.#file.read(buffer, 0, LONGEST_ANSWER, null);
        ended = bytesRead === 0 || buffer[bytesRead - 1] === END;
        this.#onData(Uint8Array.from(buffer.subarray(0, bytesRead)), nowNs());
      }
    } catch (error) {
      // ETIMEDOUT: the driver gave up after some seconds. Only the answer is missing, not the instrument.
      if ((error as NodeJS.ErrnoException).code !== 'ETIMEDOUT') this.#lose(error);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await withDeadline(this.#file.close(), CLOSE_MS, () => undefined).catch(() => undefined);
  }

  #lose(cause: unknown): MeasureError {
    const lost = new MeasureError(`The instrument ${this.path} was unplugged or failed (${messageOf(cause)}).`, {
      cause,
    });
    if (this.#lost || this.#closed) return this.#lost ?? lost;
    this.#lost = lost;
    this.#onLost(lost);
    return lost;
  }
}
