import type { WindowClock } from '../contracts/execution.ts';
import type { ChannelInfo, MeterInfo } from '../contracts/reading.ts';
import type { Calibration } from '../findings/passport.ts';
import { calibratedClass, calibratedNetClass } from './calibrated.ts';
import type { RunEnergy } from './energy.ts';

/** Coverage factor k of the expanded uncertainties: about 95 %. */
export const COVERAGE_FACTOR = 2;

/** Standard uncertainties (k = 1) of one energy by source, joules; null: unknown. */
export interface UncertaintyParts {
  /** From the meter's class, proportional to the energy: the same for all runs, cancels in a ratio. */
  readonly gainJ: number | null;
  /** From the meter's class, constant power: the same for all runs. */
  readonly offsetJ: number | null;
  /** Scatter of the subtracted idle level, and of idle itself in the guards. */
  readonly idleJ: number | null;
  /** Difference between idle before and after the run. */
  readonly driftJ: number | null;
  readonly quantizationJ: number;
  readonly edgesJ: number | null;
}

export interface RunUncertainty {
  readonly gross: UncertaintyParts;
  /** Null: there is no net energy. */
  readonly net: UncertaintyParts | null;
}

export type UncertainChannel = Omit<ChannelInfo, 'channel'> & {
  readonly meter: Pick<MeterInfo, 'accuracy'>;
  /** Replaces the meter's class; absent: the class applies. */
  readonly calibration?: Calibration | undefined;
};

/**
 * Uncertainty of one run's energies (GUM; method reference: uncertainty). A limit ±a of the meter's class is rectangular, u = a/√3.
 * With the window L and the time T that the readings stand for:
 * - gain: g·E/√3; offset: o·L/√3, and none in the net energy, since idle was read with the same offset; of a calibrated meter, those of its line
 * - idle: (T − L)·u(P_idle) gross, T·u(P_idle) net, and what idle fluctuated in the guards beside its mean, s_idle·√((T − L)·Δ);
 *   drift: the same times with |P_after − P_before|/√12
 * - quantization: q/√12·Δ·√N while the power moves by more than q/√12 from reading to reading, q/√12·L while it stands still (net: idle stands still too)
 * - edges: none for a meter that sends by itself; where the host asks, up to s late at each of the two, uniform: ΔP·s/√6 for a register,
 *   E/L·s/√6 for a counter, which is behind with its whole power, and d/√3 where its readings lie beside the edges, by which it may be off by up to d
 * - edges, of a window that another machine's clock told: that its length may be off by ±c adds P_idle·c/√3 to the gross energy; what is above idle is
 *   summed from guard to guard, wherever between them the window lies. A counter isn't: its window may be off with its whole power (net: with what is
 *   above idle), both edges of it alike by up to e, which takes idle for load at one of them; and its readings lie beside such edges, where one of
 *   period Δ that holds both idle and load is shared wrongly by up to ΔP·Δ/4 each
 */
export function runUncertainty(
  energy: RunEnergy,
  lengthS: number,
  channel: UncertainChannel,
  clock: WindowClock = { edgeS: 0, lengthS: 0 },
): RunUncertainty {
  const { energyJ, netEnergyJ, idle, summedS } = energy;
  const quantizationJ = quantization(energy, lengthS, channel);
  const readJ = edges(energy, lengthS, channel);
  const reported = clockEdges(energy, lengthS, channel, clock);
  const drift = idle === null || idle.changeW === null ? null : Math.abs(idle.changeW) / Math.sqrt(12);
  const guardsS = channel.integration === 'counter' ? 0 : Math.abs(summedS - lengthS);
  const fluctuatedJ = guardsS === 0 ? 0 : times(idle?.scatterW ?? null, Math.sqrt(guardsS * channel.samplingPeriodS));
  const taken = (seconds: number) => ({
    // Idle affects a counter's energy only above idle: nothing is subtracted from its gross energy.
    idleJ: seconds === 0 ? 0 : quadrature([times(idle?.uncertaintyW ?? null, seconds), fluctuatedJ]),
    driftJ: seconds === 0 ? 0 : times(drift, seconds),
  });
  const gross = {
    ...classParts(energyJ, lengthS, channel),
    ...taken(guardsS),
    quantizationJ,
    edgesJ: quadrature([readJ, reported.grossJ]),
  };
  if (netEnergyJ === null) return { gross, net: null };
  const net = {
    ...netClassParts(netEnergyJ, channel),
    ...taken(summedS),
    quantizationJ: quantizationJ * Math.SQRT2,
    edgesJ: quadrature([readJ, reported.netJ]),
  };
  return { gross, net };
}

