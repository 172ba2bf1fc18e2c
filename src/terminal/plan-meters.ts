import { readFileSync } from 'node:fs';
import { ASSUMED_MACHINE, type ForeseenRuns, smallestVisible } from '../analysis/smallest-visible.ts';
import type { UncertainChannel } from '../analysis/uncertainty.ts';
import type { MeterInfo } from '../contracts/reading.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { readFindings } from '../findings/read-findings.ts';
import type { MeterSheet } from '../meters/meter.ts';
import { meterTypes, validateMeterNames } from '../meters/registry.ts';
import { USUAL_LENGTHS_S } from '../report/meters-page.ts';
import { shortestRunS, smallestVisibleCell } from '../report/words/smallest-visible.ts';
import { resultPath } from '../system/result-files.ts';
import { short } from '../text/numbers.ts';
import { visible } from '../text/plain.ts';

interface Row {
  readonly name: string;
  readonly channel: UncertainChannel;
  readonly modelled: boolean;
  /** Guard that this type of meter needs, if the experiment's own is shorter. */
  readonly minimumGuardS: number;
}

/**
 * The smallest change that each meter could show in this experiment: for `infos`, the meters that answered; else for the named meters, from
 * their types; with `all`, for every type. `outDir` may have an earlier result, with the duration and power of a run.
 */
export function plannedMeters(
  experiment: Experiment,
  outDir: string,
  { infos, all }: { readonly infos: readonly MeterInfo[]; readonly all: boolean },
): string {
  const found = all ? allTypes() : infos.length > 0 ? opened(infos) : named(experiment);
  const rows = found.filter(({ modelled }) => !modelled);
  if (rows.length === 0)
    return found
      .flatMap((row) => notes(row, 0))
      .map((line) => `${line}\n`)
      .join('');
  const earlier = earlierRun(experiment, outDir);
  const machine = earlier ?? ASSUMED_MACHINE;
  const lengths: readonly number[] = earlier ? [earlier.lengthS] : USUAL_LENGTHS_S;
  const runsOf = (lengthS: number, { minimumGuardS }: Row): ForeseenRuns => {
    const guardS = Math.max(experiment.guardS, minimumGuardS);
    const { repetitions: blocks, restS, comparisons, variants, suite } = experiment;
    const shown = variants.filter(({ hidden }) => !hidden).length;
    const family = suite === undefined ? (comparisons?.length ?? shown - 1) : 1;
    return { ...ASSUMED_MACHINE, ...machine, blocks, family, lengthS, guardS, restS: Math.max(restS, guardS) };
  };
  const cells = rows.map((row) => [
    visible(row.name),
    ...lengths.map((lengthS) => smallestVisibleCell(smallestVisible(row.channel, runsOf(lengthS, row)))),
  ]);
  const head = ['runs of', ...lengths.map((lengthS) => `${short(lengthS, 3)} s`)];
  const { idleW, powerW } = machine;
  return [
    `The smallest change that ${rows.length === 1 ? 'the meter' : 'each meter'} could show: 80 of 100 such experiments of ${experiment.repetitions} blocks would find it.`,
    ...aligned([head, ...cells]),
    `${earlier?.isMeasured ? 'From the earlier result in this folder' : 'Assumed'}: a machine that idles at ${short(idleW, 3)} W and draws ${short(powerW, 3)} W while it works, ± ${ASSUMED_MACHINE.fluctuationW} W from second to second. What the workload varies from run to run comes on top.`,
    ...(all ? [] : rows.flatMap((row) => notes(row, Math.min(...lengths)))),
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

const rowOf = (name: string, { accuracy, minimumGuardS, modelled }: Limits, channel: UncertainChannelInfo): Row => ({
  name,
  modelled: modelled === true,
  minimumGuardS,
  channel: { ...channel, meter: { accuracy } },
});
type Limits = Pick<MeterSheet, 'accuracy' | 'minimumGuardS' | 'modelled'>;
type UncertainChannelInfo = Omit<UncertainChannel, 'meter'>;

const allTypes = (): Row[] => meterTypes.map(({ type, sheet }) => rowOf(type, sheet, sheet.channel));

function named({ meters }: Experiment): Row[] {
  return validateMeterNames(meters).flatMap(({ type }) => {
    const sheet = sheetOf(type);
    return sheet === undefined ? [] : [rowOf(type, sheet, sheet.channel)];
  });
}

/** First channel of the primary meter, as opened or by its type; null: unknown. */
export function plannedChannel(experiment: Experiment, infos: readonly MeterInfo[]): UncertainChannel | null {
  return (infos.length > 0 ? opened(infos) : named(experiment))[0]?.channel ?? null;
}

/** The first channel of each meter; its other channels are parts of it, or similar. */
function opened(infos: readonly MeterInfo[]): Row[] {
  return infos.flatMap((info) =>
    info.channels
      .slice(0, 1)
      .map((channel) =>
        rowOf(info.type, { ...info, ...(info.source === 'modelled' && { modelled: true as const }) }, channel),
      ),
  );
}

const sheetOf = (type: string) => meterTypes.find((one) => one.type === type)?.sheet;

/** What the channel can't measure, and whether it is too slow for such short runs. */
function notes({ name, channel, modelled }: Row, lengthS: number): string[] {
  const shortestS = modelled ? 0 : shortestRunS(channel);
  const blind = sheetOf(name)?.blind;
  return [
    ...(blind === undefined ? [] : [`${name} can’t see ${blind}.`]),
    ...(lengthS < shortestS ? [`${name} is too slow for runs shorter than ${short(shortestS, 3)} s.`] : []),
  ];
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(
    (row) =>
      `  ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')}`,
  );
}

interface EarlierRun extends Pick<ForeseenRuns, 'lengthS' | 'powerW' | 'idleW'> {
  readonly executions: number;
  /** Whether a meter measured the powers; false: they are those of an assumed machine. */
  readonly isMeasured: boolean;
}

/** The median run of the baseline in an earlier result of the same experiment; null where there is none that can be read. */
export function earlierRun({ name, baseline }: Experiment, outDir: string): EarlierRun | null {
  try {
    const findings = readFindings(readFileSync(resultPath(outDir, 'findings')));
    const found = findings.variants.find((variant) => variant.name === baseline);
    const lengthS = found?.duration_s?.median;
    const powerW = found?.mean_power_w?.median;
    if (findings.experiment.name !== name || !lengthS || !powerW) return null;
    const netJ = found?.net_energy_j?.median ?? null;
    const idleW = netJ === null ? 0 : Math.max(0, powerW - netJ / lengthS);
    const isMeasured = findings.meter.source === 'measured';
    const powers = isMeasured ? { powerW, idleW } : ASSUMED_MACHINE;
    return { ...powers, lengthS, executions: found.executions_per_run ?? 1, isMeasured };
  } catch {
    return null;
  }
}
