import type { EmulatedMeter, EmulatorSettings } from '../emulator/emulator.ts';
import { type Chip, ONE_CHANNEL_CHIP, TWO_CHANNEL_CHIP } from './chips.ts';
import { type ChipState, computeRegisters } from './emulator-registers.ts';
import { checksum } from './reply.ts';

export interface McpOptions extends EmulatorSettings {
  readonly chip?: Chip['type'];
  /** Joules through the second outlet of a chip with two. Default: nothing is plugged in. */
  readonly secondJ?: (fromNs: bigint, toNs: bigint) => number;
  readonly state?: Partial<Omit<ChipState, 'chip'>>;
}

/** How to spoil the next reply. */
export type Fault = 'nak' | 'csfail' | 'checksum' | 'length' | 'cut' | 'excess' | 'silent';

const HEADER = 0xa5;
const ACKNOWLEDGED = 0x06;
const NOT_UNDERSTOOD = 0x15;
const CHECKSUM_FAILED = 0x51;
const LONGEST_FRAME = 35;
const LONGEST_READ = 32;
/** Pause after which an incomplete request is dropped. */
const REQUEST_TIMEOUT_NS = 100_000_000n;

/**
 * A Microchip MCP39F511N or MCP39F511 as its serial side shows it: registers that are renewed after every 2^N line cycles with the exact mean power of
 * these, rounded to a count, and a reply to every frame at once. What would change a real chip is counted.
 */
export class McpEmulator implements EmulatedMeter {
  readonly #options: McpOptions;
  readonly #faults: Fault[] = [];
  #state: ChipState;
  #pointer = 0;
  #received: number[] = [];
  #receivedNs = 0n;

  /** Number of commands that would have written to a real chip, its flash or EEPROM, or calibrated it. */
  harmed = 0;
  /** Moment up to which the power has been shown: a switch of the load before it comes too late. */
  shownUntilNs: bigint;

  constructor(options: McpOptions) {
    this.#options = options;
    this.shownUntilNs = options.originNs;
    const ranges = { voltageRange: 18, currentRange: 12, powerRange: 19 };
    const chip = options.chip === 'mcp39f511' ? ONE_CHANNEL_CHIP : TWO_CHANNEL_CHIP;
    this.#state = { chip, accumulation: 4, ...ranges, lineHz: 50, mains: true, ...options.state };
  }

  /** Changes the chip as other software or a power cut would. */
  set(change: Partial<Omit<ChipState, 'chip'>>): void {
    this.#state = { ...this.#state, ...change };
  }

  /** Spoils the next replies, one after the other. */
  spoil(...faults: readonly Fault[]): void {
    this.#faults.push(...faults);
  }

  receive(bytes: Uint8Array, nowNs: bigint): Uint8Array {
    if (nowNs - this.#receivedNs > REQUEST_TIMEOUT_NS) this.#received = [];
    this.#receivedNs = nowNs;
    const replies: number[] = [];
    for (const byte of bytes) {
      if (this.#received.length === 0 && byte !== HEADER) continue;
      this.#received.push(byte);
      const length = this.#received[1] ?? LONGEST_FRAME;
      if (this.#received.length < Math.max(2, Math.min(length, LONGEST_FRAME))) continue;
      const frame = Uint8Array.from(this.#received);
      this.#received = [];
      replies.push(...this.#spoiled(this.#reply(frame, nowNs)));
    }
    return Uint8Array.from(replies);
  }

  dueNs(): null {
    return null;
  }

  record(): Uint8Array {
    return new Uint8Array();
  }

  #reply(frame: Uint8Array, nowNs: bigint): number[] {
    if (frame.length < 4 || frame.length !== frame[1]) return [NOT_UNDERSTOOD];
    if (checksum(frame.subarray(0, -1)) !== frame.at(-1)) return [CHECKSUM_FAILED];
    const data: number[] = [];
    for (let at = 2; at < frame.length - 1; ) {
      const [command, first = 0, second = 0] = frame.subarray(at, -1);
      if (command === 0x41) {
        this.#pointer = (first << 8) | second;
        at += 3;
      } else if (command === 0x4e) {
        if (first > LONGEST_READ || this.#pointer + first > 0x100) return [NOT_UNDERSTOOD];
        data.push(...this.#registers(nowNs).subarray(this.#pointer, this.#pointer + first));
        at += 2;
      } else if ([0x4d, 0x53, 0x42, 0x50, 0x4f, 0x5a, 0x7a, 0x76].includes(command ?? 0)) {
        this.harmed++;
        return [ACKNOWLEDGED];
      } else {
        return [NOT_UNDERSTOOD];
      }
    }
    if (data.length === 0) return [ACKNOWLEDGED];
    const reply = [ACKNOWLEDGED, data.length + 3, ...data];
    return [...reply, checksum(Uint8Array.from(reply))];
  }

  #registers(nowNs: bigint): Uint8Array {
    const { energyJ, secondJ, seed, latencyNs, originNs } = this.#options;
    const periodNs = (2 ** this.#state.accumulation / this.#state.lineHz) * 1e9;
    const startOf = (index: number) => originNs + BigInt(Math.round(index * periodNs));
    const index = Math.floor(Number(nowNs - latencyNs - originNs) / periodNs) - 1;
    const [fromNs, toNs] = [startOf(index), startOf(index + 1)];
    if (toNs > this.shownUntilNs) this.shownUntilNs = toNs;
    const seconds = Number(toNs - fromNs) / 1e9;
    const powersW = [energyJ, secondJ ?? (() => 0)].map((joules) => joules(fromNs, toNs) / seconds);
    return computeRegisters(this.#state, powersW, index, seed);
  }

  #spoiled(reply: number[]): number[] {
    const fault = this.#faults.shift();
    const last = reply.length - 1;
    switch (fault) {
      case undefined:
        return reply;
      case 'nak':
        return [NOT_UNDERSTOOD];
      case 'csfail':
        return [CHECKSUM_FAILED];
      case 'checksum':
        return reply.with(last, ((reply[last] ?? 0) + 1) & 0xff);
      case 'length':
        return reply.with(1, ((reply[1] ?? 0) + 1) & 0xff);
      case 'cut':
        return reply.slice(0, Math.ceil(last / 2));
      case 'excess':
        return [...reply, 0x06];
      case 'silent':
        return [];
    }
  }
}
