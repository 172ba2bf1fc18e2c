import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunTelemetry, Usage } from '../../src/contracts/execution.ts';
import type { MeterInfo, Sample } from '../../src/contracts/reading.ts';
import type { WorkloadFiles } from '../../src/contracts/variant.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import type { Passport } from '../../src/findings/passport.ts';
import { openStore, type StoreReader } from '../../src/store/reader.ts';
import type { NoiseFloorRecord } from '../../src/store/records.ts';
import { StoreWriter } from '../../src/store/writer.ts';
import { conditions, nativeAndContainer, wallMeter } from '../store/fixtures.ts';
import { type MeanPower, sentReadings } from './simulated-meters.ts';

export interface SimulatedRun {
  readonly variant: string;
  readonly lengthS: number;
  readonly loadW: number;
  readonly executions?: number;
  /** Phases that it tells, from its start on, with a power of their own; the rest of it has `loadW`. */
  readonly phases?: readonly { readonly phase: string; readonly lengthS: number; readonly loadW: number }[];
  readonly usage?: Usage;
}

export interface SimulatedExperiment {
  /** A block a list, in order. */
  readonly blocks: readonly (readonly SimulatedRun[])[];
  readonly experiment?: Partial<Experiment>;
  readonly meters?: readonly (MeterInfo & { readonly passport?: Passport })[];
  readonly noiseFloor?: NoiseFloorRecord;
  readonly files?: WorkloadFiles;
  /** What the meter makes of the power; absent: it sees it as it is. */
  readonly seenAs?: (power: MeanPower) => MeanPower;
  /** Readings that make a sample; absent: one. */
  readonly readings?: number;
}

const IDLE_W = 40;
const START_NS = 5_000_000_000_000n;

/** A whole experiment.db of a meter that sends 1 s means, as measuring would have written it. Gives what `use` makes of it. */
export function withSimulatedStore<T>(simulated: SimulatedExperiment, use: (reader: StoreReader) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-simulated-'));
  try {
    writeSimulatedStore(join(folder, 'experiment.db'), simulated);
    const reader = openStore(join(folder, 'experiment.db'));
    try {
      return use(reader);
    } finally {
      reader.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The file alone. */
export function writeSimulatedStore(
  path: string,
  { blocks, experiment: given, meters = [wallMeter], noiseFloor, files, seenAs, readings }: SimulatedExperiment,
): void {
  const experiment = { ...nativeAndContainer, repetitions: blocks.length, ...given };
  const planned = blocks.flatMap((runs, b) =>
    runs.map(({ variant }, i) => ({ block: b + 1, position: i + 1, variant, warmup: false })),
  );
  const plan = { seed: 1, order: 'randomized-blocks', runs: planned.map((p, i) => ({ ...p, run: i + 1 })) } as const;
  const store = StoreWriter.create(path, {
    id: 'simulated',
    startedAt: '2026-01-02T03:04:05.000Z',
    experiment,
    plan,
    facts: new Map(),
    meters: meters.map((meter) => ({ name: `${meter.type}:${meter.address}`, passport: null, ...meter })),
    noiseFloor: noiseFloor ?? null,
  });
  store.beginSession('2026-01-02T03:04:06.000Z', START_NS, conditions, files);
  const { windows, endS } = timeline(blocks.flat(), experiment);
  const samples = samplesOf(windows, endS, meters, seenAs, readings);
  let from = 0;
  for (const [i, w] of windows.entries()) {
    const take = takeUntil(samples, from, w.guardEndS);
    from = w.guardEndS;
    store.addRun(
      {
        run: i + 1,
        planned: i + 1,
        attempt: 1,
        position: plan.runs[i]?.position ?? 1,
        status: 'ok',
        cause: null,
        reason: null,
        restEnd: null,
        restStartNs: at(w.restStartS),
        startNs: at(w.startS),
        endNs: at(w.endS),
        guardEndNs: at(w.guardEndS),
        exitCode: 0,
        signal: null,
        outputTail: null,
        executions: w.executions ?? 1,
        machine: null,
        incidents: null,
        telemetry: telemetryOf(w),
        place: null,
      },
      { samples: take, events: [] },
    );
  }
  store.addIdle(at(from), at(endS), { samples: takeUntil(samples, from, endS), events: [] });
  store.close('2026-01-02T03:10:00.000Z', { kind: 'complete' }, { samples: new Map(), events: [] });
}

function telemetryOf({ phases, usage, startS }: SimulatedRun & { startS: number }): RunTelemetry | null {
  if (phases === undefined && usage === undefined) return null;
  let now = startS;
  const marks: RunTelemetry['marks'][number][] = (phases ?? []).map(({ phase, lengthS }) => {
    const mark = { tNs: at(now), lateNs: 0n, phase };
    now += lengthS;
    return mark;
  });
  if (phases !== undefined) marks.push({ tNs: at(now), lateNs: 0n, phase: null });
  return { marks, phaseProblem: null, usage: usage ?? null };
}

const at = (s: number): bigint => START_NS + BigInt(Math.round(s * 1e9));

function timeline(runs: readonly SimulatedRun[], { restS, guardS }: Experiment) {
  let now = 1;
  const windows = runs.map((run) => {
    const restStartS = now;
    const startS = restStartS + restS;
    const endS = startS + run.lengthS;
    const guardEndS = endS + guardS + 1;
    now = guardEndS;
    return { ...run, restStartS, startS, endS, guardEndS };
  });
  return { windows, endS: now + restS };
}

function samplesOf(
  windows: readonly (SimulatedRun & { startS: number; endS: number })[],
  untilS: number,
  meters: readonly MeterInfo[],
  seenAs: (power: MeanPower) => MeanPower = (power) => power,
  readings = 1,
): Map<string, Sample[]> {
  const loads = windows.flatMap(({ startS, endS, loadW, phases = [] }) => {
    let now = startS;
    const parts = phases.map((part) => {
      const from = now;
      now += part.lengthS;
      return { startS: from, endS: now, loadW: part.loadW };
    });
    return [...parts, { startS: now, endS, loadW }];
  });
  const power: MeanPower = (fromS, toS) => {
    const above = loads.map((w) => (w.loadW - IDLE_W) * Math.max(0, Math.min(toS, w.endS) - Math.max(fromS, w.startS)));
    return IDLE_W + above.reduce((sum, joules) => sum + joules, 0) / (toS - fromS);
  };
  const { tNs, powerW } = sentReadings(seenAs(power), untilS, { periodS: 1 / readings, latencyS: 0.3, phaseS: 0.4 });
  const samples = Array.from({ length: Math.floor(tNs.length / readings) }, (_, i) => {
    const end = (i + 1) * readings;
    const own = Array.from(powerW.subarray(i * readings, end), (watts) => [1e9 / readings, watts] as const);
    const meanW = own.reduce((sum, [, watts]) => sum + watts, 0) / readings;
    const sample = { tNs: at((tNs[end - 1] as number) / 1e9), powerW: meanW, durationS: 1 };
    return readings === 1 ? sample : { ...sample, readings: own };
  });
  return new Map(meters.flatMap((meter) => meter.channels.map(({ channel }) => [channel, samples] as const)));
}

function takeUntil(samples: ReadonlyMap<string, readonly Sample[]>, fromS: number, toS: number): Map<string, Sample[]> {
  const part = (list: readonly Sample[]): Sample[] => list.filter(({ tNs }) => tNs > at(fromS) && tNs <= at(toS));
  return new Map([...samples].map(([channel, list]) => [channel, part(list)]));
}
