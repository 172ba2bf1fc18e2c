// Class: system.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../../../../src/analysis/analyze.ts';
import type { Analysis } from '../../../../../src/analysis/results.ts';
import { firefoxProfile } from '../../../../../src/parts/fleet/report/export/firefox-profile.ts';
import { perfettoTrace } from '../../../../../src/parts/fleet/report/export/perfetto.ts';
import type { StoreReader } from '../../../../../src/store/reader.ts';
import { withSimulatedStore } from '../../../../analysis/simulated-store.ts';
import { wallMeter } from '../../../../store/fixtures.ts';

const PROFILE_FORMATS = { 'firefox-profile': firefoxProfile, perfetto: perfettoTrace };
type ProfileFormat = keyof typeof PROFILE_FORMATS;

/** The Firefox Profiler without its page: it upgrades and checks a profile as the page does. */
const PROFILER = 'node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js';

const phases = [
  { phase: 'load', lengthS: 4, loadW: 70 },
  { phase: 'serve', lengthS: 5, loadW: 90 },
];
const blocks = [0, 3, 1].map((more) => [
  { variant: 'native', lengthS: 12, loadW: 60 + more, phases },
  { variant: 'container', lengthS: 12, loadW: 65 + more },
]);
const emulated = { ...wallMeter, address: '/dev/y', source: 'emulated' as const };
const meters = [wallMeter, { ...emulated, channels: [{ ...wallMeter.channels[0]!, channel: 'desk' }] }];

