import type { ChannelInfo, MeterInfo, Sample } from '../../../contracts/reading.ts';
import type { Calibration, CalibrationPoint, PassportCheck } from '../../../findings/passport.ts';
import type { Meter } from '../../../meters/meter.ts';
import { tQuantile } from '../../../stats/student.ts';
import { moments } from '../../../stats/sums.ts';
import type { Load } from './busy-processors.ts';
import { BY_LOADS, type CommonUncertainty, fitCalibration } from './calibration.ts';
import { checkedChannel } from './check.ts';
import { recordSteps, type StepControl, type StepPlan } from './step-test.ts';
import { analyzeSteps, type Phase, type StepSettings } from './steps.ts';
import { disturbances } from './verdict.ts';

/** Readings of one of two meters that measured the same load. */
export interface Recorded {
  readonly info: MeterInfo;
  readonly channel: ChannelInfo;
  readonly samples: readonly Sample[];
  /** Calibration from its passport, to be applied to its readings. */
  readonly calibration?: Calibration | undefined;
}

/** A window in which both meters have settled. */
export interface Window {
  readonly busy: boolean;
  readonly readW: number;
  readonly betterW: number;
}

export interface MeterComparison {
  /** Line from the first meter's readings to the better one's power, with the better one's class. */
  readonly calibration: Calibration;
  /** Delay of the first meter against the other, seconds; null: too few common steps. `limitS`: half-width of a 95 % interval. */
  readonly lag: { readonly meanS: number; readonly limitS: number; readonly edges: number } | null;
  /** Agreement by Bland and Altman 1986: differences of the readings from the better meter's power, watts. */
  readonly agreement: { readonly biasW: number; readonly sdW: number };
  /** Standard deviation around the line, watts. */
  readonly scatterW: number;
  /** Disturbances of the steps. They exclude steps from the lag; both meters saw the same load, so all else is unaffected. */
  readonly disturbances: readonly PassportCheck[];
  readonly windowS: number;
  readonly windows: readonly Window[];
}

/** Runs the step test with both meters at once and stops them. Rejects as `recordSteps` does if either meter is lost. */
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
 * Compares two meters over alternating idle and busy phases. Gain and offset come from means of whole phases after settling, so
 * they include no lag; the scatter between windows gives the uncertainty of each mean. Null: too few phases with readings of both.
 */
export function compareMeters(
  first: Recorded,
  better: Recorded,
  phases: readonly Phase[],
  settings: StepSettings,
): MeterComparison | null {
  const windowS = Math.max(MIN_WINDOW_S, first.channel.samplingPeriodS, better.channel.samplingPeriodS);
  const settled = phases.map((phase) => computeWindows(phase, first, better, { ...settings, periodS: windowS }));
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
      // The rounding error of a constant power is the same in every reading.
      read_u_w: Math.hypot(sdW / Math.sqrt(some.length), ...steps),
      readings: some.length,
    };
  });
  const calibration = fitCalibration(
    points,
    first.info.accuracy,
    computeCommonUncertainty(better, mean(points.map((p) => p.true_w))),
  );
  const { gain, offset_w } = calibration;
  const differences = moments(windows.map(({ readW, betterW }) => readW - betterW));
  const rest = windows.map(({ readW, betterW }) => betterW - gain * readW - offset_w);
  return {
    calibration,
    lag: computeLag(first, better, phases, settings),
    agreement: { biasW: differences.mean, sdW: Math.sqrt(differences.variance ?? 0) },
    scatterW: Math.sqrt(mean(rest.map((w) => w * w))),
    disturbances: disturbances(phases),
    windowS,
    windows,
  };
}

/** Class of the better meter, or the uncertainty of its own calibration at this power; class null: unknown. */
function computeCommonUncertainty(
  { info: { type, address, accuracy }, calibration }: Recorded,
  powerW: number,
): CommonUncertainty {
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

function computeWindows(phase: Phase, first: Recorded, better: Recorded, { settleS, periodS }: StepSettings): Window[] {
  const startS = Number(phase.startNs) / 1e9 + settleS;
  // A reading that arrives after the next step includes part of it, and covers up to a period before.
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

/** Minimum share of a window that readings must cover. */
const COVERED = 0.5;

/** Mean power, watts; null: the readings cover too little. */
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

/** Delay between the meters, from pairs at the same steps, which both include the load's own delay. */
function computeLag(
  first: Recorded,
  better: Recorded,
  phases: readonly Phase[],
  settings: StepSettings,
): MeterComparison['lag'] {
  const findEdges = ({ samples, channel }: Recorded) =>
    analyzeSteps(phases, samples, { ...settings, periodS: channel.samplingPeriodS }).edges;
  const [a, b] = [findEdges(first), findEdges(better)];
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
