import { MeasureError } from '../../errors.ts';
import type { Clock } from '../../system/clock.ts';
import { LineEnd, ReceivedExcerpt } from '../serial/exchange.ts';
import type { Line } from '../serial/line.ts';
import { type Packet, PacketReader } from './packets.ts';

/**
 * Every byte sequence that this driver can send; nothing else is ever written to the port. None of them changes the
 * meter's settings or clears its memory (Communications Protocol rev. 1.8, part II: `#C,W`, `#S,W`, `#L,W,3,I`, `#R,W` and `#O,W` would).
 */
export const COMMANDS = {
  /** Control-X: forget a half-received command of whoever used the port before. */
  abort: '\x18',
  version: '#V,R,0;',
  loggedFields: '#C,R,0;',
  /** Starts external logging every second. */
  startLogging: '#L,W,3,E,1,1;',
  /** Starts external logging with the reserved argument left empty, which some firmware wants. */
  startLoggingEmpty: '#L,W,3,E,,1;',
  stopLogging: '#L,R,0;',
} as const;

export type CommandName = keyof typeof COMMANDS;

/** The meter's language on an opened line: commands out, packets in, and requests with a deadline. */
export class Conversation {
  readonly clock: Clock;
  readonly #line: Line;
  readonly #end: LineEnd;
  readonly #reader = new PacketReader();
  #onPackets: (packets: readonly Packet[], tNs: bigint) => void = () => {};
  #awaited: { offer(packet: Packet): void; fail(error: MeasureError): void } | null = null;
  readonly #received = new ReceivedExcerpt();

  constructor(line: Line, clock: Clock) {
    this.clock = clock;
    this.#line = line;
    line.onData((chunk, tNs) => {
      this.#received.take(chunk);
      const packets = this.#reader.push(chunk);
      for (const packet of packets) this.#awaited?.offer(packet);
      if (packets.length > 0) this.#onPackets(packets, tNs);
    });
    this.#end = new LineEnd(line, (error) => this.#awaited?.fail(error));
  }

  /** Packets with the time at which their last byte was there. */
  onPackets(listener: (packets: readonly Packet[], tNs: bigint) => void): void {
    this.#onPackets = listener;
  }

  /** Called once when the port is lost or closed; at once when that has happened already. */
  onEnd(listener: (error: MeasureError) => void): void {
    this.#end.onEnd(listener);
  }

  /** The first bytes that came since `forget`, safe to print; empty when there were none. */
  received(): string {
    return this.#received.text();
  }

  forget(): void {
    this.#received.forget();
  }

  send(name: CommandName): Promise<void> {
    return this.#line.write(Buffer.from(COMMANDS[name], 'latin1'));
  }

  /**
   * Sends a command, up to `attempts` times, and waits for a packet from which `read` gets something.
   * Null when none came within `timeoutMs` of each. Throws MeasureError when the port is lost or closed, or another request is made.
   */
  async request<T>(
    name: CommandName,
    read: (packet: Packet) => T | null,
    { timeoutMs, attempts }: { timeoutMs: number; attempts: number },
  ): Promise<T | null> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const answer = this.#await(read, timeoutMs);
      this.send(name).catch((error) => answer.fail(error));
      const got = await answer.got;
      if (got !== null) return got;
    }
    return null;
  }

  #await<T>(read: (packet: Packet) => T | null, timeoutMs: number) {
    this.#awaited?.fail(new MeasureError('Another request was made before this one was answered.'));
    const { promise: got, resolve, reject } = Promise.withResolvers<T | null>();
    const finish = (settle: () => void) => {
      callOff();
      if (this.#awaited === awaited) this.#awaited = null;
      settle();
    };
    const callOff = this.clock.after(timeoutMs, () => finish(() => resolve(null)));
    const awaited = {
      got,
      offer: (packet: Packet) => {
        const answer = read(packet);
        if (answer !== null) finish(() => resolve(answer));
      },
      fail: (error: MeasureError) => finish(() => reject(error)),
    };
    this.#awaited = awaited;
    return awaited;
  }

  /** Never throws, may be called twice. */
  close(): Promise<void> {
    return this.#end.close();
  }
}
