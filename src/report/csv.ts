import { stringify } from 'csv-stringify/sync';
import type { RunResult } from '../analysis/results.ts';
import type { RawReading } from '../contracts/reading.ts';
import { channelSource, EMULATED, emulatedVariants } from '../findings/emulated.ts';
import type { Findings } from '../findings/findings.ts';
import { ClientCounter, ServiceCounter } from '../findings/resources.ts';
import type { StoreReader } from '../store/reader.ts';
import { runReasonText } from './words/run-reason.ts';

export type Field = string | number | bigint | boolean | null | undefined;

/**
 * CSV lines quoted as in RFC 4180, but with line feeds only. Numbers have all digits in the C locale; undefined values
 * are empty. Control sequences are removed from texts, and texts that a spreadsheet would take for a formula get an apostrophe
 * (OWASP, "CSV injection"): names of variants rarely begin so; an attack does.
 */
export function csvText(rows: readonly (readonly Field[])[]): string {
  return stringify([...rows], {
    escape_formulas: true,
    cast: { number: (value) => (Number.isFinite(value) ? String(value) : ''), boolean: String, string: unobeyed },
  });
}

/** Removes characters that a terminal obeys, except tabs and line ends. */
const unobeyed = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '\ufffd');

type Columns<T> = Readonly<Record<string, (row: T) => Field>>;

function table<T>(columns: Columns<T>, rows: readonly T[]): string {
  const fields = Object.values(columns);
  return csvText([Object.keys(columns), ...rows.map((row) => fields.map((field) => field(row)))]);
}

/**
 * Contract: columns may only be added at the end, since scripts read them. `rest_s` is filled if rests end by themselves.
 * `governor`, `temperature_c` and `load` (busy processors) are measured just before the window, all others in it;
 * `energy_u_j` and `net_energy_u_j` are expanded uncertainties (k = 2); `executions` is the number of executions in a window.
 */
export const RUN_COLUMNS: Columns<RunResult> = {
  run: ({ run }) => run,
  block: ({ block }) => block,
  position: ({ position }) => position,
  variant: ({ variant }) => variant,
  revision: ({ revision }) => revision,
  status: ({ status }) => status,
  start_ns: ({ startNs }) => startNs,
  end_ns: ({ endNs }) => endNs,
  duration_s: ({ durationS }) => durationS,
  energy_j: ({ energyJ }) => energyJ,
  net_energy_j: ({ netEnergyJ }) => netEnergyJ,
  mean_power_w: ({ meanPowerW }) => meanPowerW,
  channel: ({ channel }) => channel,
  idle_power_w: ({ idlePowerW }) => idlePowerW,
  samples: ({ samples }) => samples,
  reason: ({ reason }) => reason && runReasonText(reason),
  energy_u_j: ({ uncertaintyJ }) => uncertaintyJ,
  net_energy_u_j: ({ netUncertaintyJ }) => netUncertaintyJ,
  executions: ({ executions }) => executions ?? 1,
  governor: ({ machine }) => machine?.governor,
  temperature_c: ({ machine }) => machine?.temperatureC,
  load: ({ machine }) => machine?.load,
  cpu_s: ({ resources }) => resources?.cpuS,
  peak_memory_bytes: ({ resources }) => resources?.peakMemoryBytes,
  read_bytes: ({ resources }) => resources?.readBytes,
  written_bytes: ({ resources }) => resources?.writtenBytes,
  rest_s: ({ rest }) => rest?.s,
};

const amountOf = ({ counters }: RunResult, wanted: ServiceCounter | ClientCounter): number | null | undefined =>
  counters?.find(({ counter }) => counter === wanted)?.value;

/**
 * runs.csv: one line per run and channel, followed by columns for each metric of the experiment, the services' resources, a client
 * on a third machine, and the source of the energies (measured, modelled, emulated). With emulated processors, a last column marks those runs.
 */
