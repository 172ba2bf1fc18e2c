import { createHash } from 'node:crypto';
import { averagedPowerW } from '../emulator/averaging-unit.ts';
import { type EmulatorSettings, EnergyRegister, randomUnit } from '../emulator/emulator.ts';
import type { DeviceAnswer, DeviceQuestion, EmulatedDevice } from '../emulator/http-device.ts';

/** How the device that is emulated differs from a Plus Plug S without a password. */
export interface ShellyTraits {
  readonly generation?: 1 | 2 | 3;
  readonly password?: string;
  /** Before firmware 2.0.0 a nonce is good for one question. */
  readonly nonceUses?: number;
  readonly outlets?: number;
  readonly component?: 'switch' | 'pm1' | 'em1' | 'em' | 'light';
  /** What its meter says in the place of a power: that it has not measured yet, that its chip failed, or that there is none. */
  readonly power?: 'unmeasured' | 'failed' | 'none';
  readonly output?: boolean;
  readonly config?: Readonly<Record<string, unknown>>;
  /** MAC address, which tells it from other plugs. */
  readonly mac?: string;
}

/** Step of the counter, watt-hours: a pulse of the metering chip. */
const PULSE_WH = 0.010766;
const REPLY_MS: readonly [number, number] = [5, 60];

/** A Shelly as its socket shows it: apower is the mean of the last whole second in steps of 0.1 W. Whatever would switch it is counted. */
export class ShellyEmulator implements EmulatedDevice {
  readonly #settings: EmulatorSettings;
  readonly #traits: Required<Omit<ShellyTraits, 'password' | 'power'>> & Pick<ShellyTraits, 'password' | 'power'>;
  readonly #energy: EnergyRegister;
  readonly #nonces = new Map<string, number>();
  #restartedAtWh = 0;
  #replies = 0;
  #issued = 0;
  /** Number of questions that would have switched, reset or set a real one, or that no real one knows. */
  harmed = 0;

