import type { ChannelInfo, MeterInfo, Sample } from '../../../contracts/reading.ts';
import type { Calibration, CalibrationPoint, PassportCheck } from '../../../findings/passport.ts';
import type { Meter } from '../../../meters/meter.ts';
import { tQuantile } from '../../../stats/student.ts';
import { moments } from '../../../stats/sums.ts';
import type { Load } from './busy-processors.ts';
import { BY_LOADS, type CommonUncertainty, calibrationOf } from './calibration.ts';
import { checkedChannel } from './check.ts';
import { recordSteps, type StepControl, type StepPlan } from './step-test.ts';
import { analyzeSteps, type Phase, type StepSettings } from './steps.ts';
import { disturbances } from './verdict.ts';

/** What one of two meters gave while both saw the same load. */
export interface Recorded {
  readonly info: MeterInfo;
  readonly channel: ChannelInfo;
  readonly samples: readonly Sample[];
  /** From its passport: turns its readings into powers. */
  readonly calibration?: Calibration | undefined;
}

/** A stretch in which both show their level. */
export interface Window {
  readonly busy: boolean;
  readonly readW: number;
  readonly betterW: number;
}

export interface MeterComparison {
  /** The line from the first meter's readings to the better one's power, with the class of the better one. */
  readonly calibration: Calibration;
  /** By how much later the first shows a step, seconds; null: too few steps were seen by both. `limitS` is the half-width of a 95 % interval. */
  readonly lag: { readonly meanS: number; readonly limitS: number; readonly edges: number } | null;
  /** Bland and Altman 1986: differences of the readings to the better meter's power, watts. */
  readonly agreement: { readonly biasW: number; readonly sdW: number };
  /** Standard deviation that is left around the line, watts. */
  readonly scatterW: number;
  /** What others did to the steps. The lag is of undisturbed ones; for all else both saw the same load. */
  readonly disturbances: readonly PassportCheck[];
  readonly windowS: number;
  readonly windows: readonly Window[];
}

/** Runs the step test with both meters at once, which are stopped in the end. Rejects as `recordSteps` does, whichever meter is lost. */
export async function recordBoth(
  first: Meter,
  better: Meter,
  load: Load,
  plan: StepPlan,
  { signal, ...control }: StepControl,
): Promise<{ readonly samples: readonly (readonly Sample[])[]; readonly phases: readonly Phase[] }> {
  const besides: Sample[] = [];
  const lost = new AbortController();
  const channel = checkedChannel(better.info).channel;
  try {
    await better.start({
      sample: (name, sample) => {
        if (name === channel) besides.push(sample);
      },
      event: () => {},
      lost: (error) => lost.abort(error),
    });
    const stop = AbortSignal.any([signal, lost.signal]);
    const name = checkedChannel(first.info).channel;
    const { samples, phases } = await recordSteps(first, name, load, plan, { ...control, signal: stop });
    return { samples: [samples, besides], phases };
  } finally {
    await Promise.all([first.stop(), better.stop()]);
  }
}

const MIN_WINDOW_S = 1;

/**
 * Compares two meters over phases that alternate between idle and busy. Gain and offset come from the means of whole phases, after both have settled, so
 * that no lag is in them; what scatters from window to window tells how well each mean is known. Null: hardly a phase that both have readings of.
 */
export function compareMeters(
  first: Recorded,
  better: Recorded,
  phases: readonly Phase[],
  settings: StepSettings,
): MeterComparison | null {
  const windowS = Math.max(MIN_WINDOW_S, first.channel.samplingPeriodS, better.channel.samplingPeriodS);
  const settled = phases.map((phase) => windowsOf(phase, first, better, { ...settings, periodS: windowS }));
  const full = settled.filter((windows) => windows.length >= 2);
  if (full.length < 2) return null;
  const windows = full.flat();
  const sdW = pooledSd(full.map((some) => some.map(({ readW, betterW }) => readW - betterW)));
  const steps = [first, better].map(({ channel }) => (channel.resolutionW ?? 0) / Math.sqrt(12));
  const points = full.map((some): CalibrationPoint => {
    return {
      when: new Date().toISOString(),
      true_w: mean(some.map(({ betterW }) => betterW)),
      true_u_w: 0,
      read_w: mean(some.map(({ readW }) => readW)),
      // A power that stands still is always rounded the same way.
      read_u_w: Math.hypot(sdW / Math.sqrt(some.length), ...steps),
      readings: some.length,
    };
  });
  const calibration = calibrationOf(points, first.info.accuracy, commonOf(better, mean(points.map((p) => p.true_w))));
  const { gain, offset_w } = calibration;
  const differences = moments(windows.map(({ readW, betterW }) => readW - betterW));
  const rest = windows.map(({ readW, betterW }) => betterW - gain * readW - offset_w);
  return {
    calibration,
    lag: lagOf(first, better, phases, settings),
    agreement: { biasW: differences.mean, sdW: Math.sqrt(differences.variance ?? 0) },
    scatterW: Math.sqrt(mean(rest.map((w) => w * w))),
    disturbances: disturbances(phases),
    windowS,
    windows,
  };
}