export function runsCsv(
  runs: readonly RunResult[],
  findings?: Pick<Findings, 'variants' | 'quality' | 'meter'>,
): string {
  const metrics = new Set(findings?.variants.flatMap((variant) => (variant.metrics ?? []).map(({ name }) => name)));
  const columns = [...metrics].map((name) => [`metric_${name}`, ({ metrics: of }: RunResult) => of?.[name]] as const);
  const beside = [...ServiceCounter.options, ...ClientCounter.options];
  const used = beside.filter((counter) => runs.some((run) => amountOf(run, counter) !== undefined));
  const services = used.map((counter) => [counter, (run: RunResult) => amountOf(run, counter)] as const);
  const emulated = findings === undefined ? [] : emulatedVariants(findings);
  const isEmulated = ({ variant }: RunResult): boolean => emulated.includes(variant);
  const guests = emulated.length === 0 ? [] : [[EMULATED, isEmulated] as const];
  const source = findings === undefined ? [] : [['source', sourceIn(findings)] as const];
  return table({ ...RUN_COLUMNS, ...Object.fromEntries([...columns, ...services, ...source, ...guests]) }, runs);
}

const sourceIn =
  ({ meter }: Pick<Findings, 'meter'>) =>
  ({ channel }: RunResult): string =>
    channelSource(meter, channel);

interface PhaseOfRun {
  readonly run: RunResult;
  readonly phase: NonNullable<RunResult['phases']>[number];
}

/** Times are seconds after the start of the run's window. `energy_u_j`: expanded uncertainty (k = 2), of the phase's edges. */
const PHASE_COLUMNS: Columns<PhaseOfRun> = {
  run: ({ run }) => run.run,
  block: ({ run }) => run.block,
  variant: ({ run }) => run.variant,
  status: ({ run }) => run.status,
  channel: ({ run }) => run.channel,
  phase: ({ phase }) => phase.phase,
  start_s: ({ phase }) => phase.startS,
  end_s: ({ phase }) => phase.endS,
  duration_s: ({ phase }) => phase.endS - phase.startS,
  energy_j: ({ phase }) => phase.energyJ,
  energy_u_j: ({ phase }) => phase.uncertaintyJ,
  short: ({ phase }) => phase.short ?? false,
};

/** phases.csv: one line for each stretch of a phase in a run, with the source of its energy; null: no run has phases. */
export function phasesCsv(runs: readonly RunResult[], findings: Pick<Findings, 'meter'>): string | null {
  const phases = runs.flatMap((run) => (run.phases ?? []).map((phase) => ({ run, phase })));
  const source = ({ run }: PhaseOfRun) => sourceIn(findings)(run);
  return phases.length === 0 ? null : table({ ...PHASE_COLUMNS, source }, phases);
}

const CHUNK = 4096;

export const SAMPLE_COLUMNS = ['session', 'channel', 't_ns', 'power_w', 'duration_s'];

/**
 * samples.csv: every reading of every session and channel as the meter gave it, with its source, in pieces of text, so that memory does not limit
 * the experiment's length. `t_ns` is CLOCK_MONOTONIC. If the analysis uses means of readings, the individual readings are listed.
 */
export function* samplesCsv(reader: StoreReader): Generator<string> {
  yield csvText([[...SAMPLE_COLUMNS, 'source']]);
  const sources = new Map<Field, string>(reader.channels().map(({ channel, meter }) => [channel, meter.source]));
  for (const rows of sampleRows(reader)) yield csvText(rows.map((row) => [...row, sources.get(row[1])]));
}

/** Rows of samples.csv, some thousand at a time. */
export function* sampleRows(reader: StoreReader): Generator<Field[][]> {
  const channels = reader.channels().map((c) => c.channel);
  for (const { session, originNs } of reader.sessions()) {
    for (const channel of channels) {
      const { tNs, powerW, durationS, readings } = reader.samples(session, channel, { readings: true });
      for (let from = 0; from < tNs.length; from += CHUNK) {
        yield Array.from(tNs.subarray(from, from + CHUNK)).flatMap((t, i) => {
          const endNs = originNs + BigInt(Math.round(t));
          const raw = readings?.get(from + i);
          if (raw === undefined) return [[session, channel, endNs, powerW[from + i], durationS[from + i]]];
          return eachReading(raw, endNs).map(([tNs, watts, seconds]) => [session, channel, tNs, watts, seconds]);
        });
      }
    }
  }
}

/** Individual readings with their arrival times: the last arrived at `endNs`, each other at the start of the next one's period. */
function eachReading(raw: readonly RawReading[], endNs: bigint): [tNs: bigint, powerW: number, durationS: number][] {
  let left = BigInt(raw.reduce((sum, [durationNs]) => sum + durationNs, 0));
  return raw.map(([durationNs, powerW]) => {
    left -= BigInt(durationNs);
    return [endNs - left, powerW, durationNs / 1e9];
  });
}
