import type { RunResult } from '../analysis/results.ts';
import type { StoreReader } from '../store/records.ts';

/**
 * Columns of runs.csv. Contract: adding at the end is free, anything else breaks somebody's script.
 * `governor`, `temperature_c` and `load` (busy processors) are of just before the window, all else of it;
 * `energy_u_j` and `net_energy_u_j` are expanded uncertainties (k = 2); `executions` of the command fill one window.
 */
export const RUN_COLUMNS =
  'run,block,position,variant,revision,status,start_ns,end_ns,duration_s,energy_j,net_energy_j,mean_power_w,channel,idle_power_w,samples,reason,energy_u_j,net_energy_u_j,executions,governor,temperature_c,load,cpu_s,peak_memory_bytes,read_bytes,written_bytes';

export const SAMPLE_COLUMNS = 'session,channel,t_ns,power_w,duration_s';

/**
 * One line a run and channel, as RFC 4180 quotes it but with line feeds alone, which every reader takes. Numbers are
 * written in full and in the C locale; what is undefined is empty.
 */
export function runsCsv(runs: readonly RunResult[]): string {
  const lines = runs.map((r) =>
    [
      number(r.run),
      number(r.block),
      number(r.position),
      text(r.variant),
      text(r.revision),
      text(r.status),
      r.startNs === null ? '' : String(r.startNs),
      r.endNs === null ? '' : String(r.endNs),
      number(r.durationS),
      number(r.energyJ),
      number(r.netEnergyJ),
      number(r.meanPowerW),
      text(r.channel),
      number(r.idlePowerW),
      number(r.samples),
      text(r.reason),
      number(r.uncertaintyJ ?? null),
      number(r.netUncertaintyJ ?? null),
      number(r.executions ?? 1),
      text(r.machine?.governor ?? null),
      number(r.machine?.temperatureC ?? null),
      number(r.machine?.load ?? null),
      number(r.resources?.cpuS ?? null),
      number(r.resources?.peakMemoryBytes ?? null),
      number(r.resources?.readBytes ?? null),
      number(r.resources?.writtenBytes ?? null),
    ].join(','),
  );
  return `${[RUN_COLUMNS, ...lines].join('\n')}\n`;
}

/** `energy_u_j`: expanded uncertainty (k = 2), of the phase's edges. */
export const PHASE_COLUMNS =
  'run,block,variant,status,channel,phase,start_s,end_s,duration_s,energy_j,energy_u_j,short';

/** One line for every time that a run was in a phase, seconds after the start of its window; null: no run told a phase. */
export function phasesCsv(runs: readonly RunResult[]): string | null {
  const lines = runs.flatMap((r) =>
    (r.phases ?? []).map((p) =>
      [
        number(r.run),
        number(r.block),
        text(r.variant),
        text(r.status),
        text(r.channel),
        text(p.phase),
        number(p.startS),
        number(p.endS),
        number(p.endS - p.startS),
        number(p.energyJ),
        number(p.uncertaintyJ ?? null),
        String(p.short ?? false),
      ].join(','),
    ),
  );
  return lines.length === 0 ? null : `${[PHASE_COLUMNS, ...lines].join('\n')}\n`;
}

const CHUNK = 4096;

/**
 * Every sample of every session and channel, in pieces of text, so that no length of experiment has to fit in memory.
 * `t_ns` is CLOCK_MONOTONIC, to the nanosecond.
 */
export function* samplesCsv(reader: StoreReader): Generator<string> {
  yield `${SAMPLE_COLUMNS}\n`;
  const channels = reader.channels().map((c) => c.channel);
  for (const { session, originNs } of reader.sessions()) {
    for (const channel of channels) {
      const { tNs, powerW, durationS } = reader.samples(session, channel);
      const head = `${session},${text(channel)},`;
      let lines = '';
      for (let i = 0; i < tNs.length; i++) {
        lines += `${head}${originNs + BigInt(Math.round(tNs[i]!))},${number(powerW[i]!)},${number(durationS[i]!)}\n`;
        if (i % CHUNK === CHUNK - 1) {
          yield lines;
          lines = '';
        }
      }
      if (lines !== '') yield lines;
    }
  }
}

function number(value: number | null): string {
  return value === null || !Number.isFinite(value) ? '' : String(value);
}

/**
 * A spreadsheet takes a text that begins with one of = + - @ for a formula, quoted or not: an apostrophe before it
 * (OWASP, "CSV injection") makes it a text again. Names of variants hardly begin so; an attack does.
 */
function text(value: string | null): string {
  if (value === null) return '';
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}
