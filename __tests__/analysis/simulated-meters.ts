import type { RunMoments } from '../../src/analysis/energy.ts';
import type { SampleColumns } from '../../src/store/records.ts';

/** A machine that idles but for one run, [startS, endS]. */
export interface SimulatedLoad {
  readonly idleW: number;
  readonly loadW: number;
  readonly startS: number;
  readonly endS: number;
}

/** Uniform in [0, 1). */
export type Uniform = () => number;

/** Mean power of (fromS, toS], watts. */
export type MeanPower = (fromS: number, toS: number) => number;

export const steadyPower =
  ({ idleW, loadW, startS, endS }: SimulatedLoad): MeanPower =>
  (fromS, toS) => {
    const on = Math.max(0, Math.min(toS, endS) - Math.max(fromS, startS));
    return idleW + ((loadW - idleW) * on) / (toS - fromS);
  };

/** A meter that sends the mean of each of its periods by itself. */
export interface SendingMeter {
  readonly periodS: number;
  readonly latencyS: number;
  /** Where in a period the first one ends, seconds. */
  readonly phaseS: number;
}

export function sentReadings(power: MeanPower, untilS: number, meter: SendingMeter): SampleColumns {
  const readings: [number, number][] = [];
  for (let s = meter.phaseS; s + meter.latencyS < untilS; s += meter.periodS) {
    readings.push([s + meter.latencyS, power(s - meter.periodS, s)]);
  }
  return columnsOf(readings);
}

/** A meter with a register: refreshed at its own even times with the mean of the time just past, read whenever the host asks. */
export interface PolledMeter {
  readonly refreshS: number;
  readonly averageS: number;
  /** From the end of what a refresh averages to when it can be read. */
  readonly delayS: number;
  readonly pollS: number;
  /** From request to reply; the host's stamp is half-way. */
  readonly readS: number;
  /** A poll is up to so much later than planned. */
  readonly jitterS: number;
}

/** PZEM-004T as measured by others: about 1.2 s until a load shows, 2.6 s until it has settled; 120 ms a read. */
export const PZEM: PolledMeter = { refreshS: 1, averageS: 2, delayS: 0.3, pollS: 0.5, readS: 0.12, jitterS: 0.02 };
/** SDM120 at 2400 baud: 71 ms a read. */
export const SDM: PolledMeter = { refreshS: 1, averageS: 1, delayS: 0.1, pollS: 1, readS: 0.071, jitterS: 0.02 };
/** MCP39F511 as delivered: a mean of 16 cycles of 50 Hz. */
export const MCP: PolledMeter = {
  refreshS: 0.32,
  averageS: 0.32,
  delayS: 0.02,
  pollS: 0.25,
  readS: 0.01,
  jitterS: 0.005,
};

/** Readings with random phases, and with a refresh period up to 1 % off its nominal one. */
export function polledReadings(power: MeanPower, untilS: number, meter: PolledMeter, uniform: Uniform): SampleColumns {
  const refreshS = meter.refreshS * (1 + 0.02 * (uniform() - 0.5));
  const averageS = (meter.averageS * refreshS) / meter.refreshS;
  const phaseS = uniform() * refreshS;
  const pollPhaseS = uniform() * meter.pollS;
  const readings: [number, number][] = [];
  for (let k = 0; k * meter.pollS < untilS; k++) {
    const requestS = pollPhaseS + k * meter.pollS + uniform() * meter.jitterS;
    const latchS = requestS + uniform() * meter.readS;
    const refreshedS = phaseS + refreshS * Math.floor((latchS - meter.delayS - phaseS) / refreshS);
    readings.push([requestS + meter.readS / 2, power(refreshedS - averageS, refreshedS)]);
  }
  return columnsOf(readings);
}

function columnsOf(readings: readonly (readonly [number, number])[]): SampleColumns {
  return {
    tNs: Float64Array.from(readings, ([s]) => s * 1e9),
    powerW: Float64Array.from(readings, ([, watts]) => watts),
    durationS: Float64Array.from(readings, ([s], i) => s - (readings[i - 1]?.[0] ?? 0)),
  };
}

/** The accuracy class of a meter, and what one such meter makes of the true power: its own gain and offset, drawn once, and whole steps. */
export interface MeterClass {
  readonly gainPercent: number;
  readonly offsetW: number;
  readonly resolutionW: number;
}

export function asMetered(columns: SampleColumns, meter: MeterClass, uniform: Uniform): SampleColumns {
  const gain = 1 + ((2 * uniform() - 1) * meter.gainPercent) / 100;
  const offsetW = (2 * uniform() - 1) * meter.offsetW;
  const powerW = columns.powerW.map(
    (watts) => Math.round((gain * watts + offsetW) / meter.resolutionW) * meter.resolutionW,
  );
  return { ...columns, powerW };
}

/** The moments of such a run, with a rest on both sides of it. */
export function momentsOf({ startS, endS }: SimulatedLoad, guardS: number, periodS: number, restS = 20): RunMoments {
  const guardEndS = endS + guardS + periodS;
  return {
    startNs: startS * 1e9,
    endNs: endS * 1e9,
    guardEndNs: guardEndS * 1e9,
    before: { fromNs: (startS - restS) * 1e9, toNs: startS * 1e9 },
    after: { fromNs: guardEndS * 1e9, toNs: (guardEndS + restS) * 1e9 },
  };
}
