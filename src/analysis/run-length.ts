import type { Check } from '../findings/checks.ts';
import { ENOUGH_READINGS, LEAST_READINGS } from '../schedule/batch.ts';
import type { ChannelRecord } from '../store/records.ts';
import { significant } from '../text/numbers.ts';
import type { RunResult } from './results.ts';

/** Expanded uncertainty of a counter's two edges that a run's energy may have. */
const MOST_EDGE = 0.005;

/**
 * Whether the windows are long enough for each meter (method reference: minimum run length). `channels`: the first is primary, and only it
 * can fail the experiment: it decides.
 */
export function runLengths(runs: readonly RunResult[], channels: readonly ChannelRecord[]): Check[] {
  return channels.flatMap((channel) => {
    const name = channel.primary ? 'run length' : `run length for ${channel.channel}`;
    const lengths = runs
      .filter((run) => run.status === 'ok' && run.channel === channel.channel)
      .map((r) => r.durationS);
    const known = lengths.filter((durationS) => durationS !== null);
    if (known.length === 0)
      return channel.primary ? [{ name, state: 'warn', detail: NO_RUN, advice: null } as const] : [];
    const shortest = Math.min(...known);
    const found = channel.integration === 'counter' ? ofCounter(shortest, channel) : ofReadings(shortest, channel);
    // Channels beside the primary one are told of where something is wrong with them.
    return channel.primary || found.state !== 'ok' ? [{ name, ...found }] : [];
  });
}

const NO_RUN = 'No run has an energy.';

function ofReadings(shortestS: number, { samplingPeriodS, primary }: ChannelRecord): Omit<Check, 'name'> {
  const readings = Math.floor(shortestS / samplingPeriodS);
  const detail = `The shortest window is ${seconds(shortestS)} long: ${readings} readings of the meter.`;
  if (readings >= ENOUGH_READINGS) return { state: 'ok', detail, advice: null };
  return {
    state: primary && readings < LEAST_READINGS ? 'fail' : 'warn',
    detail,
    advice: `${longer(ENOUGH_READINGS * samplingPeriodS)} ${LEAST_READINGS} readings are the least, ${ENOUGH_READINGS} are good.`,
  };
}

/** A counter is read at the window's very edges, but it shows what it counted a moment ago. */
function ofCounter(shortestS: number, { edgeS = 0 }: ChannelRecord): Omit<Check, 'name'> {
  const enoughS = (2 * edgeS) / Math.sqrt(6) / MOST_EDGE;
  const detail = `The shortest window is ${seconds(shortestS)} long.`;
  if (shortestS >= enoughS) return { state: 'ok', detail, advice: null };
  const percent = significant((100 * MOST_EDGE * enoughS) / shortestS, 2);
  return {
    state: 'warn',
    detail: `${detail} The counter is up to ${edgeS * 1000} ms behind, which leaves ${percent} % of such a run uncertain.`,
    advice: longer(enoughS),
  };
}

function longer(enoughS: number): string {
  const length = enoughS < 2 ? Math.ceil(enoughS * 10) / 10 : Math.ceil(enoughS);
  return `Let the workload run for ${length} s or more, or let one window hold several executions of it: \`batch: auto\` finds how many.`;
}

function seconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} s`;
}
