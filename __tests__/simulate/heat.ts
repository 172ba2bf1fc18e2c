import { Settling } from '../../src/sampling/settling.ts';
import { compared, simulatedRuns } from './experiment.ts';
import { type Share, share } from './gates.ts';
import { MACHINE_NAMES, MACHINES, type MachineName } from './machine.ts';
import { isChange } from './protocol.ts';
import { createRandom, type Random } from './random.ts';

/** A machine that a run warms, and that leaks more when it is warm: a first-order lag. */
export interface Heat {
  /** Seconds of the lag. */
  readonly tauS: number;
  /** Watts that it leaks more when it has been under full load for long. */
  readonly leakW: number;
}

/** A meter as a rest sees it: how often it reads, how much the readings scatter, and how late they are. */
export interface IdleMeter {
  readonly periodS: number;
  readonly noiseW: number;
  readonly guardS: number;
  readonly leastRestS: number;
}

export const IDLE_METERS = {
  counter: { periodS: 0.2, noiseW: 0.1, guardS: 0.2, leastRestS: 1 },
  plug: { periodS: 1, noiseW: 0.1, guardS: 3, leastRestS: 7 },
} satisfies Record<string, IdleMeter>;

const [IDLE_W, LOAD_W, RUN_S, UP_TO_S] = [50, 50, 5, 60];

export interface HeatedRun {
  /** Of the window, joules, without noise of its own. */
  readonly energyJ: number;
  readonly restedS: number;
}

/** Runs in a row on such a machine, each with its load as a share of the usual; `restS`: fixed, or by the product's own rule. */
export function heatedRuns(
  random: Random,
  loads: readonly number[],
  { heat, meter, restS }: { readonly heat: Heat; readonly meter: IdleMeter; readonly restS: number | 'auto' },
): HeatedRun[] {
  const { tauS, leakW } = heat;
  const settling = new Settling();
  /** From 0, cold, to 1, warm from the usual load. */
  let warmth = 0;
  const cool = (s: number): void => {
    warmth *= Math.exp(-s / tauS);
  };
  const reading = (): number => {
    const before = warmth;
    cool(meter.periodS);
    return IDLE_W + (leakW * (before + warmth)) / 2 + meter.noiseW * random.normal();
  };
  return loads.map((load) => {
    cool(meter.guardS);
    let restedS = 0;
    if (restS === 'auto') {
      settling.begin();
      // Readings of the lag after whatever made the place ready are not looked at.
      cool(meter.guardS);
      restedS = meter.guardS;
      while (restedS < meter.leastRestS - 1e-9 || (!settling.isSettled(restedS) && restedS < UP_TO_S)) {
        settling.add(reading());
        restedS += meter.periodS;
      }
      settling.end(restedS);
    } else {
      cool(restS);
      restedS = restS;
    }
    const start = warmth;
    warmth = load + (start - load) * Math.exp(-RUN_S / tauS);
    const meanWarmth = load + ((start - load) * tauS * (1 - Math.exp(-RUN_S / tauS))) / RUN_S;
    return { energyJ: RUN_S * (IDLE_W + LOAD_W * load + leakW * meanWarmth), restedS };
  });
}

const BLOCKS = 30;
const LEAK_W = 3;
/** Load of the variant that uses about 1 % more energy. */
const MORE_LOAD = 1.02;
/** Load of the runs whose trace the carry-over is read from. */
const HOTTER_LOAD = 1.1;

export interface HeatRow {
  readonly meter: string;
  readonly tauS: number;
  readonly restS: number | 'auto';
  readonly meanRestS: number;
  /** What a run after a hotter one uses more, percent of its energy. */
  readonly carryOverPercent: number;
  readonly shares: readonly Share[];
}

/** Rests of 20 s beside rests that end by themselves, on every machine of the simulation, with heat of several lags and without. */
export function heat(
  experiments: number,
  seed: number,
  meters: readonly (keyof typeof IDLE_METERS)[] = ['counter', 'plug'],
  machines: readonly MachineName[] = MACHINE_NAMES,
): HeatRow[] {
  return meters.flatMap((name) =>
    [0, 5, 20, 60].flatMap((tauS) =>
      ([20, 'auto'] as const).map((restS): HeatRow => {
        // A machine without heat is one that is cold at once.
        const setting = { heat: { tauS: tauS || 1e-3, leakW: LEAK_W }, meter: IDLE_METERS[name], restS };
        const random = createRandom((seed + tauS) >>> 0);
        const shares = machines.flatMap((machine) =>
          onHeatedMachine(random, machine, setting, experiments, `${name}, ${tauS} s, ${restS}`),
        );
        return { meter: name, tauS, restS, ...carryOver(random, setting), shares };
      }),
    ),
  );
}

