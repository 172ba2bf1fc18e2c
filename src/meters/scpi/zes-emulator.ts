import { averagedPowerW } from '../emulator/averaging-unit.ts';
import type { EmulatorSettings } from '../emulator/emulator.ts';
import { digits, EMULATED_SERIAL, EmulatedInstrument } from './emulated-instrument.ts';

/** How the instrument differs from an LMG611 as it comes, but with fixed ranges. */
export interface ZesTraits {
  readonly identity?: string;
  readonly cycleS?: number;
  readonly automatic?: boolean;
  /** Whether its energy measurement is on. */
  readonly enabled?: boolean;
  /** Somebody else's integration: still running, or ended. */
  readonly integrator?: 'running' | 'ended';
  /** Number that it shows for one watt-hour. */
  readonly hour?: number;
  /** A header that its firmware does not know. */
  readonly unknown?: string;
}

const NO_DATA = '9.91E37';

/** An LMG611 as its line shows it: what is read is of whole cycles, and the integrator starts and stops with one. */
export class ZesEmulator extends EmulatedInstrument {
  readonly #traits: Required<Pick<ZesTraits, 'identity' | 'cycleS' | 'hour'>> & Pick<ZesTraits, 'unknown'>;
  #fromNs: bigint | null = null;
  #toNs: bigint | null = null;
  #fromJ: number | null = null;

  constructor(settings: EmulatorSettings, traits: ZesTraits = {}) {
    const { automatic = false, enabled = false, integrator, cycleS = 0.5 } = traits;
    super(settings, {
      ':SENS:SWE:TIME': String(cycleS),
      ':SENS:VOLT:RANG:AUTO': automatic ? '1' : '0',
      ':SENS:CURR:RANG:AUTO': automatic ? '1' : '0',
      ':SENS:ENER:ENAB': enabled || integrator !== undefined ? '1' : '0',
    });
    this.#traits = {
      identity: `ZES ZIMMER Electronic Systems GmbH,LMG611,${EMULATED_SERIAL},3.164`,
      hour: 1,
      ...traits,
      cycleS,
    };
    const { originNs } = settings;
    if (integrator !== undefined) this.#fromNs = originNs - 60_000_000_000n;
    if (integrator === 'ended') this.#toNs = originNs;
  }

  get integrates(): boolean {
    return this.#fromNs !== null && this.#toNs === null;
  }

  /** Whether it shows nothing integrated. */
  get isReset(): boolean {
    return this.#fromNs === null;
  }

  protected heard(message: string, nowNs: bigint) {
    const words: (() => string)[] = [];
    // What is fetched after a `READ` is of the same cycle, the next one to end.
    let atNs = nowNs;
    for (const unit of message.split(';').map((one) => one.trim())) {
      if (unit.startsWith(':READ:')) atNs = this.#cycleEnd(atNs, 1n);
      const word = this.#unit(unit, atNs);
      if (word !== null) words.push(word);
    }
    return { atNs, words };
  }

  /** The answer to one part of a message, computed when it is sent; null: there is none. */
  #unit(unit: string, atNs: bigint): (() => string) | null {
    const [word = '', ...values] = unit.split(' ');
    if (word === this.#traits.unknown) {
      this.errors.push('-113,"Undefined header"');
      return null;
    }
    if (word === '' || word === '*zlang' || word === 'gtl') return null;
    if (word === '*IDN?') return () => this.#traits.identity;
    if (word === '*OPC?') return () => '1';
    if (word === ':SYST:ERR:ALL?') return () => this.errors.splice(0).join(',') || '0,"No error"';
    if (word.startsWith(':TRIG:INT:ENER:')) return this.#integrate(word, atNs);
    if (word === ':READ:SCAL:ENER?') return () => this.#shown(atNs, (joules) => (this.#traits.hour * joules) / 3600);
    if (word === ':FETC:SCAL:SLOTS:ENERGY:DURATION?') return () => this.#shown(atNs, (_, seconds) => seconds);
    if (word === ':FETC:POW:ACT1?') return () => digits(this.#powerW(atNs));
    const key = word.replace(/\?$/, '');
    if (!this.state.has(key)) this.errors.push('-113,"Undefined header"');
    else if (word.endsWith('?')) return () => this.state.get(key) ?? '';
    else this.state.set(key, values.join(' '));
    return null;
  }

  #integrate(word: string, nowNs: bigint): null {
    if (this.state.get(':SENS:ENER:ENAB') !== '1') this.errors.push('-221,"Settings conflict"');
    else if (word === ':TRIG:INT:ENER:STAR') {
      this.#fromNs = this.#cycleEnd(nowNs, 1n);
      this.#toNs = null;
      this.#fromJ = null;
    } else if (word === ':TRIG:INT:ENER:STOP' && this.integrates) this.#toNs = this.#cycleEnd(nowNs, 0n);
    else if (word === ':TRIG:INT:ENER:RES' && !this.integrates) this.#fromNs = null;
    return null;
  }

  #shown(atNs: bigint, of: (joules: number, seconds: number) => number): string {
    const endNs = this.#toNs ?? this.#cycleEnd(atNs, 0n);
    if (this.#fromNs === null || this.state.get(':SENS:ENER:ENAB') !== '1') return NO_DATA;
    if (endNs <= this.#fromNs) return digits(of(0, 0));
    this.#fromJ ??= this.energy.untilJ(this.#fromNs);
    return digits(of(this.energy.untilJ(endNs) - this.#fromJ, Number(endNs - this.#fromNs) / 1e9));
  }

  #powerW(atNs: bigint): number {
    const { cycleS: averageS } = this.#traits;
    const { originNs } = this.settings;
    return averagedPowerW(this.settings, { averageS, refreshS: averageS, lagNs: 0n, originNs }, atNs);
  }

  /** End of the last cycle, or of the one so many cycles later. */
  #cycleEnd(nowNs: bigint, later: bigint): bigint {
    const cycleNs = BigInt(Math.round(this.#traits.cycleS * 1e9));
    return this.endNs(nowNs, this.#traits.cycleS) + later * cycleNs;
  }
}
