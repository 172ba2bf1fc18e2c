import { type EmulatorSettings, EnergyRegister } from '../../src/meters/emulator/emulator.ts';
import { UUID } from './nvidia-smi.ts';

/** The library and the GPU that are asked for by the command that starts `src/meters/nvidia/assets/energy.py`; null: it starts something else. */
export function energyAsked(command: string): { readonly periodMs: number; readonly gpu: string | null } | null {
  const [, seconds, gpu = null] =
    /^exec 'python3' '[^']*\/energy\.py' '[^']*' '?([\d.]+)'?(?: '?([\w-]+)'?)?$/.exec(command) ?? [];
  return seconds === undefined ? null : { periodMs: 1000 * Number(seconds), gpu };
}

/** What that program prints of a GPU whose true power is known, with a counter that is renewed every so often. The program itself reads a library in `nvidia.energy.test.ts`. */
export class NvidiaEnergy {
  readonly board: string;
  readonly #settings: EmulatorSettings;
  readonly #register: EnergyRegister;
  readonly #renewedNs: bigint;

  constructor(settings: EmulatorSettings, { name = 'NVIDIA GeForce RTX 3080', uuid = UUID, renewedMs = 20 } = {}) {
    this.board = JSON.stringify({ uuid, name, driver: '550.90.12' });
    this.#settings = settings;
    this.#register = new EnergyRegister(settings, settings.originNs);
    this.#renewedNs = BigInt(renewedMs) * 1_000_000n;
  }

  line(nowNs: bigint): string {
    const shownNs = (nowNs / this.#renewedNs) * this.#renewedNs;
    const energyMj = Math.floor(123_456_789 + 1000 * this.#register.untilJ(shownNs));
    const powerMw = Math.round(1000 * this.#settings.energyJ(shownNs - 1_000_000_000n, shownNs));
    return JSON.stringify({ t_ns: `${nowNs}`, energy_mj: energyMj, power_mw: powerMw });
  }
}
