import { type EmulatedMeter, type EmulatorSettings, EnergyRegister, randomUnit } from '../emulator/emulator.ts';
import { EMULATOR_TIMESTAMP } from './identify.ts';
import { PacketReader } from './packets.ts';

export interface WattsUpProOptions extends EmulatorSettings {
  /** Which of the 18 fields are logged. Default: all. */
  readonly logged?: readonly boolean[];
  /** Which form of the reserved argument `#L,W,3,E,<reserved>,1;` it understands. Default: both. */
  readonly reserved?: 'both' | 'one' | 'empty';
  /** Share of records with a NUL in their line end. Default 0.07, as real meters have. */
  readonly nulShare?: number;
}

const SECOND_NS = 1_000_000_000n;
const FIELD_NAMES = 'W,V,A,WH,Cost,WH/Mo,Cost/Mo,Wmax,Vmax,Amax,Wmin,Vmin,Amin,PF,DC,PC,Hz,VA';
const VERSION = `#v,-,8,1,65206,5,2,3,14,${EMULATOR_TIMESTAMP},0;\r\n`;
const BANNER = 'WattsUp.NET $ Version: 3.14 $ 197001010000 60Hz 120V\r\n';

/**
 * A Watts Up? PRO as far as its serial port shows it, without a clock of its own: told what arrives and what time it is, it gives the bytes that the
 * meter would send. Byte-true to real captures in what a driver meets: the NULs in line ends, a cut-off first record, maximum and minimum that span
 * two records, and `_` for fields that aren't logged. Its power is the exact mean of each second, rounded to 0.1 W.
 */
export class WattsUpProEmulator implements EmulatedMeter {
  readonly #options: WattsUpProOptions;
  readonly #energy: EnergyRegister;
  readonly #reader = new PacketReader();
  #logging = false;
  #interval = 1;
  #block = 0n;

  /** Number of commands that would have cleared a real meter's memory, or changed its settings. */
  memoryCleared = 0;

  constructor(options: WattsUpProOptions) {
    this.#options = options;
    this.#energy = new EnergyRegister(options, options.originNs);
  }

  /** Bytes that it sends when it is switched on. */
  powerOn(): string {
    this.#logging = false;
    return BANNER;
  }

  /** Takes bytes at a moment and gives the answer. */
  receive(bytes: Uint8Array, nowNs: bigint): string {
    return this.#reader.push(bytes).reduce((answer, { parts }) => answer + this.#answer(parts, nowNs), '');
  }

  /** When the next record is due; null when it isn't logging. */
  dueNs(): bigint | null {
    if (!this.#logging) return null;
    return this.#options.originNs + (this.#block + 1n) * SECOND_NS + this.#options.latencyNs;
  }

  /** The record that is due. */
  record(): string {
    const text = this.#record(this.#block);
    this.#block += BigInt(this.#interval);
    const chance = randomUnit(this.#options.seed + 1, Number(this.#block));
    const nulShare = this.#options.nulShare ?? 0.07;
    if (chance >= nulShare) return `${text};\r\n`;
    return chance < nulShare / 2 ? `${text};\0\r\n` : `${text};\r\0\n`;
  }

  #answer(parts: readonly string[], nowNs: bigint): string {
    const [command, sub, , kind, reserved, interval] = parts;
    switch (`${command},${sub}`) {
      case 'V,W':
        return this.powerOn();
      case 'H,R':
        return `#h,-,18,${FIELD_NAMES};\r\n`;
      case 'C,R':
        return `#c,-,18,${this.#logged().map(Number).join(',')};\r\n`;
      case 'S,R':
        return `#s,-,3,_,${this.#interval},${this.#logging ? 2 : 1};\r\n`;
      case 'D,R':
        return '#n,-,3,_,1,0;\r\n#l,-,2,0,1;\r\n';
      case 'O,R':
        return '#o,-,1,1;\r\n';
      case 'U,R':
        return '#u,-,3,0,0,0;\r\n';
      case 'L,R':
      case 'L,W':
        return sub === 'W' && kind !== undefined ? this.#log(kind, reserved, interval, nowNs) : this.#endLog();
      case 'R,W':
      case 'C,W':
      case 'S,W':
      case 'O,W':
        this.memoryCleared++;
        return command === 'C' ? '#n,-,1,1000;\r\n' : '';
      default:
        return VERSION;
    }
  }

  #log(kind: string, reserved: string | undefined, interval: string | undefined, nowNs: bigint): string {
    if (kind === 'I') {
      this.memoryCleared++;
      return '#s,-,3,_,1,1;\r\n';
    }
    const understood = this.#options.reserved ?? 'both';
    if (kind !== 'E' || (understood === 'one' && reserved === '') || (understood === 'empty' && reserved !== '')) {
      return '';
    }
    this.#interval = Math.max(1, Number(interval) || 1);
    this.#logging = true;
    this.#block = (nowNs - this.#options.originNs) / SECOND_NS;
    const cut = this.#record(this.#block - 1n);
    return `${cut.slice(0, Math.floor(cut.length * 0.9))}\r\n`;
  }

  #endLog(): string {
    this.#logging = false;
    return '#l,-,2,0,1;\r\n';
  }

  #logged(): readonly boolean[] {
    return this.#options.logged ?? Array.from({ length: 18 }, () => true);
  }

  #powerCounts(block: bigint): number {
    const fromNs = this.#options.originNs + block * SECOND_NS;
    return Math.max(0, Math.round(this.#options.energyJ(fromNs, fromNs + SECOND_NS) * 10));
  }

  #record(block: bigint): string {
    const power = this.#powerCounts(block);
    const before = this.#powerCounts(block - 1n);
    const voltage = 1200 + Math.floor(randomUnit(this.#options.seed + 2, Number(block)) * 5) - 2;
    const apparent = Math.round(power * 1.1);
    const current = Math.round((apparent / voltage) * 1000);
    const energy = Math.round(this.#energy.untilJ(this.#options.originNs + (block + 1n) * SECOND_NS) / 360);
    const fields = [power, voltage, current, Math.max(0, energy), 0, 0, 0];
    fields.push(Math.max(power, before), voltage, current, Math.min(power, before), voltage, current);
    fields.push(power === 0 ? 100 : 91, 0, 0, 600, apparent);
    const logged = this.#logged();
    return `#d,-,18,${fields.map((field, index) => (logged[index] ? field : '_')).join(',')}`;
  }
}
