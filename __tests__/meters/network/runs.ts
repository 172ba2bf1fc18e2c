import { counterEnergy, guardEnergy, type RunEnergy } from '../../../src/analysis/energy.ts';
import { randomJ, runUncertainty } from '../../../src/analysis/uncertainty.ts';
import type { Sample } from '../../../src/contracts/reading.ts';
import type { EmulatorSettings } from '../../../src/meters/emulator/emulator.ts';
import type { EmulatedDevice } from '../../../src/meters/emulator/http-device.ts';
import { Load } from '../../../src/meters/emulator/load.ts';
import type { Meter } from '../../../src/meters/meter.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { sampleTimes } from '../../../src/sampling/sample-clock.ts';
import { createPrng } from '../../../src/stats/prng.ts';
import { sleep } from '../../../src/system/clock.ts';
import { momentsOf } from '../../analysis/simulated-meters.ts';
import { Collected } from '../collect.ts';
import { type VirtualDevice, VirtualHost } from '../virtual-host.ts';

export const DEVICE = 'plug.lan';

/** A machine whose power is known, on a clock that the test steps. */
export class World {
  readonly host = new VirtualHost();
  readonly load: Load;
  readonly collected = new Collected();
  /** For an emulator of a meter of this machine. */
  readonly settings: EmulatorSettings;

  constructor({ idleW = 40, loadW = 90, noiseW = 0, seed = 1 } = {}) {
    const originNs = this.host.clock.nowNs() - 300_000_000n;
    this.load = new Load({ idleW, loadW, noiseW, seed, originNs });
    const energyJ = (from: bigint, to: bigint) => this.load.energyJ(from, to);
    this.settings = { energyJ, originNs, seed, latencyNs: 50_000_000n };
  }

  /** The work, on the clock of this world. */
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

/** An emulated device in a network that exists in the test alone. */
export class Network extends World {
  readonly device: VirtualDevice;

  constructor(
    make: (settings: EmulatorSettings) => EmulatedDevice,
    options: { idleW?: number; loadW?: number; noiseW?: number; seed?: number } = {},
  ) {
    super(options);
    this.device = this.host.serve(DEVICE, make(this.settings));
  }
}

export interface MeasuredRun {
  /** Of the gross energy, in shares of the truth. */
  readonly error: number;
  /** Of the gross energy, in expanded uncertainties (k = 2) without the class of the meter, which an emulator doesn't have. */
  readonly score: number;
}

/**
 * Runs of 20 s, or of `seconds`, one after the other, each metered by the driver of `name` from guard to guard, as an experiment does it;
 * between them a rest of `restS`, or the shortest that is possible.
 */
export async function measuredRuns(
  world: World,
  name: string,
  count: number,
  { seconds = 20, restS = 0 } = {},
): Promise<MeasuredRun[]> {
  const { clock } = world.host;
  const meter = await world.open(name);
  const [channel] = meter.info.channels;
  if (channel === undefined) throw new Error(`${name} has no channel`);
  const guardS = meter.info.minimumGuardS;
  // Idle beyond the guards, in which readings fit.
  const quietS = Math.max(3, 3 * channel.samplingPeriodS, restS - guardS);
  const isCounter = channel.integration === 'counter';
  const random = createPrng(7);
  const uniform = () => random.u32() / 2 ** 32;
  const originNs = clock.nowNs();
  const at = () => Number(clock.nowNs() - originNs) / 1e9;
  await meter.start(world.collected);
  const loads: { startS: number; endS: number; startNs: bigint; endNs: bigint }[] = [];
  for (let i = 0; i < count; i++) {
    // The idle stretch after a run, as `momentsOf` has it, ends before the next one begins.
    await world.wait((2 * guardS + quietS + channel.samplingPeriodS + uniform()) * 1000);
    meter.mark();
    const [startS, startNs] = [at(), clock.nowNs()];
    world.load.switch({ tNs: startNs, on: true });
    await world.wait(seconds * 1000);
    meter.mark();
    world.load.switch({ tNs: clock.nowNs(), on: false });
    loads.push({ startS, endS: at(), startNs, endNs: clock.nowNs() });
  }
  await world.wait((2 * guardS + quietS) * 1000);
  await meter.stop();
  const own = world.collected.samples.filter((sample) => sample.channel === channel.channel);
  return loads.map((load) => {
    const near = own.filter((sample) => isNear(sample, load, 2 * guardS + quietS));
    const columns = {
      tNs: Float64Array.from(near, ({ tNs }) => Number(tNs - originNs)),
      powerW: Float64Array.from(near, ({ powerW }) => powerW),
      durationS: Float64Array.from(near, ({ durationS }) => durationS),
    };
    const times = sampleTimes(channel.clock, columns.tNs, channel.samplingPeriodS);
    const moments = momentsOf({ ...load, ...world.load.options }, guardS, channel.samplingPeriodS, guardS + quietS);
    const energy = (
      isCounter ? counterEnergy(columns, moments) : guardEnergy(columns, times, moments, guardS * 1e9)
    ) as RunEnergy;
    const { gross } = runUncertainty(energy, load.endS - load.startS, { ...channel, meter: { accuracy: null } });
    const errorJ = energy.energyJ - world.load.energyJ(load.startNs, load.endNs);
    return { error: errorJ / energy.energyJ, score: Math.abs(errorJ) / (2 * (randomJ(gross) as number)) };
  });
}

function isNear({ tNs }: Sample, { startNs, endNs }: { startNs: bigint; endNs: bigint }, aroundS: number): boolean {
  const aroundNs = BigInt(Math.round(aroundS * 1e9));
  return tNs > startNs - aroundNs && tNs < endNs + aroundNs;
}
