import { inTrueWatts } from '../../../../analysis/calibrated.ts';
import type { Analysis } from '../../../../analysis/results.ts';
import { OTHER_SOURCES } from '../../../../report/words/provenance.ts';
import { sampleTimes } from '../../../../sampling/sample-clock.ts';
import type { ChannelRecord, StoreReader } from '../../../../store/records.ts';
import { plain, visible } from '../../../../text/plain.ts';

type Experiment = Pick<Analysis, 'findings' | 'runs'>;

/** Power over the whole experiment for a viewer of profiles, each by its name, which is that of its file. A piece of text a channel. */
export const PROFILE_FORMATS = { 'firefox-profile': firefoxProfile, perfetto: perfettoTrace } as const;

export type ProfileFormat = keyof typeof PROFILE_FORMATS;

/** A run or a phase. Milliseconds after the start of the first session, to the microsecond, like all times here. */
interface Stretch {
  readonly kind: 'Run' | 'Phase';
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly details: Readonly<Record<string, string | number>>;
}

/** The mean power between two moments. */
interface Reading {
  readonly fromMs: number;
  readonly toMs: number;
  readonly watts: number;
}

const micros = (ms: number): number => Math.round(ms * 1000) / 1000;

interface Clock {
  readonly origins: ReadonlyMap<number, number>;
  readonly endMs: number;
}

/**
 * Milliseconds of each session's origin after that of the first, and the last reading. Times within a session are monotonic; sessions stand apart as
 * their wall clocks say, but never before the end of the session before.
 */