/** The class of the better meter, or what its own calibration leaves open at this power; null class: nothing is stated, and none is known. */
function commonOf({ info: { type, address, accuracy }, calibration }: Recorded, powerW: number): CommonUncertainty {
  const by = { type, address };
  if (calibration) {
    const { gain, gain_u, pivot_w, level_u_w, common_gain_u, common_offset_u_w, offset_w } = calibration;
    const away = (powerW - offset_w) / gain - pivot_w;
    const levelW = Math.hypot(level_u_w, (gain_u ?? 0) * away, common_offset_u_w);
    return { by, gain: Math.hypot(common_gain_u, (gain_u ?? 0) / gain), offsetW: levelW };
  }
  if (accuracy === null) return { ...BY_LOADS, by };
  return { by, gain: accuracy.gainPercent / 100 / Math.sqrt(3), offsetW: accuracy.offsetW / Math.sqrt(3) };
}

function windowsOf(phase: Phase, first: Recorded, better: Recorded, { settleS, periodS }: StepSettings): Window[] {
  const startS = Number(phase.startNs) / 1e9 + settleS;
  // A reading that arrives after the next step holds some of it, and stands for up to a period before.
  const count = Math.floor((Number(phase.endNs) / 1e9 - periodS - startS) / periodS);
  return Array.from({ length: Math.max(0, count) }, (_, i) => {
    const [fromS, toS] = [startS + i * periodS, startS + (i + 1) * periodS];
    const readW = meanPower(first.samples, fromS, toS);
    const shownW = meanPower(better.samples, fromS, toS);
    if (readW === null || shownW === null) return null;
    const { gain = 1, offset_w = 0 } = better.calibration ?? {};
    return { busy: phase.busy, readW, betterW: gain * shownW + offset_w };
  }).filter((window) => window !== null);
}

/** Share of a window that readings must stand for. */
const COVERED = 0.5;

/** Watts; null: the readings hardly cover it. */
function meanPower(samples: readonly Sample[], fromS: number, toS: number): number | null {
  let energyJ = 0;
  let coveredS = 0;
  for (const { tNs, powerW, durationS } of samples) {
    const endS = Number(tNs) / 1e9;
    const seconds = Math.min(endS, toS) - Math.max(endS - durationS, fromS);
    if (seconds <= 0) continue;
    energyJ += powerW * seconds;
    coveredS += seconds;
  }
  return coveredS < COVERED * (toS - fromS) ? null : energyJ / coveredS;
}

/** Latencies of both at the same steps of the load; pairs, because the load's own delay is in both. */
function lagOf(
  first: Recorded,
  better: Recorded,
  phases: readonly Phase[],
  settings: StepSettings,
): MeterComparison['lag'] {
  const edgesOf = ({ samples, channel }: Recorded) =>
    analyzeSteps(phases, samples, { ...settings, periodS: channel.samplingPeriodS }).edges;
  const [a, b] = [edgesOf(first), edgesOf(better)];
  if (a.length !== b.length) return null;
  const lags = a.flatMap(({ latencyS, quiet }, i) => {
    const other = b[i]?.latencyS ?? null;
    return quiet && latencyS !== null && other !== null ? [latencyS - other] : [];
  });
  if (lags.length < 2) return null;
  const { mean: meanS, variance } = moments(lags);
  if (variance === null) return null;
  const limitS = tQuantile(0.975, lags.length - 1) * Math.sqrt(variance / lags.length);
  return { meanS, limitS, edges: lags.length };
}

const mean = (values: readonly number[]): number => moments(values).mean;

function pooledSd(groups: readonly (readonly number[])[]): number {
  const squares = groups.reduce((sum, group) => sum + (moments(group).variance ?? 0) * (group.length - 1), 0);
  return Math.sqrt(squares / groups.reduce((sum, group) => sum + group.length - 1, 0));
}
