import { renewal } from '../../src/analysis/checks/renewal.ts';
import { smallestLoad } from '../../src/analysis/checks/smallest-load.ts';
import type { ChannelSession, RunEnergies } from '../../src/analysis/run-energies.ts';
import { sampleTimes } from '../../src/sampling/sample-clock.ts';
import { bareRun } from '../analysis/bare-run.ts';
import { wallMeter } from '../store/fixtures.ts';
import { type Share, share } from './gates.ts';
import { createRandom, type Random } from './random.ts';

/** A plug shows 0 below this, watts. */
const SMALLEST_W = 5;
const STEP_S = 0.5;

interface Asked {
  readonly of: string;
  readonly runs: number;
  readonly idleW: number;
  readonly loadW: number;
  /** The value is a mean of so many seconds, renewed once in `renewalS`. */
  readonly meanS: number;
  readonly renewalS: number;
  readonly resolutionW: number;
  readonly noiseW: number;
  readonly windowS: number;
  readonly guardS: number;
  readonly periodS: number;
  readonly readings: number;
}

/** The machine is quiet enough that whole watts repeat for minutes. */
const PLUG = {
  runs: 60,
  idleW: 40,
  loadW: 60,
  meanS: 1,
  renewalS: 1,
  resolutionW: 1,
  noiseW: 0.1,
  windowS: 12,
  guardS: 3,
  periodS: 1,
  readings: 2,
};
/** A server's controller: a sample is the mean of four readings. */
const CONTROLLER = { ...PLUG, noiseW: 1, windowS: 300, guardS: 80, periodS: 20, readings: 4 };

const RIGHT: readonly Asked[] = [
  { ...PLUG, of: 'plug in whole watts' },
  { ...PLUG, of: 'the same, of a moment', meanS: 0.5, renewalS: 0.5 },
  { ...PLUG, of: 'the same, 12 runs with a load of 4 W', meanS: 0.5, renewalS: 0.5, loadW: 44, runs: 12 },
  { ...PLUG, of: 'plug in tenths', resolutionW: 0.1 },
  { ...PLUG, of: 'mean of 3 s', meanS: 3 },
  { ...PLUG, of: 'lag of 1 s, window of 3 s', windowS: 3 },
  { ...CONTROLLER, of: 'controller, lag of 1 s' },
  { ...CONTROLLER, of: 'controller, lag of 10 s', renewalS: 10 },
];
const WRONG: readonly Asked[] = [
  { ...PLUG, of: 'plug, lag of 10 s', renewalS: 10 },
  { ...PLUG, of: 'the same, 12 runs', renewalS: 10, runs: 12 },
  { ...PLUG, of: 'plug, lag of 60 s', renewalS: 60 },
  { ...CONTROLLER, of: 'controller, lag of 60 s', renewalS: 60 },
];

const LARGE: readonly Asked[] = [{ ...PLUG, of: 'plug, idle at 7 W', idleW: 7, loadW: 20 }];
const SMALL: readonly Asked[] = [
  { ...PLUG, of: 'plug, idle at 3 W', idleW: 3, loadW: 20 },
  { ...PLUG, of: 'plug, 2 W idle and 3 W loaded', idleW: 2, loadW: 3 },
];

/** How often checks speak of meters that renew their value as they should, of those that don't, and of loads that a plug can't measure. */
export function slowMeters(experiments: number, seed: number): Share[] {
  const random = createRandom(seed);
  const speaks = (check: typeof renewal | typeof smallestLoad, isWrong: boolean) => (meter: Asked) => {
    const found = Array.from({ length: experiments }, () => check(experiment(meter, random), meter.guardS));
    const count = found.filter(([one]) => one !== undefined && one.state !== 'ok').length;
    const what = `check “${check === renewal ? 'renewal' : 'smallest load'}” ${isWrong ? 'finds the fault' : 'speaks'}`;
    return share(
      what,
      meter.of,
      count,
      experiments,
      isWrong ? { around: 0.98, least: 0.95 } : { around: 0.05, most: 0.065 },
    );
  };
  return [
    ...RIGHT.map(speaks(renewal, false)),
    ...WRONG.map(speaks(renewal, true)),
    ...LARGE.map(speaks(smallestLoad, false)),
    ...SMALL.map(speaks(smallestLoad, true)),
  ];
}

