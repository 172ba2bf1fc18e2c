import { guardEnergy, type RunEnergy } from '../../../src/analysis/energy.ts';
import { randomJ, runUncertainty } from '../../../src/analysis/uncertainty.ts';
import type { EmulatorSettings } from '../../../src/meters/emulator/emulator.ts';
import type { EmulatedDevice } from '../../../src/meters/emulator/http-device.ts';
import { Load } from '../../../src/meters/emulator/load.ts';
import type { Meter, Sample } from '../../../src/meters/meter.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { sampleTimes } from '../../../src/sampling/sample-clock.ts';
import { createPrng } from '../../../src/stats/prng.ts';
import { sleep } from '../../../src/system/clock.ts';
import { momentsOf } from '../../analysis/simulated-meters.ts';
import { Collected } from '../collect.ts';
import { type VirtualDevice, VirtualHost } from '../virtual-host.ts';

export const DEVICE = 'plug.lan';

/** An emulated device in a network that exists in the test alone, whose machine's power is known. */
export class Network {
  readonly host = new VirtualHost();
  readonly load: Load;
  readonly device: VirtualDevice;
  readonly collected = new Collected();

  constructor(
    make: (settings: EmulatorSettings) => EmulatedDevice,
    { idleW = 40, loadW = 90, noiseW = 0, seed = 1 } = {},
  ) {
    const originNs = this.host.clock.nowNs() - 300_000_000n;
    this.load = new Load({ idleW, loadW, noiseW, seed, originNs });
    const energyJ = (from: bigint, to: bigint) => this.load.energyJ(from, to);
    this.device = this.host.serve(DEVICE, make({ energyJ, originNs, seed, latencyNs: 50_000_000n }));
  }

  /** The work, on the clock of this network. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.host.clock.run(work());
  }

  async open(name: string): Promise<Meter> {
    const { meters } = await openMeters([name], this.host);
    return meters[0] as Meter;
  }

  wait(ms: number): Promise<void> {
    return sleep(this.host.clock, ms);
  }
}

export interface MeasuredRun {
  /** Of the gross energy, in shares of the truth. */
  readonly error: number;
  /** Of the gross energy, in expanded uncertainties (k = 2) without the class of the meter, which an emulator doesn't have. */
  readonly score: number;
}

/** Runs of 20 s one after the other, each metered by the driver of `name` from guard to guard, as an experiment does it. */
export async function measuredRuns(network: Network, name: string, count: number): Promise<MeasuredRun[]> {
  const { clock } = network.host;
  const meter = await network.open(name);
  const [channel] = meter.info.channels;
  if (channel === undefined) throw new Error(`${name} has no channel`);
  const guardS = meter.info.minimumGuardS;
  const random = createPrng(7);
  const uniform = () => random.u32() / 2 ** 32;
  const originNs = clock.nowNs();
  const at = () => Number(clock.nowNs() - originNs) / 1e9;
  await meter.start(network.collected);
  const loads: { startS: number; endS: number; startNs: bigint; endNs: bigint }[] = [];
  for (let i = 0; i < count; i++) {
    await network.wait((2 * guardS + 3 + uniform()) * 1000);
    const [startS, startNs] = [at(), clock.nowNs()];
    network.load.switch({ tNs: startNs, on: true });
    await network.wait(20_000);
    network.load.switch({ tNs: clock.nowNs(), on: false });
    loads.push({ startS, endS: at(), startNs, endNs: clock.nowNs() });
  }
  await network.wait((2 * guardS + 3) * 1000);
  await meter.stop();
  return loads.map((load) => {
    const near = network.collected.samples.filter((sample) => isNear(sample, load, guardS));
    const columns = {
      tNs: Float64Array.from(near, ({ tNs }) => Number(tNs - originNs)),
      powerW: Float64Array.from(near, ({ powerW }) => powerW),
      durationS: Float64Array.from(near, ({ durationS }) => durationS),
    };
    const times = sampleTimes(channel.clock, columns.tNs, channel.samplingPeriodS);
    const moments = momentsOf({ ...load, ...network.load.options }, guardS, channel.samplingPeriodS, guardS + 3);
    const energy = guardEnergy(columns, times, moments, guardS * 1e9) as RunEnergy;
    const { gross } = runUncertainty(energy, load.endS - load.startS, { ...channel, meter: { accuracy: null } });
    const errorJ = energy.energyJ - network.load.energyJ(load.startNs, load.endNs);
    return { error: errorJ / energy.energyJ, score: Math.abs(errorJ) / (2 * (randomJ(gross) as number)) };
  });
}

function isNear({ tNs }: Sample, { startNs, endNs }: { startNs: bigint; endNs: bigint }, guardS: number): boolean {
  const aroundNs = BigInt(Math.round((2 * guardS + 3) * 1e9));
  return tNs > startNs - aroundNs && tNs < endNs + aroundNs;
}
