import type { Check, CheckOf } from '../findings/checks.ts';
import { ENOUGH_READINGS, MIN_READINGS } from '../schedule/batch.ts';
import type { ChannelRecord } from '../store/records.ts';
import type { RunResult } from './results.ts';

/** Maximum expanded uncertainty of a run's energy from a counter's two edges, as a share. */
const MAX_EDGE = 0.01;

/**
 * Whether the windows are long enough for each meter (method reference: minimum run length). `channels`: the first is primary, and only it
 * can fail the experiment: it decides. `batch`: what must not be advised.
 */
export function runLengths(
  runs: readonly RunResult[],
  channels: readonly ChannelRecord[],
  batch: 'refused' | 'auto' | null = null,
): Check[] {
  return channels.flatMap((channel): Check[] => {
    const lengths = runs
      .filter((run) => run.status === 'ok' && run.channel === channel.channel)
      .map((r) => r.durationS)
      .filter((durationS) => durationS !== null);
    if (lengths.length === 0) return channel.primary ? [NO_RUN] : [];
    const shortest = Math.min(...lengths);
    const found = channel.integration === 'counter' ? ofCounter(shortest, channel) : ofReadings(shortest, channel);
    // Other channels than the primary one are reported only for problems.
    if (!channel.primary && found.state === 'ok') return [];
    return [batch === null ? found : { ...found, facts: { ...found.facts, batch } }];
  });
}

type RunLength = CheckOf<'run length'>;

const UNKNOWN: RunLength['facts'] = {
  channel: null,
  shortest_s: null,
  enough_s: null,
  readings: null,
  edge_s: null,
  uncertain_percent: null,
};
const NO_RUN: RunLength = { name: 'run length', state: 'warn', reason: 'no-energy', facts: UNKNOWN };

function ofReadings(shortestS: number, { channel, samplingPeriodS, primary }: ChannelRecord): RunLength {
  const readings = Math.floor(shortestS / samplingPeriodS);
  const enoughS = ENOUGH_READINGS * samplingPeriodS;
  const facts = { ...UNKNOWN, channel: primary ? null : channel, shortest_s: shortestS, enough_s: enoughS, readings };
  if (readings >= ENOUGH_READINGS) return { name: 'run length', state: 'ok', reason: 'long-enough', facts };
  const state = primary && readings < MIN_READINGS ? 'fail' : 'warn';
  return { name: 'run length', state, reason: 'few-readings', facts };
}

/** Check of a counter, which is read at the window's edges but shows slightly older values. */
function ofCounter(shortestS: number, { channel, edgeS, primary }: ChannelRecord): RunLength {
  const edge = edgeS ?? 0;
  const enoughS = (2 * edge) / Math.sqrt(6) / MAX_EDGE;
  const facts = {
    ...UNKNOWN,
    channel: primary ? null : channel,
    shortest_s: shortestS,
    enough_s: enoughS,
    edge_s: edge,
    uncertain_percent: (enoughS / shortestS) * MAX_EDGE * 100,
  };
  return shortestS >= enoughS
    ? { name: 'run length', state: 'ok', reason: 'long-enough', facts }
    : { name: 'run length', state: 'warn', reason: 'edges-uncertain', facts };
}