  constructor(settings: EmulatorSettings, traits: ShellyTraits = {}) {
    this.#settings = settings;
    this.#traits = {
      generation: 2,
      nonceUses: 30_000,
      outlets: 1,
      component: 'switch',
      output: true,
      config: { auto_off: false, power_limit: 2500 },
      mac: 'AABBCCDDEEFF',
      ...traits,
    };
    this.#energy = new EnergyRegister(settings, settings.originNs);
  }

  delayMs(): number {
    const [least, most] = REPLY_MS;
    return least + randomUnit(this.#settings.seed + 5, this.#replies++) * (most - least);
  }

  /** Restarts the device: the counter goes back to the value last saved. */
  restart(): void {
    this.#restartedAtWh = Number.POSITIVE_INFINITY;
  }

  answer({ method, path, headers }: DeviceQuestion, nowNs: bigint): DeviceAnswer {
    const { generation, component } = this.#traits;
    const { pathname, searchParams } = new URL(path, 'http://shelly');
    if (method !== 'GET') return this.#harm();
    if (pathname === '/shelly') return json(this.#greeting());
    const refusal = this.#refusal(path, [headers.authorization].flat()[0]);
    if (refusal !== null) return refusal;
    if (generation === 1) {
      if (pathname !== '/status') return this.#harm();
      const meters = this.#all(() => this.#meterOfFirst(nowNs));
      const measured = component === 'em1' ? { emeters: meters } : { meters };
      return json({ ...measured, relays: this.#all(() => ({ ison: this.#traits.output })) });
    }
    if (pathname === '/rpc/Shelly.GetStatus') {
      const parts = this.#all((id) => [`${component}:${id}`, this.#status(id, nowNs)] as const);
      return json({ ble: {}, sys: { unixtime: null }, ...Object.fromEntries(parts) });
    }
    const id = Number(searchParams.get('id'));
    if (id >= this.#traits.outlets) return json({ code: -105, message: `Argument 'id', value ${id} not found!` }, 500);
    if (pathname === `/rpc/${METHOD[component]}.GetStatus`) return json(this.#status(id, nowNs));
    if (pathname === '/rpc/Switch.GetConfig') return json({ id, ...this.#traits.config });
    return this.#harm();
  }

  #meterOfFirst(nowNs: bigint): Record<string, unknown> {
    const { power } = this.#traits;
    if (power === 'none') return { power: 0, is_valid: true };
    if (power === 'unmeasured') return { power: null, is_valid: false, total: 0 };
    return { power: round(this.#powerW(nowNs), 100), is_valid: power !== 'failed', total: 0 };
  }

  #all<T>(make: (id: number) => T): T[] {
    return Array.from({ length: this.#traits.outlets }, (_, id) => make(id));
  }

  #greeting(): Record<string, unknown> {
    const { generation, password, mac } = this.#traits;
    if (generation === 1) {
      return {
        type: this.#traits.component === 'em1' ? 'SHEM' : 'SHPLG-S',
        mac,
        auth: password !== undefined,
        fw: '20230913-113421/v1.14.0',
        emulated: true,
      };
    }
    const ver = this.#traits.nonceUses > 1 ? '2.0.0' : '1.1.0';
    const model = generation === 2 ? 'SNPL-00112EU' : 'S3PL-00112EU';
    return {
      id: REALM.replace(/[^-]+$/, mac.toLowerCase()),
      mac,
      model,
      gen: generation,
      ver,
      auth_en: password !== undefined,
      emulated: true,
    };
  }

  #powerW(nowNs: bigint): number {
    const { latencyNs, originNs } = this.#settings;
    return averagedPowerW(this.#settings, { averageS: 1, refreshS: 1, lagNs: latencyNs, originNs }, nowNs);
  }

  #status(id: number, nowNs: bigint): Record<string, unknown> {
    const { component, output, power } = this.#traits;
    if (power === 'none') return { id, output };
    if (power === 'failed') return { id, errors: ['power_meter_failure'] };
    const powerW = power === 'unmeasured' ? null : round(this.#powerW(nowNs), 10);
    if (component === 'em1') return { id, act_power: powerW, voltage: 230 };
    if (component === 'em') {
      // The second phase has another load.
      return { id, a_act_power: powerW, b_act_power: 100, c_act_power: 0, total_act_power: powerW && powerW + 100 };
    }
    const allWh = this.#energy.untilJ(nowNs) / 3600;
    if (this.#restartedAtWh === Number.POSITIVE_INFINITY) this.#restartedAtWh = allWh + 5;
    const total = round(Math.floor((7258 + allWh - this.#restartedAtWh) / PULSE_WH) * PULSE_WH, 1000);
    const aenergy = { total, by_minute: [34.786, 45.552, 45.552], minute_ts: 1707326925 };
    return {
      id,
      ...(component === 'switch' ? { source: 'init', output } : {}),
      apower: powerW,
      voltage: 227.9,
      aenergy,
    };
  }

  #refusal(path: string, header: string | undefined): DeviceAnswer | null {
    const { password, generation, nonceUses } = this.#traits;
    if (password === undefined) return null;
    if (generation === 1) {
      const expected = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
      return header === expected ? null : { ...json({}, 401), headers: { 'www-authenticate': 'Basic realm="shelly"' } };
    }
    const given = (key: string) => new RegExp(`\\b${key}="?([^",]*)`).exec(header ?? '')?.[1] ?? '';
    const nonce = given('nonce');
    const count = Number.parseInt(given('nc'), 16);
    const uses = this.#nonces.get(nonce);
    const who = sha256(`admin:${REALM}:${password}`);
    const hash = sha256([who, nonce, given('nc'), given('cnonce'), 'auth', sha256(`GET:${path}`)].join(':'));
    if (
      uses !== undefined &&
      count > uses &&
      count <= nonceUses &&
      given('response') === hash &&
      given('uri') === path
    ) {
      this.#nonces.set(nonce, count);
      return null;
    }
    const fresh = (0x60d8a1f0 + this.#issued++).toString(16);
    this.#nonces.set(fresh, 0);
    const challenge = `Digest qop="auth", realm="${REALM}", nonce="${fresh}", algorithm=SHA-256`;
    return { ...json({}, 401), headers: { 'www-authenticate': challenge } };
  }

  #harm(): DeviceAnswer {
    this.harmed += 1;
    return json({ code: 404, message: 'No handler' }, 404);
  }
}

const REALM = 'shellyplusplugs-aabbccddeeff';
const METHOD = { switch: 'Switch', pm1: 'PM1', em1: 'EM1', em: 'EM', light: 'Light' } as const;

const json = (value: unknown, status = 200): DeviceAnswer => ({ status, body: JSON.stringify(value) });
const round = (value: number, steps: number): number => Math.round(value * steps) / steps;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
