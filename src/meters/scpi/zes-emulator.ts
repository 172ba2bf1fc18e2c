import { averagedPowerW } from '../emulator/averaging-unit.ts';
import { type EmulatedMeter, type EmulatorSettings, EnergyRegister } from '../emulator/emulator.ts';
import { digits, EMULATED_SERIAL } from './yokogawa-emulator.ts';

/** How the instrument differs from an LMG611 as it comes, but with fixed ranges. */
export interface ZesTraits {
  readonly identity?: string;
  readonly cycleS?: number;
  readonly automatic?: boolean;
  /** Its energy measurement is on. */
  readonly enabled?: boolean;
  /** Somebody's integration: still running, or ended. */
  readonly integrator?: 'running' | 'ended';
  /** What it shows for one watt-hour. */
  readonly hour?: number;
  /** A header that its firmware doesn't know. */
  readonly unknown?: string;
}

/** From the end of a cycle to its answer. */
const ANSWER_NS = 4_000_000n;
const LONGEST_INPUT = 4096;
const NO_DATA = '9.91E37';

/** An LMG611 as its line shows it: what is read is of whole cycles, and the integrator starts and stops with one. */
export class ZesEmulator implements EmulatedMeter {
  readonly #settings: EmulatorSettings;
  readonly #traits: Required<Omit<ZesTraits, 'unknown' | 'integrator'>> & Pick<ZesTraits, 'unknown' | 'integrator'>;
  readonly #energy: EnergyRegister;
  readonly #answers: { readonly dueNs: bigint; readonly text: () => string }[] = [];
  readonly #errors: string[] = [];
  #rest = '';
  #fromNs: bigint | null = null;
  #toNs: bigint | null = null;
  #fromJ: number | null = null;
  readonly state = new Map<string, string>();
  /** Every message that was sent to it. */
  readonly told: string[] = [];

  constructor(settings: EmulatorSettings, traits: ZesTraits = {}) {
    this.#settings = settings;
    this.#traits = {
      identity: `ZES ZIMMER Electronic Systems GmbH,LMG611,${EMULATED_SERIAL},3.164`,
      cycleS: 0.5,
      automatic: false,
      enabled: false,
      hour: 1,
      ...traits,
    };
    this.#energy = new EnergyRegister(settings, settings.originNs);
    const { automatic, enabled, integrator, cycleS } = this.#traits;
    for (const [key, value] of [
      [':SENS:SWE:TIME', String(cycleS)],
      [':SENS:VOLT:RANG:AUTO', automatic ? '1' : '0'],
      [':SENS:CURR:RANG:AUTO', automatic ? '1' : '0'],
      [':SENS:ENER:ENAB', enabled || integrator !== undefined ? '1' : '0'],
    ] as const) {
      this.state.set(key, value);
    }
    const { originNs } = settings;
    if (integrator !== undefined) this.#fromNs = originNs - 60_000_000_000n;
    if (integrator === 'ended') this.#toNs = originNs;
  }

  get integrates(): boolean {
    return this.#fromNs !== null && this.#toNs === null;
  }

  /** It shows nothing integrated. */
  get isReset(): boolean {
    return this.#fromNs === null;
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
    return answer === undefined ? '' : `${answer.text()}\n`;
  }

  #message(message: string, nowNs: bigint): void {
    this.told.push(message);
    const words: (() => string)[] = [];
    // What is fetched after a `READ` is of the same cycle, the next one to end.
    let atNs = nowNs;
    for (const unit of message.split(';').map((one) => one.trim())) {
      if (unit.startsWith(':READ:')) atNs = this.#cycleEnd(atNs, 1n);
      const word = this.#unit(unit, atNs);
      if (word !== null) words.push(word);
    }
    if (words.length === 0) return;
    this.#answers.push({ dueNs: atNs + ANSWER_NS, text: () => words.map((one) => one()).join(';') });
  }

  /** The answer, as it is when it is sent; null: it gives none. */
  #unit(unit: string, atNs: bigint): (() => string) | null {
    const [word = '', ...values] = unit.split(' ');
    if (word === this.#traits.unknown) {
      this.#errors.push('-113,"Undefined header"');
      return null;
    }
    if (word === '' || word === '*zlang' || word === 'gtl') return null;
    if (word === '*IDN?') return () => this.#traits.identity;
    if (word === '*OPC?') return () => '1';
    if (word === ':SYST:ERR:ALL?') return () => this.#errors.splice(0).join(',') || '0,"No error"';
    if (word.startsWith(':TRIG:INT:ENER:')) return this.#integrate(word, atNs);
    if (word === ':READ:SCAL:ENER?') return () => this.#shown(atNs, (joules) => (this.#traits.hour * joules) / 3600);
    if (word === ':FETC:SCAL:SLOTS:ENERGY:DURATION?') return () => this.#shown(atNs, (_, seconds) => seconds);
    if (word === ':FETC:POW:ACT1?') return () => digits(this.#powerW(atNs));
    const key = word.replace(/\?$/, '');
    if (!this.state.has(key)) this.#errors.push('-113,"Undefined header"');
    else if (word.endsWith('?')) return () => this.state.get(key) ?? '';
    else this.state.set(key, values.join(' '));
    return null;
  }

  #integrate(word: string, nowNs: bigint): null {
    if (this.state.get(':SENS:ENER:ENAB') !== '1') this.#errors.push('-221,"Settings conflict"');
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
    this.#fromJ ??= this.#energy.untilJ(this.#fromNs);
    return digits(of(this.#energy.untilJ(endNs) - this.#fromJ, Number(endNs - this.#fromNs) / 1e9));
  }

  #powerW(atNs: bigint): number {
    const { cycleS: averageS } = this.#traits;
    const { originNs } = this.#settings;
    return averagedPowerW(this.#settings, { averageS, refreshS: averageS, lagNs: 0n, originNs }, atNs);
  }

  /** The end of the last cycle, or of so many after it. */
  #cycleEnd(nowNs: bigint, later: bigint): bigint {
    const cycleNs = BigInt(Math.round(this.#traits.cycleS * 1e9));
    return nowNs - ((nowNs - this.#settings.originNs) % cycleNs) + later * cycleNs;
  }
}