type Setting = Parameters<typeof heatedRuns>[2];

/** By long rows of runs, of which a random half is hotter. */
function carryOver(random: Random, setting: Setting): Pick<HeatRow, 'meanRestS' | 'carryOverPercent'> {
  const loads = Array.from({ length: 20_000 }, () => (random.uniform() < 0.5 ? 1 : HOTTER_LOAD));
  const runs = heatedRuns(random, loads, setting).slice(4);
  const after = (load: number) =>
    meanOf(runs.flatMap(({ energyJ }, i) => (loads[i + 4] === 1 && loads[i + 3] === load ? [energyJ] : [])));
  return {
    meanRestS: meanOf(runs.map(({ restedS }) => restedS)),
    carryOverPercent: 100 * (after(HOTTER_LOAD) / after(1) - 1),
  };
}

function onHeatedMachine(
  random: Random,
  machine: MachineName,
  setting: Setting,
  experiments: number,
  of: string,
): Share[] {
  // With rests that end by themselves, each run starts from another warmth: a mean of few is no truth.
  const steady = (load: number) =>
    meanOf(
      heatedRuns(
        random,
        Array.from({ length: 20_020 }, () => load),
        setting,
      )
        .slice(20)
        .map(({ energyJ }) => energyJ),
    );
  const truePercent = 100 * (steady(MORE_LOAD) / steady(1) - 1);
  const judged = (load: number) =>
    Array.from({ length: experiments }, () => {
      const runs = simulatedRuns(random, MACHINES[machine], BLOCKS, [0]);
      const heated = heatedRuns(
        random,
        runs.map(({ variant }) => (variant === 'native' ? 1 : load)),
        setting,
      );
      return compared(
        runs.map((run, i) => ({ ...run, energyJ: ((run.energyJ as number) * (heated[i]?.energyJ as number)) / 100 })),
      );
    });
  const [same, apart] = [judged(1), judged(MORE_LOAD)];
  const holds = apart.filter(
    ({ percent: { ci95 } }) => ci95 !== null && ci95[0] <= truePercent && truePercent <= ci95[1],
  );
  return [
    share(`A/A, ${machine}: called a change`, of, same.filter(isChange).length, experiments, {
      around: 0.05,
      most: 0.065,
    }),
    share(`+1 %, ${machine}: called a change (power)`, of, apart.filter(isChange).length, experiments),
    share(`+1 %, ${machine}: the 95 % interval holds it`, of, holds.length, experiments, {
      around: 0.95,
      least: 0.935,
    }),
  ];
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The table of the method reference. */
export function heatTable(rows: readonly HeatRow[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const percent = (shares: readonly Share[], what: string): string => {
    const such = shares.filter((one) => one.what.includes(what));
    return `${((100 * such.reduce((sum, { count, experiments }) => sum + count / experiments, 0)) / such.length).toFixed(1)} %`;
  };
  const head = [
    'meter',
    'lag of the heat',
    'rest',
    'mean rest',
    'time of a run',
    'carry-over',
    'false alarms',
    'power at +1 %',
    'interval holds it',
  ];
  const body = rows.map(({ meter, tauS, restS, meanRestS, carryOverPercent, shares }) => {
    const { guardS } = IDLE_METERS[meter as keyof typeof IDLE_METERS];
    return [
      meter,
      tauS === 0 ? 'no heat' : `${tauS} s`,
      restS === 'auto' ? 'auto' : `${restS} s`,
      `${meanRestS.toFixed(1)} s`,
      `${Math.round((100 * (meanRestS + RUN_S + guardS)) / (20 + RUN_S + guardS))} %`,
      `${carryOverPercent.toFixed(3)} %`,
      percent(shares, 'A/A'),
      percent(shares, 'power'),
      percent(shares, 'holds it'),
    ];
  });
  return [line(head), line(head.map((_, i) => (i < 3 ? '---' : '---:'))), ...body.map(line)].join('\n');
}
