import { readFileSync } from 'node:fs';
import { MeasureError } from '../../src/errors.ts';
import { runEmulator } from '../../src/meters/emulator/emulator.ts';
import type { DeviceAnswer, EmulatedDevice } from '../../src/meters/emulator/http-device.ts';
import type { MeterHost } from '../../src/meters/meter.ts';
import {
  type HttpAnswer,
  type HttpConnection,
  HttpFault,
  type HttpOrigin,
  type HttpQuestion,
  type SessionConnection,
} from '../../src/meters/network/connection.ts';
import { type Program, startProgram } from '../../src/meters/program/program.ts';
import type { Line } from '../../src/meters/serial/line.ts';
import { KASA_PORT } from '../../src/meters/tp-link/kasa-connection.ts';
import { sleep } from '../../src/system/clock.ts';
import { SteeredMeter, steeredOptions } from '../emulators/steered.ts';
import { type Entry, type Truth, truthOf } from '../emulators/truth.ts';
import { VirtualClock } from './virtual-clock.ts';

const LINE_MS = 1;

/** A host with a clock of the test's and ports that exist in it alone. */
export class VirtualHost implements MeterHost {
  readonly clock = new VirtualClock();
  readonly #ports = new Map<string, VirtualPort>();
  readonly #devices = new Map<string, VirtualDevice>();

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

  /** A device in the network, as `HOST` or `HOST:PORT`. */
  serve(host: string, device: EmulatedDevice): VirtualDevice {
    const served = new VirtualDevice(device, this.clock);
    this.#devices.set(host, served);
    return served;
  }

  async openHttp({ secure, host, port }: HttpOrigin): Promise<SessionConnection> {
    return this.#deviceAt(host, port, secure ? 443 : 80);
  }

  async openKasa({ host, port }: Pick<HttpOrigin, 'host' | 'port'>): Promise<HttpConnection> {
    return this.#deviceAt(host, port, KASA_PORT);
  }

  #deviceAt(host: string, port: number, usualPort: number): SessionConnection {
    const nothing = () => Promise.reject(new HttpFault('nothing answers there'));
    const none = { get: nothing, post: nothing, delete: nothing, close: async () => {} };
    return this.#devices.get(port === usualPort ? host : `${host}:${port}`) ?? none;
  }

  /** Plays the programs that meters start; null: they are real ones. */
  play: ((program: VirtualProgram) => void) | null = null;

  startProgram(command: string, names: readonly string[]): Program {
    if (this.play === null) return startProgram(command, names);
    const program = new VirtualProgram(command, this.clock);
    this.play(program);
    return program;
  }

  openTcp(host: string, port: number): Promise<Line> {
    return this.openLine(`${host}:${port}`);
  }

  openUsbtmc(path: string): Promise<Line> {
    return this.openLine(path);
  }

  openHidraw(path: string): Promise<Line> {
    return this.openLine(path);
  }

  /** In no time, as everything of this host. */
  async readFile(path: string): Promise<string> {
    return readFileSync(path, 'utf8');
  }

  async openLine(path: string): Promise<Line> {
    const port = this.#ports.get(path);
    if (!port) throw new MeasureError(`The serial port ${path} does not exist.`);
    return port.open();
  }
}

/** What the wire does to one question. */
type Fault = DeviceAnswer | { readonly fault: string; readonly afterMs: number };

/** Carries questions to an emulated device and its answers back, and what may happen to them on the way. */
export class VirtualDevice implements SessionConnection {
  readonly asked: string[] = [];
  readonly #device: EmulatedDevice;
  readonly #clock: VirtualClock;
  readonly #faults: Fault[] = [];
  /** Milliseconds that every answer takes longer. */
  slowMs = 0;
  /** No question gets through. */
  silent = false;

  constructor(device: EmulatedDevice, clock: VirtualClock) {
    this.#device = device;
    this.#clock = clock;
  }

  /** Faults that no question has met yet. */
  get waiting(): number {
    return this.#faults.length;
  }

  /** The next questions fare so instead. */
  fail(...faults: Fault[]): void {
    this.#faults.push(...faults);
  }

  get(question: HttpQuestion): Promise<HttpAnswer> {
    return this.#ask('GET', question);
  }

  post({ body, ...question }: HttpQuestion & { readonly body: string }): Promise<HttpAnswer> {
    return this.#ask('POST', question, body);
  }

  delete(question: HttpQuestion): Promise<HttpAnswer> {
    return this.#ask('DELETE', question);
  }

  async #ask(method: string, { path, headers = {}, deadlineMs }: HttpQuestion, body?: string): Promise<HttpAnswer> {
    this.asked.push(method === 'GET' ? path : `${method} ${path}`);
    const fault = this.silent
      ? { fault: `nothing came within ${deadlineMs / 1000} s`, afterMs: deadlineMs }
      : this.#faults.shift();
    if (fault !== undefined && 'fault' in fault) {
      await sleep(this.#clock, fault.afterMs);
      throw new HttpFault(fault.fault);
    }
    const askedNs = this.#clock.nowNs();
    const delayMs = this.#device.delayMs() + this.slowMs;
    if (delayMs > deadlineMs) {
      await sleep(this.#clock, deadlineMs);
      throw new HttpFault(`nothing came within ${deadlineMs / 1000} s`);
    }
    await sleep(this.#clock, delayMs / 2);
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const answer =
      fault ??
      this.#device.answer({ method, path, headers: lower, ...(body !== undefined && { body }) }, this.#clock.nowNs());
    await sleep(this.#clock, delayMs / 2);
    return { headers: {}, ...answer, tNs: (askedNs + this.#clock.nowNs()) / 2n };
  }

  async close(): Promise<void> {}
}

/** A program that the test plays. */
export class VirtualProgram implements Program {
  readonly command: string;
  readonly #clock: VirtualClock;
  readonly #kept: [string, bigint][] = [];
  #onLine: ((line: string, tNs: bigint) => void) | null = null;
  #onEnd: (error: MeasureError) => void = () => {};
  #ended: MeasureError | null = null;
  isStopped = false;

  constructor(command: string, clock: VirtualClock) {
    this.command = command;
    this.#clock = clock;
  }

  get isRunning(): boolean {
    return !this.isStopped && this.#ended === null;
  }

  print(line: string): void {
    if (!this.isRunning) return;
    if (this.#onLine) this.#onLine(line, this.#clock.nowNs());
    else this.#kept.push([line, this.#clock.nowNs()]);
  }

  end(code: number): void {
    if (!this.isRunning) return;
    this.#ended = new MeasureError(`The program ended with exit code ${code}.`);
    this.#onEnd(this.#ended);
  }

  onLine(listener: (line: string, tNs: bigint) => void): void {
    this.#onLine = listener;
    for (const [line, tNs] of this.#kept.splice(0)) listener(line, tNs);
  }

  onEnd(listener: (error: MeasureError) => void): void {
    this.#onEnd = listener;
    if (this.#ended) listener(this.#ended);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.#onLine = () => {};
    this.#onEnd = () => {};
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
