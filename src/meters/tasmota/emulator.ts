import { averagedPowerW } from '../emulator/averaging-unit.ts';
import { type EmulatorSettings, randomUnit } from '../emulator/emulator.ts';
import type { DeviceAnswer, DeviceQuestion, EmulatedDevice } from '../emulator/http-device.ts';

/** How the plug that is emulated differs from one with Tasmota 15.5.0 as it comes, but with WattRes 1. */
export interface TasmotaTraits {
  readonly password?: string;
  readonly decimals?: 0 | 1 | 2 | 3;
  readonly channels?: number;
  readonly on?: boolean;
  readonly meter?: boolean;
  /** MAC address, which tells it from other plugs. */
  readonly mac?: string;
}

const REPLY_MS: readonly [number, number] = [20, 120];

/** A plug with Tasmota as its socket shows it: power is the mean of the last 200 ms. What would switch or set it is counted. */
export class TasmotaEmulator implements EmulatedDevice {
  readonly #settings: EmulatorSettings;
  readonly #traits: Required<Omit<TasmotaTraits, 'password'>> & Pick<TasmotaTraits, 'password'>;
  #replies = 0;
  /** Number of commands that would have switched or set a real one. */
  harmed = 0;

  constructor(settings: EmulatorSettings, traits: TasmotaTraits = {}) {
    this.#settings = settings;
    this.#traits = { decimals: 1, channels: 1, on: true, meter: true, mac: '5C:CF:7F:AA:BB:CC', ...traits };
  }

  delayMs(): number {
    const [least, most] = REPLY_MS;
    return least + randomUnit(this.#settings.seed + 5, this.#replies++) * (most - least);
  }

  answer({ path, headers }: DeviceQuestion, nowNs: bigint): DeviceAnswer {
    const { pathname, searchParams } = new URL(path, 'http://tasmota');
    const { password, decimals, channels, on, meter } = this.#traits;
    if (pathname !== '/cm') return { status: 404, body: 'File Not Found' };
    if (!headers.referer) return { status: 403, body: '' };
    if (password !== undefined && (searchParams.get('user') !== 'admin' || searchParams.get('password') !== password)) {
      return json({ WARNING: 'Need user=<username>&password=<password>' });
    }
    switch (searchParams.get('cmnd')?.toLowerCase()) {
      case 'status 2':
        return json({ StatusFWR: { Version: '15.5.0(release-tasmota)', Hardware: 'ESP8285N08', Emulated: true } });
      case 'status 5':
        return json({ StatusNET: { Hostname: 'tasmota-plug', IPAddress: '192.0.2.9', Mac: this.#traits.mac } });
      case 'status 10': {
        const one = this.#powerW(nowNs, decimals);
        const POWER = channels === 1 ? one : Array.from({ length: channels }, () => one);
        const ENERGY = {
          TotalStartTime: '2026-01-01T00:00:00',
          Total: 3.185,
          Power: POWER,
          Factor: 0.95,
          Voltage: 230,
        };
        return json({ StatusSNS: { Time: '1970-01-01T00:04:30', ...(meter ? { ENERGY } : {}) } });
      }
      case 'power':
        return json({ [channels === 1 ? 'POWER' : 'POWER1']: on ? 'ON' : 'OFF' });
      case 'wattres':
        return json({ WattRes: decimals });
      default:
        this.harmed += 1;
        return json({ Command: 'Unknown' });
    }
  }

  #powerW(nowNs: bigint, decimals: number): number {
    const { latencyNs, originNs } = this.#settings;
    const averaging = { averageS: 0.2, refreshS: 0.2, lagNs: latencyNs, originNs };
    return Number(averagedPowerW(this.#settings, averaging, nowNs).toFixed(decimals));
  }
}

const json = (value: unknown): DeviceAnswer => ({ status: 200, body: JSON.stringify(value) });
