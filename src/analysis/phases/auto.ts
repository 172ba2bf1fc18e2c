import type { PhaseMark } from '../../contracts/execution.ts';
import type { RunRecord } from '../../store/records.ts';

/** More phases than these are read by nobody. */
const MAX_PHASES = 8;
/** A phase that takes less of the run tells nothing. */
const MIN_SHARE = 0.02;

type Marks = ReadonlyMap<number, readonly PhaseMark[]>;
type Run = Pick<RunRecord, 'run' | 'status' | 'startNs' | 'endNs'>;

/** Phases that were found in what the runs printed. */
export interface FoundPhases {
  readonly marks: Marks;
  /** Lines that each good run printed once, in the same order. */
  readonly common: number;
  /** The lines that begin a phase. */
  readonly used: number;
}

/**
 * The lines that begin phases: of those that every good run of every variant printed once, in one order, at most eight that lie furthest from each
 * other and from the ends, by their mean place in the run's time. Looks at no energy.
 */
export function findPhases(candidates: Marks, runs: readonly Run[]): FoundPhases {
  const good = runs.filter(({ status }) => status === 'ok');
  const places = good.map((run) => placesIn(run, candidates.get(run.run) ?? []));
  const common = inOneOrder(places);
  const used = new Set(spread(common).map(({ name }) => name));
  const marks = new Map(
    [...candidates].map(([run, list]) => [run, list.filter(({ phase }) => phase !== null && used.has(phase))]),
  );
  return { marks, common: common.length, used: used.size };
}

/** Where each line stands in a run: 0 at its start, 1 at its end. */
function placesIn({ startNs, endNs }: Run, marks: readonly PhaseMark[]): ReadonlyMap<string, number> {
  const wholeNs = Math.max(1, Number(endNs - startNs));
  return new Map(marks.flatMap(({ phase, tNs }) => (phase === null ? [] : [[phase, Number(tNs - startNs) / wholeNs]])));
}

interface Line {
  readonly name: string;
  /** Its mean place. */
  readonly at: number;
}

/** One that stands elsewhere in a single run begins no phase. */
function inOneOrder(places: readonly ReadonlyMap<string, number>[]): Line[] {
  const [first = new Map<string, number>(), ...others] = places;
  const everywhere = [...first.keys()].filter((name) => others.every((run) => run.has(name)));
  const lines = everywhere
    .map((name) => ({ name, at: places.reduce((sum, run) => sum + (run.get(name) ?? 0), 0) / places.length }))
    .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
  const kept: Line[] = [];
  for (const line of lines) {
    const last = kept.at(-1);
    const follows = (run: ReadonlyMap<string, number>) =>
      last === undefined || (run.get(line.name) ?? 0) >= (run.get(last.name) ?? 0);
    if (places.every(follows)) kept.push(line);
  }
  return kept;
}

function spread(lines: readonly Line[]): Line[] {
  const chosen: Line[] = [];
  while (chosen.length < MAX_PHASES) {
    const room = ({ at }: Line): number => Math.min(at, 1 - at, ...chosen.map((other) => Math.abs(other.at - at)));
    const best = lines.reduce<Line | null>(
      (most, line) => (most === null || room(line) > room(most) ? line : most),
      null,
    );
    if (best === null || room(best) < MIN_SHARE) break;
    chosen.push(best);
  }
  return chosen;
}
