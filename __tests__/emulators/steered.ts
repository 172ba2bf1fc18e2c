import { parseArgs } from 'node:util';
import type { Bytes, EmulatedMeter } from '../../src/meters/emulator/emulator.ts';
import { Load, type Switch } from '../../src/meters/emulator/load.ts';
import type { Clock } from '../../src/system/clock.ts';
import { type PlayedMeter, playedMeter } from './played.ts';

/** What the emulated machine, its meter and the port are like. */
export const OPTIONS = {
  idle: { type: 'string', default: '40' },
  load: { type: 'string', default: '65' },
  noise: { type: 'string', default: '0' },
  /** Seconds of the first-order lag of its heat, and what it leaks more when it is warm through, watts; 0: none. */
  heat: { type: 'string', default: '0' },
  leak: { type: 'string', default: '3' },
  seed: { type: 'string', default: '1' },
  phase: { type: 'string', default: '0.3' },
  latency: { type: 'string', default: '0.05' },
  /** What is at the port: the meter, or something that isn't one. */
  play: { type: 'string', default: 'meter' },
  reserved: { type: 'string', default: 'both' },
  'no-watts': { type: 'boolean', default: false },
  /** The adapter at the port hears what it sends. */
  echo: { type: 'boolean', default: false },
  /** Address of the meter on its bus. */
  unit: { type: 'string', default: '1' },
  'without-alarm': { type: 'boolean', default: false },
  /** Power at a second outlet, and the state of a chip, as JSON. */
  second: { type: 'string', default: '0' },
  state: { type: 'string', default: '{}' },
} as const;

export type SteeredOptions = ReturnType<typeof steeredOptions>;

/** `OPTIONS` from words as on a command line. */
export function steeredOptions(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS }).values;
}

const NOISE = Buffer.from('\xff\x00#d,-,18,12\x81,1\r\n;#;;;d,#x,-,1,_;\r\n', 'latin1');
const CHATTER_MS = 100;

/** What a steered meter needs of the port that it is at. */
export interface Surroundings {
  readonly clock: Clock;
  /** Sends what nobody asked for. */
  send(bytes: Uint8Array): void;
  /** Lets the port go away. */
  unplug(): void;
  /** Keeps an entry of the truth, see `truth.ts`. */
  log(entry: { readonly kind: string } & Readonly<Record<string, unknown>>): void;
}

const ns = (secondsText: string) => BigInt(Math.round(Number(secondsText) * 1e9));

/** The emulated machine behind a meter: what is told to it, and the truth of it. */
export class SteeredLoad {
  readonly #load: Load;
  readonly #log: Surroundings['log'];
  readonly #switches: Switch[] = [];
  #onNs: bigint | null = null;
  readonly settings: { energyJ(from: bigint, to: bigint): number; originNs: bigint; seed: number; latencyNs: bigint };

