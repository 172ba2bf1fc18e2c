import { comparisons } from '../../../src/analysis/assemble.ts';
import { machineStatistics } from '../../../src/analysis/checks/checked-runs.ts';
import { variantFindings } from '../../../src/analysis/describe.ts';
import type { Analysis, RunResult } from '../../../src/analysis/results.ts';
import { type SyntheticVariant, syntheticAnalysis } from './analysis.ts';
import { gaussian } from './random.ts';

/** An experiment as a bench gives it: durations that vary, random order in the blocks, drift, outliers, failures, channels, phases, resources. */

export interface RichOptions {
  readonly name?: string;
  readonly variants?: readonly SyntheticVariant[];
  readonly blocks?: number;
  readonly noiseFloorPercent?: number;
  readonly source?: 'measured' | 'modelled' | 'emulated';
}

const VARIANTS: readonly SyntheticVariant[] = [
  { name: 'native', meanJ: 250, sdJ: 1.8, durationS: 12 },
  { name: 'debian', meanJ: 257.5, sdJ: 2.2, durationS: 12.15 },
  { name: 'alpine', meanJ: 268, sdJ: 3.1, durationS: 12.9 },
];

/** Part of the wall's energy that each channel sees. */
const CHANNELS = [
  ['wall', 1],
  ['package', 0.62],
  ['dram', 0.08],
] as const;

const PHASES = [
  ['read', 0, 0.15],
  ['sort', 0.15, 0.8],
  ['write', 0.8, 1],
] as const;

export function richAnalysis(options: RichOptions = {}): Analysis {
  const variants = options.variants ?? VARIANTS;
  const blocks = options.blocks ?? 30;
  const plainOne = syntheticAnalysis({
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.source === undefined ? {} : { source: options.source }),
    variants,
    runs: blocks,
  });
  const runs = richRuns(variants, blocks);
  const baseline = variants[0]!.name;
  const floor = options.noiseFloorPercent;
  return {
    ...plainOne,
    runs,
    findings: {
      ...plainOne.findings,
      meter: { ...plainOne.findings.meter, channels: CHANNELS.map(([name]) => name) },
      quality: {
        checks: [],
        machine: machineStatistics(runs, 'wall', baseline),
        noise_floor_percent: floor ?? null,
        noise_floor:
          floor === undefined
            ? null
            : { percent: floor, ci95: [-floor, 0.6 * floor], blocks: 30, source: 'stored', measured_at: '2026-11-02' },
      },
      variants: plainOne.findings.variants.map(({ name, kind, facts }) =>
        variantFindings(
          { name, kind, facts },
          runs.filter(({ channel }) => channel === 'wall'),
        ),
      ),
      comparisons: comparisons(runs, {
        baseline,
        variants: variants.map(({ name }) => name),
        channels: CHANNELS.map(([channel]) => channel),
        marginPercent: 1,
        seed: 1,
      }),
    },
  };
}

function richRuns(variants: readonly SyntheticVariant[], blocks: number): RunResult[] {
  const random = gaussian(11);
  const runs: RunResult[] = [];
  let number = 0;
  for (let block = 1; block <= blocks; block++) {
    const order = variants.map((v) => [random(), v] as const).sort((a, b) => a[0] - b[0]);
    for (const [position, [, v]] of order.entries()) {
      number++;
      const slow = 1 + 0.006 * random();
      const outlier = number % 41 === 17 ? 1.035 : 1;
      const durationS = (v.durationS ?? 12) * slow * outlier;
      const drift = 1 - (0.006 * block) / blocks;
      const energyJ = ((v.meanJ ?? 250) + 0.6 * (v.sdJ ?? 2) * random()) * slow * outlier * drift;
      const status = number % 29 === 5 ? 'failed' : number % 53 === 7 ? 'invalid' : 'ok';
      for (const [channel, part] of CHANNELS) {
        runs.push(
          richRun({
            number,
            block,
            position: position + 1,
            v,
            durationS,
            status,
            channel,
            energyJ: energyJ * part,
            random,
          }),
        );
      }
    }
  }
  return runs;
}

function richRun(given: {
  number: number;
  block: number;
  position: number;
  v: SyntheticVariant;
  durationS: number;
  status: 'ok' | 'failed' | 'invalid';
  channel: string;
  energyJ: number;
  random: () => number;
}): RunResult {
  const { durationS, status, random } = given;
  const energyJ =
    status === 'failed' ? null : given.energyJ * (1 + (given.channel === 'dram' ? 0.25 : 0.001) * random());
  const startNs = 1_000_000_000_000n + BigInt(given.number) * 40_000_000_000n;
  return {
    run: given.number,
    block: given.block,
    position: given.position,
    variant: given.v.name,
    revision: null,
    status,
    reason: status === 'ok' ? null : { kind: 'recorded', text: 'exit code 1' },
    startNs,
    endNs: startNs + BigInt(Math.round(durationS * 1e9)),
    durationS,
    energyJ,
    netEnergyJ: energyJ === null ? null : energyJ - 8 * durationS,
    meanPowerW: energyJ === null ? null : energyJ / durationS,
    idlePowerW: 8,
    uncertaintyJ: null,
    netUncertaintyJ: null,
    uncertainty: null,
    machine: null,
    channel: given.channel,
    samples: Math.ceil(durationS),
    resources: {
      cpuS: durationS * 3.1 * (1 + 0.01 * random()),
      peakMemoryBytes: 3.2e8 * (1 + 0.002 * random()),
      readBytes: 5.1e7,
      writtenBytes: given.v.name === 'native' ? 0 : 2.6e6 * (1 + 0.02 * random()),
    },
    ...(given.channel !== 'wall' || energyJ === null
      ? {}
      : {
          phases: PHASES.map(([phase, from, to]) => ({
            phase,
            startS: from * durationS,
            endS: to * durationS,
            energyJ: energyJ * (to - from) * (1 + 0.01 * random()),
            uncertaintyJ: null,
            short: phase === 'read',
          })),
        }),
  };
}
