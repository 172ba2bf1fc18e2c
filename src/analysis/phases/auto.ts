import type { PhaseMark } from '../../contracts/execution.ts';
import { type FindPhases, isFindPhases, type PrintedAt } from '../../executors/phases/phase-lines.ts';
import type { StoreReader } from '../../store/reader.ts';
import type { RunRecord } from '../../store/records.ts';

/** Maximum number of phases, the longest; more would not be readable. */
const MAX_PHASES = 30;
/** Minimum share of a phase in a run's time. */
const MIN_SHARE = 0.01;
/** Minimum share of a run's time for naming a line without a phase; below it, lines were printed together. */
const MIN_NAMED_SHARE = 0.001;
const MAX_NAMED = 20;
/** Number of equal slices for a run whose output has no phases, as in Barba Roque's analysis. */
const SLICES = 10;
/** Minimum phases for deciding that lines are printed at ends: with fewer, it could be chance, and lines count as starts. */
const MIN_ENDS = 3;

type Marks = ReadonlyMap<number, readonly PhaseMark[]>;
type Window = Pick<RunRecord, 'startNs' | 'endNs'>;
type Run = Window & Pick<RunRecord, 'run' | 'status'>;

/** Phases of the runs, where the experiment's file names none. */
export interface FoundPhases {
  readonly marks: Marks;
  /** Null: the workload marks its phases itself. */
  readonly lines: FoundLines | null;
  /** Applies these phases to another run, such as an observed one. */
  findMarks(window: Window, candidates: readonly PhaseMark[]): readonly PhaseMark[];
}

/** How phases were found in the lines that the runs printed, where the workload has no markers of its own. */
export interface FoundLines {
  /** Lines that each good run printed once, in the same order. */
  readonly common: number;
  /** Number of lines that name a phase. */
  readonly used: number;
  readonly printedAt: PrintedAt;
  /** Lines whose stretches are too short, longest first, with the phase that they became part of; null: outside of phases. */
  readonly merged: readonly { readonly line: string; readonly into: string | null }[];
  /** Number of equal slices of each run, if no line names a phase; else 0. */
  readonly slices: number;
}

/** Finds phases in the output of an experiment's runs. Null: its file does not ask for that. */
export function foundPhases(reader: StoreReader): FoundPhases | null {
  const { phases } = reader.definition();
  return isFindPhases(phases) ? findPhases(reader.phaseMarks(), reader.runs(), phases) : null;
}

/**
 * Chooses the lines that name phases: of those that every good run of every variant printed once, in one order, those with the longest stretches of
 * the mean run's time. Energies are not used. Without such lines, each run is cut into equal slices. If the workload marks its phases in any run, its
 * markers are the only phases.
 */
export function findPhases(candidates: Marks, runs: readonly Run[], asked: FindPhases = 'auto'): FoundPhases {
  const marked = new Map([...candidates].filter(([, list]) => isMarked(list)));
  if (marked.size > 0) return { marks: marked, lines: null, findMarks: (_, list) => (isMarked(list) ? list : []) };
  const good = runs.filter(({ status }) => status === 'ok');
  const common = inOneOrder(good.map((run) => placesIn(run, candidates.get(run.run) ?? [])));
  const printedAt = asked === 'auto' ? findPrintedAt(common) : asked.lines;
  const { chosen, merged } = choose(common, printedAt);
  const used = new Set(chosen.map(({ name }) => name));
  const findMarks: FoundPhases['findMarks'] = (window, list) => {
    if (used.size === 0) return cutSlices(window);
    const own = list.filter(({ phase }) => phase !== null && used.has(phase));
    return printedAt === 'start' ? own : fromEnds(own, window);
  };
  return {
    marks: new Map(runs.map((run) => [run.run, findMarks(run, candidates.get(run.run) ?? [])])),
    lines: {
      common: common.length,
      used: used.size,
      printedAt,
      merged,
      slices: used.size === 0 ? SLICES : 0,
    },
    findMarks,
  };
}

/** Whether marks are the workload's own: only these end a phase without beginning another. In older files only these come again. */
function isMarked(marks: readonly PhaseMark[]): boolean {
  const phases = marks.map(({ phase }) => phase);
  return phases.includes(null) || new Set(phases).size < phases.length;
}

/** Position of each line in a run: 0 at its start, 1 at its end. */
function placesIn({ startNs, endNs }: Run, marks: readonly PhaseMark[]): ReadonlyMap<string, number> {
  const wholeNs = Math.max(1, Number(endNs - startNs));
  return new Map(marks.flatMap(({ phase, tNs }) => (phase === null ? [] : [[phase, Number(tNs - startNs) / wholeNs]])));
}

interface Line {
  readonly name: string;
  /** Mean position of the line. */
  readonly at: number;
}

/** Removes lines whose order differs in any run. Lines noticed at the same time keep the order of printing. */
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
 * `end` if starts would leave both a phase without a name and a name without a phase: the last line is at the run's end, and the stretch
 * before the first line is at least half as long as the shortest phase.
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

function cutSlices({ startNs, endNs }: Window): PhaseMark[] {
  return Array.from({ length: SLICES }, (_, i) => ({
    tNs: startNs + ((endNs - startNs) * BigInt(i)) / BigInt(SLICES),
    lateNs: 0n,
    phase: `slice ${i + 1} of ${SLICES}`,
  }));
}
