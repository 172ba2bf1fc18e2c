import { inTrueWatts } from '../../../../analysis/calibrated.ts';
import type { Analysis } from '../../../../analysis/results.ts';
import { OTHER_SOURCES } from '../../../../report/words/provenance.ts';
import { sampleTimes } from '../../../../sampling/sample-clock.ts';
import type { StoreReader } from '../../../../store/reader.ts';
import type { ChannelRecord } from '../../../../store/records.ts';
import { plain, visible } from '../../../../text/plain.ts';

/** The part of an analysis that profiles show. */
export type Experiment = Pick<Analysis, 'findings' | 'runs'>;

/** A run or a phase. Milliseconds after the start of the first session, to the microsecond, like all times here. */
interface Stretch {
  readonly kind: 'Run' | 'Phase';
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly details: Readonly<Record<string, string | number>>;
}

/** Mean power of a channel between two moments. */
interface Reading {
  readonly fromMs: number;
  readonly toMs: number;
  readonly watts: number;
}

const micros = (ms: number): number => Math.round(ms * 1000) / 1000;

/** Common time axis of a profile. */
export interface Clock {
  /** Milliseconds of each session's origin after that of the first. */
  readonly origins: ReadonlyMap<number, number>;
  /** The last reading of the first channel. */
  readonly endMs: number;
}

/** Common time axis of all sessions. Times within a session are monotonic; sessions are spaced by their wall clocks and never overlap. */
export function buildClock(reader: StoreReader): Clock {
  const channel = reader.channels()[0]?.channel ?? '';
  const sessions = reader.sessions();
  const startMs = Date.parse(sessions[0]?.startedAt ?? '');
  const origins = new Map<number, number>();
  let endMs = 0;
  for (const { session, startedAt } of sessions) {
    const origin = Math.max(endMs, Date.parse(startedAt) - startMs);
    origins.set(session, origin);
    endMs = micros(origin + (reader.samples(session, channel).tNs.at(-1) ?? 0) / 1e6);
  }
  return { origins, endMs };
}

/** What the readings of a channel stand for, in order: a reading begins where the one before ends, unless one is missing between them. */
export function* readingsOf(reader: StoreReader, channel: ChannelRecord, { origins }: Clock): Generator<Reading> {
  let end = Number.NEGATIVE_INFINITY;
  for (const [session, origin] of origins) {
    const { tNs, powerW, durationS } = inTrueWatts(reader.samples(session, channel.channel), channel.calibration);
    const { missingBefore } = sampleTimes(channel.clock, tNs, channel.samplingPeriodS);
    for (let i = 0; i < tNs.length; i++) {
      const toMs = micros(origin + (tNs[i] as number) / 1e6);
      const isFirst = i === 0 || missingBefore[i] === 1;
      const fromMs = isFirst ? Math.max(end, micros(toMs - 1000 * (durationS[i] as number))) : end;
      // Readings less than a microsecond apart are left out.
      if (toMs <= fromMs) continue;
      yield { fromMs, toMs, watts: powerW[i] as number };
      end = toMs;
    }
  }
}

/** Windows of all runs, and the phases in them. */
export function stretchesOf(reader: StoreReader, { findings, runs }: Experiment, { origins }: Clock): Stretch[] {
  const [primary] = findings.meter.channels;
  const sessions = new Map(reader.sessions().map(({ session, originNs }) => [session, originNs]));
  const records = new Map(reader.runs().map((record) => [record.run, record]));
  return runs.flatMap((result): Stretch[] => {
    const record = records.get(result.run);
    if (result.channel !== primary || record === undefined) return [];
    const ms = (ns: bigint): number =>
      (origins.get(record.session) ?? 0) + Number(ns - (sessions.get(record.session) ?? 0n)) / 1e6;
    const startMs = ms(record.startNs);
    const status = result.status === 'ok' ? '' : ` (${result.status})`;
    const name = `${plain(result.variant, 100)}${status}`;
    const details = {
      run: result.run,
      block: result.block ?? 0,
      status: result.status,
      ...(result.energyJ !== null && { energy_j: result.energyJ }),
    };
    const run = { kind: 'Run' as const, name, fromMs: micros(startMs), toMs: micros(ms(record.endNs)), details };
    const phases = (result.phases ?? []).map(({ phase, startS, endS, energyJ }) => ({
      kind: 'Phase' as const,
      name: plain(phase, 100),
      fromMs: micros(startMs + 1000 * startS),
      toMs: micros(startMs + 1000 * endS),
      details: { run: result.run, ...(energyJ !== null && { energy_j: energyJ }) },
    }));
    return [run, ...phases];
  });
}

export const titleOf = ({ findings }: Experiment): string => visible(`joulediff: ${findings.experiment.name}`);

/** Name of a channel, with the source of its numbers where they are not measured. */
export const channelName = ({ channel, meter: { source } }: ChannelRecord): string =>
  `${plain(channel, 100)}${source === 'measured' ? '' : ` (${OTHER_SOURCES[source]})`}`;
