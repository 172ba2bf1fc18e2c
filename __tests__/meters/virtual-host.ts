import { MeasureError } from '../../src/errors.ts';
import { runEmulator } from '../../src/meters/emulator/emulator.ts';
import type { MeterHost } from '../../src/meters/meter.ts';
import type { Line } from '../../src/meters/serial/line.ts';
import { SteeredMeter, steeredOptions } from '../emulators/steered.ts';
import { type Entry, type Truth, truthOf } from '../emulators/truth.ts';
import { VirtualClock } from './virtual-clock.ts';

const LINE_MS = 1;

/** A host with a clock of the test's and ports that exist in it alone. */
export class VirtualHost implements MeterHost {
  readonly clock = new VirtualClock();
  readonly #ports = new Map<string, VirtualPort>();

  /** An emulated meter, as `startEmulator` starts one on a real port. */
  plug(path: string, type: string, ...args: string[]): { steer(line: string): void; truth(): Truth } {
    const far = this.wire(path);
    const entries: Entry[] = [];
    const meter = new SteeredMeter(type, steeredOptions(args), {
      clock: this.clock,
      send: (bytes) => far.write(bytes),
      unplug: () => far.unplug(),
      log: (entry) => entries.push(entry),
    });
    runEmulator(meter, far, this.clock);
    return { steer: (line) => meter.steer(line), truth: () => truthOf(entries) };
  }

  /** A port, and its far end for the test to play. */
  wire(path: string): FarEnd {
    const port = new VirtualPort(path, this.clock);
    this.#ports.set(path, port);
    return port.far;
  }

  async openLine(path: string): Promise<Line> {
    const port = this.#ports.get(path);
    if (!port) throw new MeasureError(`The serial port ${path} does not exist.`);
    return port.open();
  }
}

interface FarEnd {
  write(bytes: Uint8Array): void;
  onData(listener: (chunk: Uint8Array) => void): void;
  unplug(): void;
}

/** Carries bytes both ways between a meter and the one line that may be open. */
class VirtualPort {
  readonly far: FarEnd;
  readonly #path: string;
  readonly #clock: VirtualClock;
  #toMeter: (chunk: Uint8Array) => void = () => {};
  #line: VirtualLine | null = null;

  constructor(path: string, clock: VirtualClock) {
    this.#path = path;
    this.#clock = clock;
    this.far = {
      write: (bytes) => {
        if (bytes.length > 0) clock.after(LINE_MS, () => this.#line?.deliver(bytes));
      },
      onData: (listener) => {
        this.#toMeter = listener;
      },
      unplug: () => this.#line?.lose(),
    };
  }

  open(): VirtualLine {
    if (this.#line) throw new MeasureError(`The serial port ${this.#path} is in use.`);
    const close = () => {
      this.#line = null;
    };
    const write = (bytes: Uint8Array) => void this.#clock.after(LINE_MS, () => this.#toMeter(bytes));
    this.#line = new VirtualLine(this.#path, this.#clock, { write, close });
    return this.#line;
  }
}

class VirtualLine implements Line {
  readonly path: string;
  readonly #clock: VirtualClock;
  readonly #port: { write(bytes: Uint8Array): void; close(): void };
  #onData: (chunk: Uint8Array, tNs: bigint) => void = () => {};
  #onLost: (error: MeasureError) => void = () => {};
  #lost: MeasureError | null = null;
  #closed = false;

  constructor(path: string, clock: VirtualClock, port: { write(bytes: Uint8Array): void; close(): void }) {
    this.path = path;
    this.#clock = clock;
    this.#port = port;
  }

  onData(listener: (chunk: Uint8Array, tNs: bigint) => void): void {
    this.#onData = listener;
  }

  onLost(listener: (error: MeasureError) => void): void {
    this.#onLost = listener;
  }

  deliver(bytes: Uint8Array): void {
    this.#onData(bytes, this.#clock.nowNs());
  }

  lose(): void {
    this.#lost = new MeasureError(`The serial port ${this.path} was unplugged or failed (virtually).`);
    this.#onLost(this.#lost);
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#lost) throw this.#lost;
    if (this.#closed) throw new MeasureError(`The serial port ${this.path} is closed.`);
    this.#port.write(bytes);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#port.close();
  }
}
