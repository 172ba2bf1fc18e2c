import { averagedPowerW } from '../emulator/averaging-unit.ts';
import { type EmulatedMeter, type EmulatorSettings, EnergyRegister } from '../emulator/emulator.ts';

/** Where a real one tells its serial number. */
export const EMULATED_SERIAL = 'EMULATED';

/** How the instrument differs from a WT310E as it comes, but with fixed ranges. */
export interface YokogawaTraits {
  readonly identity?: string;
  readonly updateS?: number;
  readonly automatic?: boolean;
  /** Somebody's integration: still running, or ended. */
  readonly integrator?: 'RES' | 'STAR' | 'TIM';
  /** Answers carry their headers. */
  readonly headers?: boolean;
  /** A command that this model doesn't know. */
  readonly unknown?: string;
}

const DIGITS = 6;
/** From the end of an update to its answer. */
const ANSWER_NS = 4_000_000n;
const LONGEST_INPUT = 4096;

/** A WT310E as its line shows it: power is the mean of the last update, energy is counted up to it. */
export class YokogawaEmulator implements EmulatedMeter {
  readonly #settings: EmulatorSettings;
  readonly #traits: Required<Omit<YokogawaTraits, 'unknown'>> & Pick<YokogawaTraits, 'unknown'>;
  readonly #energy: EnergyRegister;
  readonly #answers: { readonly dueNs: bigint; readonly text: (nowNs: bigint) => string }[] = [];
  readonly #errors: string[] = [];
  #rest = '';
  #baseJ = 0;
  #heldJ = 0;
  integrator: string;
  /** Up to this moment the power has been shown. */
  shownUntilNs: bigint;
  /** What can be set, by its query without the question mark. */
  readonly state = new Map<string, string>();
  /** Every message that was sent to it. */
  readonly told: string[] = [];

