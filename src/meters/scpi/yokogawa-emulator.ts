import { averagedPowerW } from '../emulator/averaging-unit.ts';
import type { EmulatorSettings } from '../emulator/emulator.ts';
import { digits, EMULATED_SERIAL, EmulatedInstrument } from './emulated-instrument.ts';

/** How the instrument differs from a WT310E as it comes, but with fixed ranges. */
export interface YokogawaTraits {
  readonly identity?: string;
  readonly updateS?: number;
  readonly automatic?: boolean;
  /** State of somebody else's integration: reset, running, ended, stopped, or yet to begin. */
  readonly integrator?: 'RES' | 'STAR' | 'TIM' | 'STOP' | 'READY';
  /** Whether answers carry their headers. */
  readonly headers?: boolean;
  /** A command that this model does not know. */
  readonly unknown?: string;
}

/** A WT310E as its line shows it: power is the mean of the last update, energy is counted up to it. */
export class YokogawaEmulator extends EmulatedInstrument {
  readonly #traits: Required<Omit<YokogawaTraits, 'unknown'>> & Pick<YokogawaTraits, 'unknown'>;
  #baseJ = 0;
  #heldJ = 0;
  integrator: string;
  /** Moment up to which the power has been shown. */
  shownUntilNs: bigint;

  constructor(settings: EmulatorSettings, traits: YokogawaTraits = {}) {
    const auto = traits.automatic === true ? '1' : '0';
    super(settings, {
      ':COMM:HEAD': traits.headers === true ? '1' : '0',
      ':NUM:FORM': 'FLO',
      ':NUM:NORM:NUM': '3',
      ':NUM:NORM:ITEM1': 'U,1',
      ':NUM:NORM:ITEM2': 'I,1',
      ':STAT:FILT1': 'NEV',
      ':INTEG:MODE': 'CONT',
      ':INTEG:TIM': '1,0,0',
      ':INP:VOLT:RANG:ELEM1': '300.0E+00',
      ':INP:CURR:RANG:ELEM1': '1.0000E+00',
      ':INP:VOLT:AUTO:ELEM1': auto,
      ':INP:CURR:AUTO:ELEM1': auto,
    });
    this.#traits = {
      identity: `YOKOGAWA,WT310E,${EMULATED_SERIAL},F1.03`,
      updateS: 0.25,
      automatic: false,
      integrator: 'RES',
      headers: false,
      ...traits,
    };
    this.integrator = this.#traits.integrator;
    this.shownUntilNs = settings.originNs;
  }

  protected heard(message: string, nowNs: bigint) {
    const words: ((atNs: bigint) => string)[] = [];
    // What follows `:COMM:WAIT` is done when the update has ended.
    let atNs = nowNs;
    for (const unit of message.split(';')) {
      if (unit === ':COMM:WAIT 1') atNs = this.#updatedNs(nowNs) + BigInt(Math.round(this.#traits.updateS * 1e9));
      const answer = this.#unit(unit, atNs);
      if (answer !== null) words.push(answer);
    }
    return { atNs, words: words.map((word) => () => word(atNs)) };
  }

  /** The answer to one part of a message, computed when it is sent; null: there is none. */
  #unit(unit: string, atNs: bigint): ((atNs: bigint) => string) | null {
    const [word = '', ...values] = unit.split(' ');
    if (word === '' || word === ':COMM:WAIT' || word === ':COMM:REM') return null;
    if (this.#traits.unknown === word) {
      this.errors.push('113,"Undefined header"');
      return null;
    }
    if (word === '*IDN?') return () => this.#traits.identity;
    if (word === ':STAT:ERR?') return () => this.errors.shift() ?? '0,"No error"';
    if (word === '*OPC?') return () => '1';
    if (word === ':STAT:EESR?') return () => '1';
    if (word === ':RATE?') return () => this.#headed(':RATE', this.#traits.updateS.toExponential(1).toUpperCase());
    if (word === ':INTEG:STAT?') return () => this.#headed(':INTEG:STAT', this.integrator);
    if (word === ':NUM:NORM:VAL?') return (at) => this.#values(at);
    if (word.startsWith(':INTEG:') && values.length === 0 && !word.endsWith('?')) return this.#integrate(word, atNs);
    const key = word.replace(/\?$/, '');
    if (!this.state.has(key)) this.errors.push('113,"Undefined header"');
    else if (word.endsWith('?')) return () => this.#headed(key, this.state.get(key) ?? '');
    else this.state.set(key, values.join(' ').replace(/^OFF$/, '0').replace(/^ON$/, '1'));
    return null;
  }

  #headed(key: string, value: string): string {
    return this.state.get(':COMM:HEAD') === '1' ? `${key} ${value}` : value;
  }

  #integrate(word: string, nowNs: bigint): null {
    const nowJ = this.energy.untilJ(nowNs);
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
      this.errors.push('861,"Integration is running"');
    }
    return null;
  }

  #values(atNs: bigint): string {
    const { originNs } = this.settings;
    const { updateS } = this.#traits;
    const untilNs = this.#updatedNs(atNs);
    this.shownUntilNs = untilNs;
    const powerW = averagedPowerW(this.settings, { averageS: updateS, refreshS: updateS, lagNs: 0n, originNs }, atNs);
    const energyJ = this.integrator === 'STAR' ? this.energy.untilJ(untilNs) - this.#baseJ : this.#heldJ;
    return `${digits(powerW)},${digits(energyJ / 3600)}`;
  }

  /** The end of the last update. */
  #updatedNs(nowNs: bigint): bigint {
    return this.endNs(nowNs, this.#traits.updateS);
  }
}
