import { createHash } from 'node:crypto';
import { averagedPowerW } from '../emulator/averaging-unit.ts';
import { type EmulatorSettings, EnergyRegister, randomUnit } from '../emulator/emulator.ts';
import type { DeviceAnswer, DeviceQuestion, EmulatedDevice } from '../emulator/http-device.ts';
import { accountHash, KlapCipher, proof, SEED_BYTES } from './klap.ts';

export const [USER, PASSWORD] = ['user@emulator.example', 'p4ss-of-an-emulator'];
const [USER_VARIABLE, PASSWORD_VARIABLE] = ['JOULEDIFF_EMULATED_USER', 'JOULEDIFF_EMULATED_ACCOUNT'];
export const LOGIN = {
  options: { 'user-env': USER_VARIABLE, 'password-env': PASSWORD_VARIABLE },
  env: { [USER_VARIABLE]: USER, [PASSWORD_VARIABLE]: PASSWORD },
};

/** How the plug that is emulated differs from a P110 with new firmware. */
export interface TapoTraits {
  readonly user?: string;
  readonly password?: string;
  /** Methods for its power that it answers. */
  readonly answers?: readonly string[];
  /** Lifetime that it reports for a session, seconds, and the one after which it ends it. */
  readonly timeoutS?: number;
  readonly endsAfterS?: number;
  readonly isOn?: boolean;
  readonly isStrip?: boolean;
  /** Whether it only talks to its app. */
  readonly isLocked?: boolean;
  /** Device ID, which tells it from other plugs. */
  readonly id?: string;
}

interface Session {
  readonly cipher: KlapCipher;
  readonly proof: Buffer;
  readonly untilNs: bigint;
  isOpen: boolean;
  sequence: number;
}

const REPLY_MS: readonly [number, number] = [20, 120];
/** Upper bound on the sessions; beyond it the plug forgets the oldest one. */
const MAX_SESSIONS = 4;
const UNKNOWN_METHOD = -1002;

/** A Tapo plug as its socket shows it: power is the mean of the last whole second. What would switch or set it is counted. */
export class TapoEmulator implements EmulatedDevice {
  readonly #settings: EmulatorSettings;
  readonly #traits: Required<TapoTraits>;
  readonly #account: Buffer;
  readonly #energy: EnergyRegister;
  readonly #sessions = new Map<string, Session>();
  #replies = 0;
  readonly encoding = 'latin1';
  readonly login = LOGIN;
  /** Number of sessions that were opened, methods that were asked, and number of those that would have changed a real one. */
  opened = 0;
  readonly asked = new Set<string>();
  harmed = 0;

  constructor(settings: EmulatorSettings, traits: TapoTraits = {}) {
    this.#settings = settings;
    this.#traits = {
      user: USER,
      password: PASSWORD,
      answers: ['get_emeter_data', 'get_energy_usage', 'get_current_power'],
      timeoutS: 86_400,
      endsAfterS: 86_400,
      isOn: true,
      isStrip: false,
      isLocked: false,
      id: '8022AAAAAAAA',
      ...traits,
    };
    this.#account = accountHash(this.#traits.user, this.#traits.password);
    this.#energy = new EnergyRegister(settings, settings.originNs);
  }

  delayMs(): number {
    const [least, most] = REPLY_MS;
    return least + randomUnit(this.#settings.seed + 5, this.#replies++) * (most - least);
  }

  answer({ method, path, headers, body = '' }: DeviceQuestion, nowNs: bigint): DeviceAnswer {
    const { pathname, searchParams } = new URL(path, 'http://tapo');
    const bytes = Buffer.from(body, 'latin1');
    if (method !== 'POST') return { status: 405, body: '' };
    if (pathname === '/app/handshake1' && bytes.length === SEED_BYTES) return this.#greet(bytes, nowNs);
    const session = this.#sessions.get(/TP_SESSIONID=(\w+)/.exec(String(headers.cookie))?.[1] ?? '');
    if (session === undefined || nowNs > session.untilNs) return REFUSED;
    if (pathname === '/app/handshake2' && bytes.equals(session.proof)) {
      this.opened += 1;
      session.isOpen = true;
      return { status: 200, body: '' };
    }
    const sequence = Number(searchParams.get('seq'));
    if (pathname !== '/app/request' || !session.isOpen || sequence !== ((session.sequence + 1) | 0)) return REFUSED;
    const question = session.cipher.open(bytes, sequence);
    if (question === null) return REFUSED;
    session.sequence = sequence;
    const said = this.say((JSON.parse(question) as { method: string }).method, nowNs);
    return { status: 200, body: session.cipher.seal(said, sequence).toString('latin1') };
  }

  #greet(local: Buffer, nowNs: bigint): DeviceAnswer {
    if (this.#traits.isLocked) return REFUSED;
    const random = createHash('sha256').update(`${this.#settings.seed} ${this.#replies}`).digest();
    const [remote, cookie] = [
      random.subarray(0, SEED_BYTES),
      random.subarray(SEED_BYTES).toString('hex').toUpperCase(),
    ];
    const { timeoutS, endsAfterS } = this.#traits;
    const cipher = new KlapCipher(local, remote, this.#account);
    this.#sessions.set(cookie, {
      cipher,
      proof: proof(remote, local, this.#account),
      untilNs: nowNs + BigInt(endsAfterS) * 1_000_000_000n,
      isOpen: false,
      sequence: cipher.origin,
    });
    for (const [oldest] of [...this.#sessions].slice(0, -MAX_SESSIONS)) this.#sessions.delete(oldest);
    const body = Buffer.concat([remote, proof(local, remote, this.#account)]).toString('latin1');
    return { status: 200, headers: { 'set-cookie': `TP_SESSIONID=${cookie};TIMEOUT=${timeoutS}` }, body };
  }

  /** The answer as JSON, before it is encrypted. */
  say(method: string, nowNs: bigint): string {
    this.asked.add(method);
    const { isOn, isStrip, answers, id } = this.#traits;
    const device = {
      device_id: id,
      fw_ver: '1.3.1 Build 240621 Rel.162048',
      mac: '9C-53-22-AA-BB-CC',
      model: isStrip ? 'P304M' : 'P110',
      type: 'SMART.TAPOPLUG',
      ...(!isStrip && { device_on: isOn }),
      emulated: true,
    };
    if (method === 'get_device_info') return JSON.stringify({ error_code: 0, result: device });
    if (!answers.includes(method)) {
      if (!method.startsWith('get_')) this.harmed += 1;
      return JSON.stringify({ error_code: UNKNOWN_METHOD });
    }
    const { latencyNs, originNs } = this.#settings;
    const averaging = { averageS: 1, refreshS: 1, lagNs: latencyNs, originNs };
    const powerW = averagedPowerW(this.#settings, averaging, nowNs);
    const milliwatts = Math.round(powerW * 1000);
    const energyWh = 1469 + Math.floor(this.#energy.untilJ(nowNs) / 3600);
    const results: Readonly<Record<string, object>> = {
      get_emeter_data: { current_ma: 280, voltage_mv: 233_509, power_mw: milliwatts, energy_wh: energyWh },
      get_energy_usage: { today_runtime: 12, month_runtime: 12_705, today_energy: 7, current_power: milliwatts },
      get_current_power: { current_power: Math.round(powerW) },
    };
    return JSON.stringify({ error_code: 0, result: results[method] });
  }
}

const REFUSED: DeviceAnswer = { status: 403, body: '' };