let folder = '';
let analysis: Analysis;
const written: Record<string, string> = {};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-profile-'));
  withSimulatedStore({ blocks, meters }, (reader) => {
    analysis = analyzeStore(reader);
    for (const [name, write] of Object.entries(PROFILE_FORMATS)) written[name] = [...write(reader, analysis)].join('');
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

const windows = () => analysis.runs.filter(({ channel }) => channel === 'wall');

interface MarkersOfName {
  readonly markerName: string;
  readonly count: number;
  readonly durationStats: { readonly avg: number };
}

describe('a profile for the Firefox Profiler', () => {
  it('is read by it: energies as in the findings, windows and phases', async () => {
    const file = join(folder, 'profile.json');
    writeFileSync(file, written['firefox-profile']!);
    const env = {
      ...process.env,
      PROFILER_CLI_SESSION_DIR: join(folder, 'sessions'),
      PROFILER_CLI_NO_SYMBOLICATE: '1',
    };
    const session = ['--session', 'power'];
    // Its own `load` starts this, too, and gives up after half a second, however busy the machine is.
    const daemon = spawn(process.execPath, [PROFILER, '--daemon', file, ...session], { env, stdio: 'ignore' });
    const ended = once(daemon, 'exit');
    const profiler = async (...words: string[]) =>
      (await promisify(execFile)(process.execPath, [PROFILER, ...words, '--json', ...session], { env })).stdout;
    const countersWhenLoaded = async (): Promise<string> => {
      for (;;) {
        const answer = await profiler('counter', 'list').catch((error: unknown) => {
          if (daemon.exitCode !== null) throw error;
        });
        if (answer !== undefined) return answer;
      }
    };
    try {
      const { counters } = JSON.parse(await countersWhenLoaded());
      expect(counters).toMatchObject([
        { name: 'wall', category: 'power', unit: 'pWh' },
        { name: 'desk (emulated, not a measurement)', category: 'power', unit: 'pWh' },
      ]);
      const joules = (counters[0].stats[0].value as number) * 3.6e-9;
      expect(joules / analysis.findings.cost!.energy_j!).toBeCloseTo(1, 2);
      const markersOf = async (thread: string) =>
        JSON.parse(await profiler('thread', 'markers', '--thread', thread)).byType.map(
          ({ markerName, count, durationStats }: MarkersOfName) => [markerName, count, durationStats.avg],
        );
      expect((await markersOf('t-0')).toSorted()).toEqual([
        ['container', 3, 12_000],
        ['native', 3, 12_000],
      ]);
      expect((await markersOf('t-1')).toSorted()).toEqual([
        ['load', 3, expect.closeTo(4000, 6)],
        ['serve', 3, expect.closeTo(5000, 6)],
      ]);
    } finally {
      daemon.kill();
      await ended;
    }
  });
});

interface Event {
  readonly ph: string;
  readonly name: string;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args: { readonly W?: number };
}

describe('a trace for Perfetto', () => {
  it('has each window where the power rises, and the phases inside', () => {
    const { traceEvents } = JSON.parse(written.perfetto!) as { traceEvents: Event[] };
    const [runs, inside] = [1, 2].map((tid) => traceEvents.filter((event) => event.ph === 'X' && event.tid === tid));
    expect(runs!.map(({ name, dur }) => [name, dur])).toEqual(windows().map(({ variant }) => [variant, 12_000_000]));
    const isWithin = (one: Event) => runs!.some(({ ts, dur }) => ts <= one.ts && one.ts + one.dur <= ts + dur);
    expect(inside).toHaveLength(6);
    expect(inside!.every(isWithin)).toBe(true);
    const power = traceEvents.filter(({ ph, name }) => ph === 'C' && name === 'wall');
    const at = (ts: number) => power.findLast((event) => event.ts <= ts)!.args.W!;
    for (const { ts, dur } of runs!) {
      expect(at(ts - 3e6)).toBeCloseTo(40, 6);
      expect(at(ts + dur / 2)).toBeGreaterThan(60);
    }
    expect(power.at(-1)!.args).toEqual({ W: 0 });
    expect(traceEvents.some(({ name }) => name === 'desk (emulated, not a measurement)')).toBe(true);
  });
});

/** Readings of 10 W a second, none between 3 s and 8 s; then a session that began 60 s after the first. */
const gappy = {
  channels: () => [
    { channel: 'wall', clock: 'host', samplingPeriodS: 1, meter: { source: 'measured' }, calibration: undefined },
  ],
  sessions: () => [
    { session: 1, originNs: 0n, startedAt: '2026-01-02T03:04:00.000Z' },
    { session: 2, originNs: 77_000_000_000n, startedAt: '2026-01-02T03:05:00.000Z' },
  ],
  samples: (session: number) => {
    const seconds = session === 1 ? [1, 2, 3, 8, 9] : [1, 2];
    const tNs = Float64Array.from(seconds, (s) => s * 1e9);
    return { tNs, powerW: tNs.map(() => 10), durationS: tNs.map(() => 1) };
  },
  runs: () => [],
} as unknown as StoreReader;

const gappyOf = (format: ProfileFormat) =>
  JSON.parse([...PROFILE_FORMATS[format](gappy, { findings: analysis.findings, runs: [] })].join(''));

describe('where no reading is', () => {
  it('there is no power, in either format, and sessions lie as their clocks say', () => {
    const { time, count } = gappyOf('firefox-profile').counters[0].samples;
    const wattMs = 1e12 / 3.6e6;
    const powers = time.map((ms: number, i: number) => (i === 0 ? 0 : count[i] / wattMs / (ms - time[i - 1])));
    expect(time.map((ms: number) => ms / 1000)).toEqual([0, 1, 2, 3, 7, 8, 9, 60, 61, 62]);
    expect(powers.map(Math.round)).toEqual([0, 10, 10, 10, 0, 10, 10, 0, 10, 10]);
    const events = gappyOf('perfetto').traceEvents.filter(({ ph }: Event) => ph === 'C');
    expect(events.map(({ ts }: Event) => ts / 1e6)).toEqual([0, 1, 2, 3, 7, 8, 9, 60, 61, 62]);
    expect(events.map(({ args }: Event) => args.W)).toEqual([10, 10, 10, 0, 10, 10, 0, 10, 10, 0]);
  });
});