/** Rests differ by some seconds, as with `rest: auto`. */
function experiment(meter: Asked, random: Random): RunEnergies {
  const { windowS, guardS, periodS, readings } = meter;
  let now = 0;
  const records = Array.from({ length: meter.runs }, (_, i) => {
    const startS = now + guardS + 10 + 20 * random.uniform();
    now = startS + windowS + guardS;
    return { run: i + 1, startNs: startS * 1e9, endNs: (startS + windowS) * 1e9 };
  });
  const shown = valuesOf(meter, records, now + 20, random);
  const everyS = periodS / readings;
  const count = Math.floor((now + 20) / periodS);
  const raw = new Map(
    Array.from({ length: count }, (_, i) => [
      i,
      Array.from({ length: readings }, (_, k) => [everyS * 1e9, shown(i * periodS + (k + 1) * everyS)] as const),
    ]),
  );
  const tNs = Float64Array.from({ length: count }, (_, i) => (i + 1) * periodS * 1e9);
  const powerW = Float64Array.from(raw.values(), (own) => own.reduce((sum, [, watts]) => sum + watts, 0) / readings);
  const channel: ChannelSession = {
    session: 1,
    records,
    columns: { tNs, powerW, durationS: new Float64Array(count).fill(periodS), readings: raw },
    times: sampleTimes('host', tNs, periodS),
    channel: {
      channel: 'wall',
      primary: true,
      integration: 'guard',
      clock: 'host',
      samplingPeriodS: periodS,
      resolutionW: meter.resolutionW,
      meter: { ...wallMeter, type: 'tasmota', name: 'tasmota:plug', passport: null },
    },
  };
  const usage = { cpuS: windowS, peakMemoryBytes: null, readBytes: null, writtenBytes: null };
  const runs = records.map(({ run }) =>
    bareRun({ run, variant: run % 2 ? 'native' : 'container', energyJ: 1, durationS: windowS, resources: usage }),
  );
  return { runs, channels: [channel], traces: [], foundPhases: null };
}

/** What the meter shows at a moment; the machine's own power drifts slowly, and scatters a little. */
function valuesOf(
  { idleW, loadW, meanS, renewalS, resolutionW, noiseW }: Asked,
  records: ChannelSession['records'],
  untilS: number,
  random: Random,
): (atS: number) => number {
  const joules = new Float64Array(Math.ceil(untilS / STEP_S) + 2);
  let at = 0;
  for (let i = 1; i < joules.length; i++) {
    const s = i * STEP_S;
    while (at < records.length - 1 && s * 1e9 > (records[at]?.endNs ?? 0)) at++;
    const { startNs = 0, endNs = 0 } = records[at] ?? {};
    const isOn = s * 1e9 > startNs && s * 1e9 <= endNs;
    const watts = (isOn ? loadW : idleW) + Math.sin(s / 700) + noiseW * random.normal();
    joules[i] = (joules[i - 1] as number) + watts * STEP_S;
  }
  const energyJ = (s: number): number => joules[Math.max(0, Math.round(s / STEP_S))] as number;
  const phaseS = renewalS * random.uniform();
  return (s) => {
    const renewedS = STEP_S * Math.floor((phaseS + renewalS * Math.floor((s - phaseS) / renewalS)) / STEP_S);
    const watts = (energyJ(renewedS) - energyJ(renewedS - meanS)) / meanS;
    return watts < SMALLEST_W ? 0 : resolutionW * Math.round(watts / resolutionW);
  };
}
