import { type EmulatedMeter, type EmulatorSettings, EnergyRegister } from '../emulator/emulator.ts';

/** Serial number of an emulated instrument. */
export const EMULATED_SERIAL = 'EMULATED';

/** Delay from the end of a measurement to its answer. */
const ANSWER_NS = 4_000_000n;
const LONGEST_INPUT = 4096;
const DIGITS = 6;

/** The line side of an emulated SCPI instrument: messages come in, and each answer goes out at its time. */
export abstract class EmulatedInstrument implements EmulatedMeter {
  protected readonly settings: EmulatorSettings;
  protected readonly energy: EnergyRegister;
  protected readonly errors: string[] = [];
  readonly #answers: { readonly dueNs: bigint; readonly words: readonly (() => string)[] }[] = [];
  #rest = '';
  /** Settings, by their query without the question mark. */
  readonly state: Map<string, string>;
  /** Every message that was sent to it. */
  readonly reported: string[] = [];

  constructor(settings: EmulatorSettings, state: Readonly<Record<string, string>>) {
    this.settings = settings;
    this.energy = new EnergyRegister(settings, settings.originNs);
    this.state = new Map(Object.entries(state));
  }

  receive(bytes: Uint8Array, nowNs: bigint): string {
    const lines = (this.#rest + Buffer.from(bytes).toString('latin1')).split('\n');
    this.#rest = (lines.pop() ?? '').slice(-LONGEST_INPUT);
    for (const line of lines) {
      const message = line.trim();
      this.reported.push(message);
      const { atNs, words } = this.heard(message, nowNs);
      if (words.length > 0) this.#answers.push({ dueNs: atNs + ANSWER_NS, words });
    }
    return '';
  }

  dueNs(): bigint | null {
    return this.#answers[0]?.dueNs ?? null;
  }

  record(): string {
    const answer = this.#answers.shift();
    return answer === undefined ? '' : `${answer.words.map((word) => word()).join(';')}\n`;
  }

  /** The moment that a message's answers are of, and functions that give them when they are sent. */
  protected abstract heard(message: string, nowNs: bigint): { atNs: bigint; words: readonly (() => string)[] };

  /** End of the last complete period of so many seconds. */
  protected endNs(nowNs: bigint, periodS: number): bigint {
    return nowNs - ((nowNs - this.settings.originNs) % BigInt(Math.round(periodS * 1e9)));
  }
}

/** Writes a number as instruments do: six digits, an exponent in steps of three. */
export function digits(value: number): string {
  const exponent = value === 0 ? 0 : 3 * Math.floor(Math.log10(Math.abs(value)) / 3);
  return `${(value / 10 ** exponent).toPrecision(DIGITS)}E${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
