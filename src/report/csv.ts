import { stringify } from 'csv-stringify/sync';
import type { RunResult } from '../analysis/results.ts';
import type { RawReading } from '../contracts/reading.ts';
import { EMULATED, emulatedVariants } from '../findings/emulated.ts';
import type { Findings } from '../findings/findings.ts';
import { ClientCounter, ServiceCounter } from '../findings/resources.ts';
import type { StoreReader } from '../store/records.ts';
import { runReasonText } from './words/run-reason.ts';

export type Field = string | number | bigint | boolean | null | undefined;

/**
 * Lines as RFC 4180 quotes them but with line feeds alone, which every reader takes. Numbers are written in full and in the C locale; what is
 * undefined is empty. A text holds nothing that a terminal would obey, and one that a spreadsheet would take for a formula gets an apostrophe
 * (OWASP, "CSV injection"): names of variants hardly begin so; an attack does.
 */
export function csvText(rows: readonly (readonly Field[])[]): string {
  return stringify([...rows], {
    escape_formulas: true,
    cast: { number: (value) => (Number.isFinite(value) ? String(value) : ''), boolean: String, string: unobeyed },
  });
}

/** Whatever a terminal obeys, beside tabs and line ends. */
const unobeyed = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '\ufffd');

type Columns<T> = Readonly<Record<string, (row: T) => Field>>;

function table<T>(columns: Columns<T>, rows: readonly T[]): string {
  const fields = Object.values(columns);
  return csvText([Object.keys(columns), ...rows.map((row) => fields.map((field) => field(row)))]);
}

/**
 * Contract: adding at the end is free, anything else breaks somebody's script. `rest_s` is told where rests end by themselves.
 * `governor`, `temperature_c` and `load` (busy processors) are of just before the window, all else of it;
 * `energy_u_j` and `net_energy_u_j` are expanded uncertainties (k = 2); `executions` of the command fill one window.
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
 * runs.csv: one line a run and channel, with a column for each metric of the experiment at its end, and for what its services used, and a client
 * on a machine of its own. Where processors were emulated, the last column says in which runs.
 */
export function runsCsv(runs: readonly RunResult[], findings?: Pick<Findings, 'variants' | 'quality'>): string {
  const metrics = new Set(findings?.variants.flatMap((variant) => (variant.metrics ?? []).map(({ name }) => name)));
  const columns = [...metrics].map((name) => [`metric_${name}`, ({ metrics: of }: RunResult) => of?.[name]] as const);
  const beside = [...ServiceCounter.options, ...ClientCounter.options];
  const used = beside.filter((counter) => runs.some((run) => amountOf(run, counter) !== undefined));
  const services = used.map((counter) => [counter, (run: RunResult) => amountOf(run, counter)] as const);
  const emulated = findings === undefined ? [] : emulatedVariants(findings);
  const isEmulated = ({ variant }: RunResult): boolean => emulated.includes(variant);
  const guests = emulated.length === 0 ? [] : [[EMULATED, isEmulated] as const];
  return table({ ...RUN_COLUMNS, ...Object.fromEntries([...columns, ...services, ...guests]) }, runs);
}

interface PhaseOfRun {
  readonly run: RunResult;
  readonly phase: NonNullable<RunResult['phases']>[number];
}

/** Seconds after the start of the run's window. `energy_u_j`: expanded uncertainty (k = 2), of the phase's edges. */
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

/** phases.csv: one line for every time that a run was in a phase; null: no run told a phase. */
export function phasesCsv(runs: readonly RunResult[]): string | null {
  const phases = runs.flatMap((run) => (run.phases ?? []).map((phase) => ({ run, phase })));
  return phases.length === 0 ? null : table(PHASE_COLUMNS, phases);
}

const CHUNK = 4096;

export const SAMPLE_COLUMNS = ['session', 'channel', 't_ns', 'power_w', 'duration_s'];

/**
 * samples.csv: every reading of every session and channel as the meter gave it, in pieces of text, so that no length of experiment has to fit
 * in memory. `t_ns` is CLOCK_MONOTONIC, to the nanosecond. Readings of which the analysis takes the mean are there by themselves.
 */
export function* samplesCsv(reader: StoreReader): Generator<string> {
  yield csvText([SAMPLE_COLUMNS]);
  for (const rows of sampleRows(reader)) yield csvText(rows);
}

/** The same as rows, some thousand at a time. */
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

/** The last of them arrived at `endNs`, and each where the next one's stretch begins. */
function eachReading(raw: readonly RawReading[], endNs: bigint): [tNs: bigint, powerW: number, durationS: number][] {
  let left = BigInt(raw.reduce((sum, [durationNs]) => sum + durationNs, 0));
  return raw.map(([durationNs, powerW]) => {
    left -= BigInt(durationNs);
    return [endNs - left, powerW, durationNs / 1e9];
  });
}