function clockOf(reader: StoreReader): Clock {
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
function* readingsOf(reader: StoreReader, channel: ChannelRecord, { origins }: Clock): Generator<Reading> {
  let end = Number.NEGATIVE_INFINITY;
  for (const [session, origin] of origins) {
    const { tNs, powerW, durationS } = inTrueWatts(reader.samples(session, channel.channel), channel.calibration);
    const { missingBefore } = sampleTimes(channel.clock, tNs, channel.samplingPeriodS);
    for (let i = 0; i < tNs.length; i++) {
      const toMs = micros(origin + (tNs[i] as number) / 1e6);
      const isFirst = i === 0 || missingBefore[i] === 1;
      const fromMs = isFirst ? Math.max(end, micros(toMs - 1000 * (durationS[i] as number))) : end;
      // Two readings within a microsecond show nothing.
      if (toMs <= fromMs) continue;
      yield { fromMs, toMs, watts: powerW[i] as number };
      end = toMs;
    }
  }
}

/** Windows of all runs, and the phases in them. */
function stretchesOf(reader: StoreReader, { findings, runs }: Experiment, { origins }: Clock): Stretch[] {
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

const titleOf = ({ findings }: Experiment): string => visible(`joulediff: ${findings.experiment.name}`);

/** Name of a channel, with the source of its numbers where they are not measured. */
const channelName = ({ channel, meter: { source } }: ChannelRecord): string =>
  `${plain(channel, 100)}${source === 'measured' ? '' : ` (${OTHER_SOURCES[source]})`}`;

/** Trace Event Format, as Perfetto and chrome://tracing read it: a counter keeps its value until the next, and is 0 where no reading is. */
function* perfettoTrace(reader: StoreReader, experiment: Experiment): Generator<string> {
  const clock = clockOf(reader);
  const threads = { Run: 1, Phase: 2 };
  const named = (what: string, tid: number, name: string) => ({ ph: 'M', name: what, pid: 1, tid, args: { name } });
  const events = [
    named('process_name', 0, titleOf(experiment)),
    ...Object.entries(threads).map(([kind, tid]) => named('thread_name', tid, `${kind}s`)),
    ...stretchesOf(reader, experiment, clock).map(({ kind, name, fromMs, toMs, details }) => {
      const ts = Math.round(1000 * fromMs);
      const dur = Math.round(1000 * toMs) - ts;
      return { ph: 'X', name, cat: kind, pid: 1, tid: threads[kind], ts, dur, args: details };
    }),
  ];
  yield `{"displayTimeUnit":"ms","traceEvents":[\n${events.map((event) => JSON.stringify(event)).join(',\n')}`;
  for (const channel of reader.channels()) {
    const powers: [ms: number, watts: number][] = [];
    let end = Number.NaN;
    for (const { fromMs, toMs, watts } of readingsOf(reader, channel, clock)) {
      if (fromMs > end) powers.push([end, 0]);
      powers.push([fromMs, watts]);
      end = toMs;
    }
    if (powers.length > 0) powers.push([end, 0]);
    const head = `,\n{"ph":"C","name":${JSON.stringify(channelName(channel))},"pid":1,"ts":`;
    yield powers.map(([ms, watts]) => `${head}${Math.round(1000 * ms)},"args":{"W":${watts}}}`).join('');
  }
  yield '\n]}\n';
}

/** Picowatt-hours in a watt for a millisecond: the unit of the Firefox Profiler's power tracks. */
const PWH_PER_W_MS = 1e12 / 3.6e6;

/** The last version of its processed format that derives from a counter's category how it is drawn: later ones upgrade it (docs-developer/CHANGELOG-formats.md there). */
const FIREFOX_VERSION = 61;

const table = (columns: string) => ({
  ...Object.fromEntries(columns.split(' ').map((column): [string, readonly []] => [column, []])),
  length: 0,
});

/** Tables of the functions of a profile, which has none. */
const NO_FUNCTIONS = {
  stackTable: table('frame prefix'),
  frameTable: table('address inlineDepth category subcategory func nativeSymbol innerWindowID line column'),
  funcTable: table('isJS relevantForJS name resource source lineNumber columnNumber'),
  resourceTable: table('lib name host type'),
  nativeSymbols: table('libIndex address name functionSize'),
  sources: table('id filename startLine startColumn sourceMapURL'),
};

const THREAD = {
  processType: 'default',
  processName: 'joulediff',
  processStartupTime: 0,
  processShutdownTime: null,
  registerTime: 0,
  unregisterTime: null,
  pausedRanges: [],
  showMarkersInTimeline: true,
  pid: '1',
};

const FIELDS = [
  { key: 'run', label: 'Run', format: 'integer' },
  { key: 'block', label: 'Block', format: 'integer' },
  { key: 'status', label: 'Status', format: 'string' },
  { key: 'energy_j', label: 'Energy in joules', format: 'decimal' },
];

/** Processed profile of the Firefox Profiler: a power track a channel; a thread of runs, and one of phases, as markers. */
function* firefoxProfile(reader: StoreReader, experiment: Experiment): Generator<string> {
  const clock = clockOf(reader);
  const stretches = stretchesOf(reader, experiment, clock);
  const places = new Map([...new Set(stretches.map(({ name }) => name))].map((name, i) => [name, i]));
  const kinds = (['Run', 'Phase'] as const).filter(
    (kind) => kind === 'Run' || stretches.some((one) => one.kind === kind),
  );
  const threads = kinds.map((kind, i) => {
    const own = stretches.filter((one) => one.kind === kind);
    return {
      ...THREAD,
      name: `${kind}s`,
      isMainThread: i === 0,
      tid: i + 1,
      samples: { stack: [null, null], time: [0, clock.endMs], weight: null, weightType: 'samples', length: 2 },
      markers: {
        data: own.map(({ details }) => ({ type: kind, ...details })),
        name: own.map(({ name }) => places.get(name)),
        startTime: own.map(({ fromMs }) => fromMs),
        endTime: own.map(({ toMs }) => toMs),
        phase: own.map(() => 1),
        category: own.map(() => 0),
        length: own.length,
      },
    };
  });
  const meta = {
    preprocessedProfileVersion: FIREFOX_VERSION,
    version: 31,
    product: titleOf(experiment),
    importedFrom: 'joulediff',
    startTime: Date.parse(reader.sessions()[0]?.startedAt ?? ''),
    interval: 1000 * (experiment.findings.meter.sampling_period_s ?? 1),
    processType: 0,
    stackwalk: 0,
    symbolicated: true,
    keepProfileThreadOrder: true,
    initialVisibleThreads: threads.map((_, i) => i),
    categories: [{ name: 'Other', color: 'grey', subcategories: ['Other'] }],
    markerSchema: kinds.map((name) => ({
      name,
      display: ['marker-chart', 'marker-table', 'timeline-overview'],
      fields: FIELDS,
    })),
  };
  const shared = { ...NO_FUNCTIONS, stringArray: [...places.keys()] };
  yield `${JSON.stringify({ meta, libs: [], shared, threads }).slice(0, -1)},\n"counters":[`;
  for (const [i, channel] of reader.channels().entries()) {
    const samples = samplesOf(reader, channel, clock);
    const name = channelName(channel);
    const counter = {
      name,
      category: 'power',
      description: 'Power in watts',
      pid: THREAD.pid,
      mainThreadIndex: 0,
      samples,
    };
    yield `${i === 0 ? '\n' : ',\n'}${JSON.stringify(counter)}`;
  }
  yield ']}\n';
}

/** Moments, and the energy since the moment before: none where no reading is. */
function samplesOf(reader: StoreReader, channel: ChannelRecord, clock: Clock) {
  const time: number[] = [];
  const count: number[] = [];
  for (const { fromMs, toMs, watts } of readingsOf(reader, channel, clock)) {
    if (fromMs !== time.at(-1)) {
      time.push(fromMs);
      count.push(0);
    }
    time.push(toMs);
    count.push(Math.round(watts * (toMs - fromMs) * PWH_PER_W_MS));
  }
  return { time, count, length: time.length };
}
