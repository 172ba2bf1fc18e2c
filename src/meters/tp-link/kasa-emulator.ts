import { createServer, type Server } from 'node:net';
import { averagedPowerW } from '../emulator/averaging-unit.ts';
import { type EmulatorSettings, EnergyRegister, randomUnit } from '../emulator/emulator.ts';
import type { DeviceAnswer, DeviceQuestion, EmulatedDevice } from '../emulator/http-device.ts';
import { framed, unframed } from './kasa-connection.ts';

/** How the plug that is emulated differs from a KP115. */
export interface KasaTraits {
  /** Version of the protocol. 1: watts and kilowatt-hours, as in the first HS110; a strip numbers its outlets with two digits. */
  readonly version?: 1 | 2;
  /** Number of outlets; more than one: a power strip. */
  readonly outlets?: number;
  readonly isOn?: boolean;
  readonly hasMeter?: boolean;
  /** Device ID, which tells it from other plugs. */
  readonly id?: string;
}

const REPLY_MS: readonly [number, number] = [10, 80];

/** A Kasa plug as its socket shows it: power is the mean of the last whole second. What would switch or set it is counted. */
export class KasaEmulator implements EmulatedDevice {
  readonly #settings: EmulatorSettings;
  readonly #traits: Required<KasaTraits>;
  readonly #energy: EnergyRegister;
  #replies = 0;
  /** Number of questions that would have switched or set a real one, or that no real one knows. */
  harmed = 0;

  constructor(settings: EmulatorSettings, traits: KasaTraits = {}) {
    this.#settings = settings;
    this.#traits = { version: 2, outlets: 1, isOn: true, hasMeter: true, id: '8006AAAAAAAA', ...traits };
    this.#energy = new EnergyRegister(settings, settings.originNs);
  }

  delayMs(): number {
    const [least, most] = REPLY_MS;
    return least + randomUnit(this.#settings.seed + 5, this.#replies++) * (most - least);
  }

  serve(ask: (question: DeviceQuestion) => Promise<DeviceAnswer>): Server {
    return createServer((socket) => {
      let bytes: Buffer = Buffer.alloc(0);
      const take = async (chunk: Buffer) => {
        bytes = Buffer.concat([bytes, chunk]);
        const question = unframed(bytes);
        if (question === null) return;
        bytes = bytes.subarray(question.length);
        socket.write(framed((await ask({ method: 'GET', path: question.text, headers: {} })).body));
      };
      socket.on('error', () => socket.destroy());
      // Data that is no question ends only its connection.
      socket.on('data', (chunk) => take(chunk).catch(() => socket.destroy()));
    });
  }

  answer({ path }: DeviceQuestion, nowNs: bigint): DeviceAnswer {
    const { outlets, hasMeter } = this.#traits;
    const { context, ...question } = JSON.parse(path) as { context?: { child_ids: string[] } };
    const asked = JSON.stringify(question);
    if (asked === '{"system":{"get_sysinfo":{}}}') return json({ system: { get_sysinfo: this.#info() } });
    if (asked !== '{"emeter":{"get_realtime":{}}}') this.harmed += 1;
    else if (outlets > 1 && !this.#children().includes(context?.child_ids[0] ?? '')) {
      return json({ emeter: { get_realtime: { err_code: -14, err_msg: 'entry not exist' } } });
    } else if (hasMeter) return json({ emeter: { get_realtime: this.#realtime(nowNs) } });
    return json({ emeter: { err_code: -1, err_msg: 'module not support' } });
  }

  #children(): string[] {
    const { outlets, id } = this.#traits;
    return outlets === 1 ? [] : Array.from({ length: outlets }, (_, at) => `${id}0${at}`);
  }

  #info() {
    const { version, outlets, isOn, id } = this.#traits;
    const state = Number(isOn);
    return {
      sw_ver: '1.0.16 Build 210205 Rel.163735',
      model: outlets > 1 ? 'HS300(US)' : version === 1 ? 'HS110(EU)' : 'KP115(EU)',
      deviceId: id,
      mac: '50:C7:BF:AA:BB:CC',
      feature: 'TIM:ENE',
      ...(outlets === 1
        ? { relay_state: state }
        : { children: this.#children().map((child) => ({ id: version === 1 ? child.slice(-2) : child, state })) }),
      emulated: true,
      err_code: 0,
    };
  }

  #realtime(nowNs: bigint) {
    const { latencyNs, originNs } = this.#settings;
    const averaging = { averageS: 1, refreshS: 1, lagNs: latencyNs, originNs };
    const powerW = averagedPowerW(this.#settings, averaging, nowNs);
    const totalWh = 12_068 + Math.floor(this.#energy.untilJ(nowNs) / 3600);
    return this.#traits.version === 1
      ? { current: 0.28, voltage: 230.5, power: Number(powerW.toFixed(6)), total: totalWh / 1000, err_code: 0 }
      : { current_ma: 280, voltage_mv: 230_577, power_mw: Math.round(powerW * 1000), total_wh: totalWh, err_code: 0 };
  }
}

const json = (value: unknown): DeviceAnswer => ({ status: 200, body: JSON.stringify(value) });
