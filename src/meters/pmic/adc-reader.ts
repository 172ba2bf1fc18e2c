import { excerpt } from '../excerpt.ts';
import { LineFault, type LineTaker, type TimedPower } from '../program/line-meter.ts';

/** Begins the line that the loop around vcgencmd prints after each answer; the exit code follows. */
export const END = 'joulediff: ended with';

/** Upper bound on what a Raspberry Pi 5 takes, watts: more is no reading. */
const MAX_W = 100;
const MAX_VALUES = 100;

/** `3V7_WL_SW_A current(0)=0.09663570A` or `3V7_WL_SW_V volt(8)=3.70627200V`; the numbers in parentheses are no pairs. */
const VALUE =
  /^\s*(?:(\w{1,40})_A current\(\d+\)=(\d{1,3}\.\d{1,9})A|(\w{1,40})_V volt\(\d+\)=(\d{1,3}\.\d{1,9})V)\s*$/;

export interface Rails {
  /** Names of rails that have a current and a voltage. */
  readonly summed: string;
  /** Names of rails that have only one of them. */
  readonly unpaired: string;
}

/** Parses the answers of `vcgencmd pmic_read_adc`, one after the other: the sum over all rails of current times voltage. */
export class AdcReader implements LineTaker {
  readonly #amperes = new Map<string, number>();
  readonly #volts = new Map<string, number>();
  #fault: LineFault | null = null;
  #rails: Rails | null = null;
  #lastNs = 0n;

  /** The rails of the first answer; later answers must have the same. */
  get rails(): Rails {
    if (this.#rails === null) throw new Error('no answer was read yet');
    return this.#rails;
  }

  take(line: string, arrivedNs: bigint): TimedPower | null {
    if (!line.startsWith(END)) {
      // A fault is reported once, at the end of the answer.
      this.#fault ??= this.#keep(line);
      return null;
    }
    const [amperes, volts, fault] = [new Map(this.#amperes), new Map(this.#volts), this.#fault];
    this.#amperes.clear();
    this.#volts.clear();
    this.#fault = null;
    if (fault !== null) throw fault;
    if (line !== `${END} 0`) throw new LineFault(`says that vcgencmd failed: ${excerpt(line.slice(END.length - 10))}`);
    const powerW = this.#sum(amperes, volts);
    // This process was too busy to take the answers one by one: the next one stands for the time of this one, too.
    if (arrivedNs <= this.#lastNs) return null;
    this.#lastNs = arrivedNs;
    return { tNs: arrivedNs, powerW: [powerW] };
  }

  #keep(line: string): LineFault | null {
    if (line.trim() === '') return null;
    const [, current, amperes, voltage, volts] = VALUE.exec(line) ?? [];
    const [values, rail, value] =
      current === undefined ? [this.#volts, voltage, volts] : [this.#amperes, current, amperes];
    if (rail === undefined) return new LineFault(`is no rail of a Raspberry Pi 5: ${excerpt(line.trim(), 120)}`);
    if (values.has(rail) || values.size === MAX_VALUES) return new LineFault(`names the rail ${rail} twice`);
    values.set(rail, Number(value));
    return null;
  }

  #sum(amperes: ReadonlyMap<string, number>, volts: ReadonlyMap<string, number>): number {
    const names = [...new Set([...amperes.keys(), ...volts.keys()])].sort();
    const isPair = (name: string) => amperes.has(name) && volts.has(name);
    const summed = names.filter(isPair).join(' ');
    if (summed === '') throw new LineFault('ends an answer without a rail that has a current and a voltage');
    this.#rails ??= { summed, unpaired: names.filter((name) => !isPair(name)).join(' ') };
    if (summed !== this.#rails.summed) throw new LineFault(`ends an answer with other rails than the first: ${summed}`);
    const powerW = [...amperes].reduce((sum, [name, current]) => sum + current * (volts.get(name) ?? 0), 0);
    if (powerW > MAX_W)
      throw new LineFault(`ends an answer of ${powerW.toFixed(0)} W, more than a Raspberry Pi 5 can take`);
    return powerW;
  }
}
