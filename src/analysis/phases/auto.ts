import type { PhaseMark } from '../../contracts/execution.ts';
import { type FindPhases, isFindPhases, type PrintedAt } from '../../executors/phases/phase-lines.ts';
import type { RunRecord, StoreReader } from '../../store/records.ts';

/** Upper bound on the phases: more would be a list of lines. The longest stay. */
const MAX_PHASES = 30;
/** Least share of a run's time that a phase takes. */
const MIN_SHARE = 0.01;
/** Lines that no phase begins with are named from this share of a run's time on; below, lines are printed together. */
const MIN_NAMED_SHARE = 0.001;
const MAX_NAMED = 20;
/** Equal parts of a run whose output has no phases, as Barba Roque's analysis cuts it. */
const SLICES = 10;
/** Where fewer phases were found, lines count as printed at the starts: so few places fit a print at the ends by chance. */
const MIN_ENDS = 3;

type Marks = ReadonlyMap<number, readonly PhaseMark[]>;
type Window = Pick<RunRecord, 'startNs' | 'endNs'>;
type Run = Window & Pick<RunRecord, 'run' | 'status'>;

/** Phases that were found in what the runs printed. */
export interface FoundPhases {
  readonly marks: Marks;
  /** Lines that each good run printed once, in the same order. */
  readonly common: number;
  /** The lines that name a phase. */
  readonly used: number;
  readonly lines: PrintedAt;
  /** Lines of too short stretches, longest first, with the phase that holds the stretch; null: it is outside of phases. */
  readonly merged: readonly { readonly line: string; readonly into: string | null }[];
  /** Equal parts of each run, where no line names a phase; else 0. */
  readonly slices: number;
  /** The phases of another run, such as an observed one. */
  marksOf(window: Window, candidates: readonly PhaseMark[]): readonly PhaseMark[];
}

/** Finds phases in what the runs of an experiment printed. Null: its file names the phases, or the workload marked them by itself. */
export function foundPhases(reader: StoreReader): FoundPhases | null {
  const { phases } = reader.definition();
  return isFindPhases(phases) ? findPhases(reader.phaseMarks(), reader.runs(), phases) : null;
}

/**
 * The lines that name phases: of those that every good run of every variant printed once, in one order, the ones with the longest stretches of the
 * mean run's time. Looks at no energy. Without such lines, each run is cut into equal slices. Null: the workload marks its phases by itself.
 */
export function findPhases(candidates: Marks, runs: readonly Run[], asked: FindPhases = 'auto'): FoundPhases | null {
  // Only a marker ends a phase without the start of another one.
  if ([...candidates.values()].some((list) => list.some(({ phase }) => phase === null))) return null;
  const good = runs.filter(({ status }) => status === 'ok');
  const common = inOneOrder(good.map((run) => placesIn(run, candidates.get(run.run) ?? [])));
  const lines = asked === 'auto' ? findPrintedAt(common) : asked.lines;
  const { chosen, merged } = choose(common, lines);
  const used = new Set(chosen.map(({ name }) => name));
  const marksOf: FoundPhases['marksOf'] = (window, list) => {
    if (used.size === 0) return slicesOf(window);
    const own = list.filter(({ phase }) => phase !== null && used.has(phase));
    return lines === 'start' ? own : fromEnds(own, window);
  };
  return {
    marks: new Map(runs.map((run) => [run.run, marksOf(run, candidates.get(run.run) ?? [])])),
    common: common.length,
    used: used.size,
    lines,
    merged,
    slices: used.size === 0 ? SLICES : 0,
    marksOf,
  };
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

/** One that stands elsewhere in a single run names no phase. Lines that were seen at once stay in the order of their print. */
function inOneOrder(places: readonly ReadonlyMap<string, number>[]): Line[] {
  const [first = new Map<string, number>(), ...others] = places;
  const everywhere = [...first.keys()].filter((name) => others.every((run) => run.has(name)));
  const lines = everywhere
    .map((name) => ({ name, at: places.reduce((sum, run) => sum + (run.get(name) ?? 0), 0) / places.length }))
    .sort((a, b) => a.at - b.at);
  const kept: Line[] = [];
  for (const line of lines) {
    const last = kept.at(-1);
    const follows = (run: ReadonlyMap<string, number>) =>
      last === undefined || (run.get(line.name) ?? 0) >= (run.get(last.name) ?? 0);
    if (places.every(follows)) kept.push(line);
  }
  return kept;
}

/**
 * At the end, if lines at starts would leave a phase without a name and a name without a phase: the last line is at the run's end, and the stretch
 * before the first line is no shorter than half of the shortest phase.
 */
function findPrintedAt(lines: readonly Line[]): PrintedAt {
  const { chosen } = choose(lines, 'end');
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined || chosen.length < MIN_ENDS) return 'start';
  const shortest = Math.min(...chosen.slice(1).map(({ at }, i) => at - (chosen[i]?.at ?? 0)));
  return first.at >= shortest / 2 && 1 - last.at < MIN_SHARE ? 'end' : 'start';
}

/**
 * The lines that name a phase. A phase lasts from its line to the next one (`start`) or from the one before to its line (`end`). The line of the shortest
 * phase is left out, and its time goes to a neighbor, until no phase is too short.
 */
function choose(lines: readonly Line[], printedAt: PrintedAt) {
  const chosen = [...lines];
  const left: { readonly line: Line; readonly share: number }[] = [];
  const shareOf = (line: Line, i: number): number =>
    printedAt === 'start' ? (chosen[i + 1]?.at ?? 1) - line.at : line.at - (chosen[i - 1]?.at ?? 0);
  while (chosen.length > 0) {
    const shares = chosen.map(shareOf);
    const share = Math.min(...shares);
    if (share >= MIN_SHARE && chosen.length <= MAX_PHASES) break;
    left.push(...chosen.splice(shares.indexOf(share), 1).map((line) => ({ line, share })));
  }
  const holder = ({ at }: Line): string | null =>
    (printedAt === 'start' ? chosen.findLast((other) => other.at <= at) : chosen.find((other) => other.at >= at))
      ?.name ?? null;
  const merged = left
    .filter(({ share }) => share >= MIN_NAMED_SHARE)
    .toSorted((a, b) => b.share - a.share)
    .slice(0, MAX_NAMED)
    .map(({ line }) => ({ line: line.name, into: holder(line) }));
  return { chosen, merged: chosen.length === 0 ? [] : merged };
}

/** Each phase ends with its line, and begins with the one before it or the run. */
function fromEnds(marks: readonly PhaseMark[], { startNs }: Window): PhaseMark[] {
  if (marks.length === 0) return [];
  const edges = [{ tNs: startNs, lateNs: 0n }, ...marks];
  return edges.map(({ tNs, lateNs }, i) => ({ tNs, lateNs, phase: marks[i]?.phase ?? null }));
}

function slicesOf({ startNs, endNs }: Window): PhaseMark[] {
  return Array.from({ length: SLICES }, (_, i) => ({
    tNs: startNs + ((endNs - startNs) * BigInt(i)) / BigInt(SLICES),
    lateNs: 0n,
    phase: `slice ${i + 1} of ${SLICES}`,
  }));
}