  constructor(settings: EmulatorSettings, traits: YokogawaTraits = {}) {
    this.#settings = settings;
    this.#traits = {
      identity: `YOKOGAWA,WT310E,${EMULATED_SERIAL},F1.03`,
      updateS: 0.25,
      automatic: false,
      integrator: 'RES',
      headers: false,
      ...traits,
    };
    this.#energy = new EnergyRegister(settings, settings.originNs);
    this.integrator = this.#traits.integrator;
    this.shownUntilNs = settings.originNs;
    const { automatic, headers } = this.#traits;
    const auto = automatic ? '1' : '0';
    for (const [key, value] of [
      [':COMM:HEAD', headers ? '1' : '0'],
      [':NUM:FORM', 'FLO'],
      [':NUM:NORM:NUM', '3'],
      [':NUM:NORM:ITEM1', 'U,1'],
      [':NUM:NORM:ITEM2', 'I,1'],
      [':STAT:FILT1', 'NEV'],
      [':INTEG:MODE', 'CONT'],
      [':INTEG:TIM', '1,0,0'],
      [':INP:VOLT:RANG:ELEM1', '300.0E+00'],
      [':INP:CURR:RANG:ELEM1', '1.0000E+00'],
      [':INP:VOLT:AUTO:ELEM1', auto],
      [':INP:CURR:AUTO:ELEM1', auto],
    ] as const) {
      this.state.set(key, value);
    }
  }

  receive(bytes: Uint8Array, nowNs: bigint): string {
    const lines = (this.#rest + Buffer.from(bytes).toString('latin1')).split('\n');
    this.#rest = (lines.pop() ?? '').slice(-LONGEST_INPUT);
    for (const line of lines) this.#message(line.trim(), nowNs);
    return '';
  }

  dueNs(): bigint | null {
    return this.#answers[0]?.dueNs ?? null;
  }

  record(): string {
    const answer = this.#answers.shift();
    return answer === undefined ? '' : `${answer.text(answer.dueNs)}\n`;
  }

  #message(message: string, nowNs: bigint): void {
    this.told.push(message);
    const words: ((atNs: bigint) => string)[] = [];
    // What follows `:COMM:WAIT` is done when the update has ended.
    let atNs = nowNs;
    for (const unit of message.split(';')) {
      if (unit === ':COMM:WAIT 1') atNs = this.#updatedNs(nowNs) + BigInt(Math.round(this.#traits.updateS * 1e9));
      const answer = this.#unit(unit, atNs);
      if (answer !== null) words.push(answer);
    }
    if (words.length === 0) return;
    const dueNs = atNs + ANSWER_NS;
    this.#answers.push({ dueNs, text: () => words.map((word) => word(atNs)).join(';') });
  }

  /** The answer, as it is when it is sent; null: it gives none. */
  #unit(unit: string, atNs: bigint): ((atNs: bigint) => string) | null {
    const [word = '', ...values] = unit.split(' ');
    if (word === '' || word === ':COMM:WAIT' || word === ':COMM:REM') return null;
    if (this.#traits.unknown === word) {
      this.#errors.push('113,"Undefined header"');
      return null;
    }
    if (word === '*IDN?') return () => this.#traits.identity;
    if (word === ':STAT:ERR?') return () => this.#errors.shift() ?? '0,"No error"';
    if (word === '*OPC?') return () => '1';
    if (word === ':STAT:EESR?') return () => '1';
    if (word === ':RATE?') return () => this.#headed(':RATE', this.#traits.updateS.toExponential(1).toUpperCase());
    if (word === ':INTEG:STAT?') return () => this.#headed(':INTEG:STAT', this.integrator);
    if (word === ':NUM:NORM:VAL?') return (at) => this.#values(at);
    if (word.startsWith(':INTEG:') && values.length === 0 && !word.endsWith('?')) return this.#integrate(word, atNs);
    const key = word.replace(/\?$/, '');
    if (!this.state.has(key)) this.#errors.push('113,"Undefined header"');
    else if (word.endsWith('?')) return () => this.#headed(key, this.state.get(key) ?? '');
    else this.state.set(key, values.join(' ').replace(/^OFF$/, '0').replace(/^ON$/, '1'));
    return null;
  }

  #headed(key: string, value: string): string {
    return this.state.get(':COMM:HEAD') === '1' ? `${key} ${value}` : value;
  }

  #integrate(word: string, nowNs: bigint): null {
    const nowJ = this.#energy.untilJ(nowNs);
    if (word === ':INTEG:STAR') {
      this.#baseJ = nowJ - this.#heldJ;
      this.integrator = 'STAR';
    } else if (word === ':INTEG:STOP') {
      if (this.integrator === 'STAR') this.#heldJ = nowJ - this.#baseJ;
      this.integrator = 'STOP';
    } else if (word === ':INTEG:RES' && this.integrator !== 'STAR') {
      this.#heldJ = 0;
      this.integrator = 'RES';
    } else {
      this.#errors.push('861,"Integration is running"');
    }
    return null;
  }

  #values(atNs: bigint): string {
    const { originNs } = this.#settings;
    const { updateS } = this.#traits;
    const untilNs = this.#updatedNs(atNs);
    this.shownUntilNs = untilNs;
    const powerW = averagedPowerW(this.#settings, { averageS: updateS, refreshS: updateS, lagNs: 0n, originNs }, atNs);
    const energyJ = this.integrator === 'STAR' ? this.#energy.untilJ(untilNs) - this.#baseJ : this.#heldJ;
    return `${digits(powerW)},${digits(energyJ / 3600)}`;
  }

  /** The end of the last update. */
  #updatedNs(nowNs: bigint): bigint {
    const updateNs = BigInt(Math.round(this.#traits.updateS * 1e9));
    return nowNs - ((nowNs - this.#settings.originNs) % updateNs);
  }
}

/** As the instrument writes numbers: six digits, an exponent in steps of three. */
export function digits(value: number): string {
  const exponent = value === 0 ? 0 : 3 * Math.floor(Math.log10(Math.abs(value)) / 3);
  return `${(value / 10 ** exponent).toPrecision(DIGITS)}E${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
