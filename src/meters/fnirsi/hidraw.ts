import { constants, readSync, realpathSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { getErrorCode, MeasureError, messageOf } from '../../errors.ts';
import { nowNs } from '../../system/clock.ts';
import { withDeadline } from '../../system/deadline.ts';
import { openDevice } from '../scpi/usbtmc-line.ts';
import type { Line } from '../serial/line.ts';
import { entries, text } from '../sysfs.ts';
import { REPORT_BYTES } from './reports.ts';

export const HIDRAW = '/sys/class/hidraw';

export interface HidDevice {
  /** `/dev/hidraw0` */
  readonly path: string;
  /** Vendor and product: `2e3c:5558`. */
  readonly id: string;
  readonly name: string;
  /** Serial number; null: it has none. */
  readonly serial: string | null;
}

/** The HID devices that the kernel shows in this tree, `/sys/class/hidraw` or a copy of it. */
export const findHidDevices = (root: string): HidDevice[] =>
  entries(root).flatMap((entry) => hidDevice(root, `/dev/${entry}`) ?? []);

/** The HID device with this file, or with what this link points to; null: it is none. */
export function hidDevice(root: string, path: string): HidDevice | null {
  const uevent = text(join(root, nameOf(path), 'device/uevent'));
  const find = (key: string) => new RegExp(`^${key}=(.+)$`, 'm').exec(uevent ?? '')?.[1];
  const [, vendor, product] = /^[\dA-F]{4}:0000([\dA-F]{4}):0000([\dA-F]{4})$/i.exec(find('HID_ID') ?? '') ?? [];
  if (vendor === undefined || product === undefined) return null;
  const id = `${vendor}:${product}`.toLowerCase();
  return { path, id, name: find('HID_NAME') ?? id, serial: find('HID_UNIQ') ?? null };
}

function nameOf(path: string): string {
  try {
    return basename(realpathSync(path));
  } catch {
    return basename(path); // the device is gone, which is reported where it is opened
  }
}

/** Pause before a read or a write is tried again, milliseconds. The kernel keeps 64 reports. */
const PAUSE_MS = 10;
const WRITE_MS = 1000;
const CLOSE_MS = 1000;

/**
 * Reports from and to a HID device, through Linux's `hidraw` driver. A read never waits: one that did would hold this process back at its end,
 * when the device has fallen silent.
 */
export class HidrawLine implements Line {
  readonly path: string;
  readonly #file: FileHandle;
  #onData: (report: Uint8Array, tNs: bigint) => void = () => {};
  #onLost: (error: MeasureError) => void = () => {};
  #lost: MeasureError | null = null;
  #closed = false;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  /** Throws MeasureError: not there, not allowed. */
  static async open(path: string): Promise<HidrawLine> {
    const file = await openDevice(path, constants.O_RDWR | constants.O_NONBLOCK, {
      rule: 'SUBSYSTEM=="hidraw", ATTRS{idVendor}=="2e3c", GROUP="dialout", MODE="0660" (0483 for FNB48 and C1)',
      missing: 'Is the meter’s own USB port (PC) connected to this machine?',
    });
    const line = new HidrawLine(path, file);
    void line.#listen();
    return line;
  }

  onData(listener: (report: Uint8Array, tNs: bigint) => void): void {
    this.#onData = listener;
  }

  onLost(listener: (error: MeasureError) => void): void {
    this.#onLost = listener;
    if (this.#lost) listener(this.#lost);
  }

  /** One report. The byte before it says that this device does not number its reports. */
  async write(report: Uint8Array): Promise<void> {
    if (this.#lost) throw this.#lost;
    if (this.#closed) throw new MeasureError(`The meter ${this.path} is closed.`);
    const bytes = Uint8Array.from([0, ...report]);
    const late = () => Promise.reject(new Error('it takes no data'));
    await withDeadline(this.#writeWhole(bytes), WRITE_MS, late).catch((cause: unknown) => {
      throw this.#lose(cause);
    });
  }

  async #writeWhole(bytes: Uint8Array): Promise<void> {
    while (!this.#closed && !this.#lost) {
      try {
        await this.#file.write(bytes, 0, bytes.length, null);
        return;
      } catch (error) {
        if (getErrorCode(error) !== 'EAGAIN') throw error;
        await setTimeout(PAUSE_MS);
      }
    }
  }

  async #listen(): Promise<void> {
    const buffer = Buffer.alloc(REPORT_BYTES);
    while (!this.#closed && !this.#lost) {
      try {
        const bytes = readSync(this.#file.fd, buffer);
        if (bytes === 0) throw new Error('it was hung up');
        this.#onData(Uint8Array.from(buffer.subarray(0, bytes)), nowNs());
      } catch (error) {
        if (getErrorCode(error) === 'EAGAIN') await setTimeout(PAUSE_MS);
        else this.#lose(error);
      }
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await withDeadline(this.#file.close(), CLOSE_MS, () => undefined).catch(() => undefined);
  }

  #lose(cause: unknown): MeasureError {
    const lost = new MeasureError(`The meter ${this.path} was unplugged or failed (${messageOf(cause)}).`, { cause });
    if (this.#lost || this.#closed) return this.#lost ?? lost;
    this.#lost = lost;
    this.#onLost(lost);
    return lost;
  }
}