  constructor(options: SteeredOptions, { clock, log }: Pick<Surroundings, 'clock' | 'log'>) {
    const seed = Number(options.seed);
    const originNs = clock.nowNs() - ns(options.phase);
    const watts = { idleW: Number(options.idle), loadW: Number(options.load), noiseW: Number(options.noise) };
    const load = new Load({ ...watts, seed, originNs });
    log({ kind: 'load', ...load.options });
    this.#load = load;
    this.#log = log;
    const [tauS, leakW] = [Number(options.heat), Number(options.leak)];
    const leakJ = (from: bigint, to: bigint) =>
      tauS === 0 ? 0 : leakW * (warmSeconds(this.#switches, tauS, to) - warmSeconds(this.#switches, tauS, from));
    const energyJ = (from: bigint, to: bigint) => load.energyJ(from, to) + leakJ(from, to);
    this.settings = { energyJ, originNs, seed, latencyNs: ns(options.latency) };
  }

  /** `shownUntilNs`: up to here the meter has shown the power already, and has said something else than the truth. */
  turn(word: 'on' | 'off', tNs: bigint, shownUntilNs: bigint): void {
    this.#load.switch({ tNs, on: word === 'on' });
    this.#switches.push({ tNs, on: word === 'on' });
    if (tNs < shownUntilNs) this.#log({ kind: 'late', t_ns: tNs });
    this.#log({ kind: word, t_ns: tNs });
    if (word === 'off' && this.#onNs !== null) {
      this.#log({ kind: 'window', start_ns: this.#onNs, end_ns: tNs, energy_j: this.#load.energyJ(this.#onNs, tNs) });
    }
    this.#onNs = word === 'on' ? tNs : null;
  }
}

/** The warmth of a machine, from 0 (cold) to 1 (warm from its load), over the time until a moment: exact, by the switches in their order. */
function warmSeconds(switches: readonly Switch[], tauS: number, untilNs: bigint): number {
  let [warmth, sum] = [0, 0];
  for (const [i, { tNs, on }] of switches.entries()) {
    const nextNs = switches[i + 1]?.tNs ?? untilNs;
    const seconds = Math.max(0, Number((nextNs < untilNs ? nextNs : untilNs) - tNs) / 1e9);
    const [target, left] = [on ? 1 : 0, Math.exp(-seconds / tauS)];
    sum += target * seconds + (warmth - target) * tauS * (1 - left);
    warmth = target + (warmth - target) * left;
  }
  return sum;
}

/** An emulated meter with a known true power, with everything that tests let happen at its port. Lines for `steer`: see `program.ts`. */
export class SteeredMeter implements EmulatedMeter {
  readonly #surroundings: Surroundings;
  readonly #play: string;
  readonly #echoes: boolean;
  readonly #load: SteeredLoad;
  readonly #meter: PlayedMeter;
  #toDrop = 0;
  #toCorrupt = 0;
  #silent = false;
  #sentUntilNs: bigint;
  #lines = 0;

  constructor(type: string, options: SteeredOptions, surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#play = options.play;
    this.#echoes = options.echo || options.play === 'echo';
    this.#load = new SteeredLoad(options, surroundings);
    this.#meter = playedMeter(type, this.#load.settings, options);
    this.#sentUntilNs = this.#load.settings.originNs;
    if (options.play === 'chatter') this.#chatter();
  }

  receive(bytes: Uint8Array, nowNs: bigint): Bytes {
    this.#surroundings.log({ kind: 'received', t_ns: nowNs, text: Buffer.from(bytes).toString('latin1') });
    if (this.#silent) return '';
    const echo = this.#echoes ? bytes : new Uint8Array();
    const answer = this.#play === 'meter' ? this.#meter.receive(bytes, nowNs) : '';
    return Buffer.concat([echo, Buffer.from(answer as string, 'latin1')]);
  }

  dueNs(): bigint | null {
    return this.#meter.dueNs();
  }

  record(): Bytes {
    const dueNs = this.#meter.dueNs() ?? 0n;
    const record = this.#meter.record();
    this.#sentUntilNs = this.#meter.shownUntilNs ?? dueNs - this.#load.settings.latencyNs;
    if (this.#toDrop > 0) {
      this.#toDrop--;
      return '';
    }
    return this.#silent ? '' : this.#corrupted(record);
  }

  steer(line: string): void {
    const [word, argument] = line.trim().split(/\s+/);
    if (word === 'on' || word === 'off') {
      this.#turn(word, argument === undefined ? this.#surroundings.clock.nowNs() : BigInt(argument));
    } else if (word === 'drop') this.#toDrop = Number(argument ?? 1);
    else if (word === 'corrupt') this.#toCorrupt = Number(argument ?? 1);
    else if (word === 'refuse') this.#meter.refuse?.(Number(argument));
    else if (word === 'silence' || word === 'resume') this.#silent = word === 'silence';
    else if (word === 'noise') this.#surroundings.send(NOISE);
    else if (word === 'unplug') this.#surroundings.unplug();
    else if (word && !this.#meter.steer?.(word, argument ?? '')) this.#surroundings.log({ kind: 'unknown', line });
  }

  #turn(word: 'on' | 'off', tNs: bigint): void {
    this.#load.turn(word, tNs, this.#meter.shownUntilNs ?? this.#sentUntilNs);
  }

  #corrupted(bytes: Bytes): Bytes {
    if (this.#toCorrupt === 0) return bytes;
    this.#toCorrupt--;
    const wrong = Buffer.from(bytes as string, 'latin1');
    const middle = wrong.length >> 1;
    wrong[middle] = (wrong[middle] ?? 0) ^ 0x10;
    return wrong;
  }

  #chatter(): void {
    this.#surroundings.clock.after(CHATTER_MS, () => {
      this.#surroundings.send(Buffer.from(`$GPGGA,${this.#lines++},4807.038,N\x1b[31m\r\n`));
      this.#chatter();
    });
  }
}