type ClassParts = Pick<UncertaintyParts, 'gainJ' | 'offsetJ'>;

function classParts(
  energyJ: number,
  lengthS: number,
  { calibration, meter: { accuracy } }: UncertainChannel,
): ClassParts {
  if (calibration) return calibratedClass(calibration, energyJ, lengthS);
  return { gainJ: gainJ(accuracy, energyJ), offsetJ: accuracy && (accuracy.offsetW * lengthS) / Math.sqrt(3) };
}

function netClassParts(netEnergyJ: number, { calibration, meter: { accuracy } }: UncertainChannel): ClassParts {
  if (calibration) return calibratedNetClass(calibration, netEnergyJ);
  return { gainJ: gainJ(accuracy, netEnergyJ), offsetJ: accuracy && 0 };
}

function gainJ(accuracy: MeterInfo['accuracy'], energyJ: number): number | null {
  return accuracy && (accuracy.gainPercent / 100 / Math.sqrt(3)) * Math.abs(energyJ);
}

function quantization({ scatterW }: RunEnergy, lengthS: number, channel: UncertainChannel): number {
  const step = (channel.resolutionW ?? 0) / Math.sqrt(12);
  return step * (scatterW > step ? Math.sqrt(lengthS * channel.samplingPeriodS) : lengthS);
}

function edges({ energyJ, netEnergyJ }: RunEnergy, lengthS: number, channel: UncertainChannel): number | null {
  if (channel.integration === 'counter') {
    return times(channel.edgeS ?? null, Math.abs(energyJ / lengthS) / Math.sqrt(6));
  }
  if (channel.clock === 'meter') return 0;
  return times(netEnergyJ && Math.abs(netEnergyJ / lengthS), (channel.edgeS ?? channel.samplingPeriodS) / Math.sqrt(6));
}

/** Uncertainty because a counter's readings don't coincide with the window, and because another machine's clock may have timed it. */
function clockEdges(
  { energyJ, netEnergyJ, idle, sharedJ = 0 }: RunEnergy,
  lengthS: number,
  { integration, samplingPeriodS }: UncertainChannel,
  clock: WindowClock,
): { readonly grossJ: number | null; readonly netJ: number | null } {
  if (clock.edgeS === 0 && clock.lengthS === 0) {
    const besideJ = sharedJ / Math.sqrt(3);
    return { grossJ: besideJ, netJ: besideJ };
  }
  if (integration === 'guard') {
    return { grossJ: times(idle && Math.abs(idle.powerW), clock.lengthS / Math.sqrt(3)), netJ: 0 };
  }
  const openS = (clock.lengthS + clock.edgeS + samplingPeriodS / 2) / Math.sqrt(3);
  return {
    grossJ: Math.abs(energyJ / lengthS) * openS,
    netJ: times(netEnergyJ && Math.abs(netEnergyJ / lengthS), openS),
  };
}

/** Part from the meter's class (type B), which repetition does not reduce. */
export function systematicJ({ gainJ, offsetJ }: UncertaintyParts): number | null {
  return quadrature([gainJ, offsetJ]);
}

/** Part that varies from run to run. */
export function randomJ({ idleJ, driftJ, quantizationJ, edgesJ }: UncertaintyParts): number | null {
  return quadrature([idleJ, driftJ, quantizationJ, edgesJ]);
}

/** Expanded uncertainty (k = 2) of one energy, joules; null: a part is unknown. */
export function expandedJ(parts: UncertaintyParts): number | null {
  return times(quadrature([systematicJ(parts), randomJ(parts)]), COVERAGE_FACTOR);
}

/** Root of the sum of squares; null: a part is unknown. */
export function quadrature(parts: readonly (number | null)[]): number | null {
  return parts.every((part) => part !== null) ? Math.hypot(...parts) : null;
}

function times(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor;
}
