import type { StoreReader } from '../../../../store/reader.ts';
import type { ChannelRecord } from '../../../../store/records.ts';
import {
  buildClock,
  type Clock,
  channelName,
  type Experiment,
  readingsOf,
  stretchesOf,
  titleOf,
} from './power-profile.ts';

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
export function* firefoxProfile(reader: StoreReader, experiment: Experiment): Generator<string> {
  const clock = buildClock(reader);
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

/** Samples of a counter: times in milliseconds, and the energy since the time before, in picowatt-hours; 0 where no reading is. */
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
