import type { Analysis } from '../../analysis/results.ts';
import type { Findings } from '../../findings/findings.ts';
import { chosenVariants } from '../charts/parts/variant-runs.ts';
import { type PackedBands, packBands, unpackBands, type WithBands } from './bands.ts';
import { type PackedRuns, packRuns, unpackRuns } from './columns.ts';
import { pack, unpack } from './pack.ts';
import { type PackedTraces, type PageTrace, packTraces, unpackTraces } from './traces.ts';

/** Data for the page's script: JSON texts by the ids of their elements. A JSON text that is a string is packed. */
export type PageData = Readonly<Record<(typeof DATA_IDS)[number], string>>;

export const DATA_IDS = ['findings', 'runs', 'traces', 'bands', 'profile'] as const;

/** The analysis, as read from the page's data in the browser. */
export interface PageAnalysis extends WithBands {
  readonly traces: readonly PageTrace[];
  /** Data for the figure of a part; null: there is none. */
  readonly profile: unknown;
  readonly kept: {
    /** Number of readings in the experiment, and in the page. */
    readonly readings: PackedTraces['readings'];
    readonly every: number;
    readonly stepW: number;
    /** Significant digits of the runs' numbers; null: all. */
    readonly digits: number | null;
    readonly hasRuns: boolean;
  };
}

/** Number of readings above which they are thinned. */
const MAX_READINGS = 150_000;
/** Maximum bytes of the findings. */
const MAX_FINDINGS = 700_000;
const MAX_RUNS = 1_500_000;
const MAX_TRACES = 1_000_000;
/** Possible significant digits of the runs' numbers, the best first; null: all. */
const DIGITS = [null, 7, 5];

/** The page's data in at most `room` bytes if the findings alone fit: first readings are reduced, then runs. */
export function pageData(analysis: Analysis & { readonly profile?: unknown }, room: number): PageData {
  const plain = JSON.stringify(analysis.findings);
  const findings = plain.length > MAX_FINDINGS ? JSON.stringify(pack(analysis.findings)) : plain;
  let left = room - findings.length;
  const runs = packedRuns(analysis, Math.min(left, MAX_RUNS));
  left -= runs.length;
  const profile = JSON.stringify(analysis.profile === undefined ? null : pack(analysis.profile));
  left -= profile.length;
  const traces = packedTraces(analysis, Math.min(left, MAX_TRACES));
  return { findings, runs, ...traces, profile };
}

function packedRuns({ runs }: Analysis, most: number): string {
  for (const digits of DIGITS) {
    const packed = pack(packRuns(runs, digits));
    if (packed.length <= most) return JSON.stringify(packed);
  }
  return 'null';
}

function packedTraces(analysis: Analysis, most: number): { traces: string; bands: string } {
  const all = analysis.traces.reduce((sum, t) => sum + t.tS.length, 0);
  const longest = Math.max(1, ...analysis.traces.map((t) => t.tS.length));
  for (let every = Math.max(1, Math.ceil(all / MAX_READINGS)); ; every = Math.ceil(1.5 * every)) {
    const packed = pack(packTraces(analysis, every));
    if (packed.length > most && every < longest) continue;
    const bands =
      every === 1
        ? null
        : pack(
            packBands(
              analysis,
              chosenVariants(analysis).variants.map(({ name }) => name),
            ),
          );
    if (packed.length > most) return { traces: 'null', bands: JSON.stringify(bands) };
    return { traces: JSON.stringify(packed), bands: JSON.stringify(bands) };
  }
}

/** Reads the output of `pageData`; `textOf` returns the text of an element. Readings are unpacked lazily. */
export function readPageData(textOf: (id: (typeof DATA_IDS)[number]) => string): PageAnalysis {
  const read = <T>(id: (typeof DATA_IDS)[number]): T | null => {
    const value: unknown = JSON.parse(textOf(id));
    return (typeof value === 'string' ? unpack(value) : value) as T | null;
  };
  const runs = read<PackedRuns>('runs');
  const packed = once(() => read<PackedTraces>('traces'));
  const traces = once(() => (packed() === null ? [] : unpackTraces(packed()!)));
  const profile = once(() => read<unknown>('profile'));
  const bands = once(() => unpackBands(read<PackedBands>('bands')!));
  const analysis = {
    findings: read<Findings>('findings') as Findings,
    runs: runs === null ? [] : unpackRuns(runs),
    get traces() {
      return traces();
    },
    get profile() {
      return profile();
    },
    kept: {
      get readings() {
        return packed()?.readings ?? { all: 0, kept: 0 };
      },
      get every() {
        return packed()?.every ?? 1;
      },
      get stepW() {
        return packed()?.stepW ?? 1;
      },
      digits: runs?.digits ?? null,
      hasRuns: runs !== null,
    },
  };
  // Object spread would evaluate the getter and unpack the readings.
  return textOf('bands') === 'null'
    ? analysis
    : Object.defineProperty(analysis, 'bands', { enumerable: true, get: bands });
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
