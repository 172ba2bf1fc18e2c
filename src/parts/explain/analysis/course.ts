import type { Edge, Stretch } from '../../../analysis/phases/stretches.ts';
import type { StretchCount } from '../../../contracts/observation.ts';

/** Part of a count that belongs to one phase. */
export interface Share {
  readonly phase: string | null;
  readonly value: number;
  readonly errors: number | null;
  /** Largest error of `value`, because the count's time within its stretch is unknown; 0: no other phase overlaps the stretch. */
  readonly unsure: number;
}

/** Phases of a run in order; nanoseconds after the window's start. */
export class Course {
  readonly stretches: readonly Stretch[];
  /** Largest error of any phase's edge, nanoseconds. */
  readonly #latestNs: number;

  constructor(stretches: readonly Stretch[]) {
    this.stretches = stretches;
    this.#latestNs = stretches.reduce((most, { start, end }) => Math.max(most, start.lateNs / 2, end.lateNs / 2), 0);
  }

  /** Phases that this time overlaps, or may overlap. */
  near(fromNs: number, toNs: number): readonly Stretch[] {
    const { stretches } = this;
    let [low, high] = [0, stretches.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (stretches[middle]!.end.ns + this.#latestNs < fromNs) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (end < stretches.length && stretches[end]!.start.ns - this.#latestNs <= toNs) end++;
    return stretches.slice(low, end);
  }

  /** Divides a count among phases in proportion to time. All of it belongs to the window, since the group is idle otherwise. */
  shares({ kind, value, errors }: StretchCount, fromNs: number, toNs: number): readonly Share[] {
    const near = this.near(fromNs, toNs);
    const overlaps = near.map(({ phase, start, end }) => ({
      phase,
      ns: overlapNs([fromNs, toNs], [start.ns, end.ns]),
    }));
    const wholeNs = overlaps.reduce((sum, { ns }) => sum + ns, 0);
    if (wholeNs === 0) return [];
    // Integers are divided into integers with the same sum.
    const isWhole = Number.isInteger(value) && kind !== 'cpu' && kind !== 'off-cpu';
    const given = new Map<string | null, number>();
    let [untilNs, before] = [0, 0];
    for (const { phase, ns } of overlaps) {
      untilNs += ns;
      const upTo = isWhole ? Math.round(value * (untilNs / wholeNs)) : value * (untilNs / wholeNs);
      given.set(phase, (given.get(phase) ?? 0) + upTo - before);
      before = upTo;
    }
    const touched = near.filter((stretch) => mayTouch(stretch, fromNs, toNs));
    const phases = new Set(touched.map(({ phase }) => phase));
    return [...given].flatMap(([phase, part]): Share[] => {
      const isOther = !phases.has(phase);
      if (part === 0 && isOther) return [];
      const share = { phase, value: part, errors: errors === null ? null : (errors * part) / (value || 1) };
      if (phases.size < 2) return [{ ...share, unsure: 0 }];
      const most = isEven({ kind, value }, toNs - fromNs)
        ? (value * edgesNs(touched, phase, [fromNs, toNs])) / (toNs - fromNs)
        : Math.max(part, value - part);
      return [{ ...share, unsure: most }];
    });
  }
}

type Span = readonly [fromNs: number, toNs: number];

const overlapNs = ([from, to]: Span, [start, end]: Span): number =>
  Math.max(0, Math.min(to, end) - Math.max(from, start));

const edgeZone = ({ ns, lateNs }: Edge): Span => [ns - lateNs / 2, ns + lateNs / 2];

const mayTouch = ({ start, end }: Stretch, fromNs: number, toNs: number): boolean =>
  edgeZone(start)[0] < toNs && edgeZone(end)[1] > fromNs;

/** Whether the count is a single thread's wait, which is evenly distributed over its time. */
const isEven = ({ kind, value }: Pick<StretchCount, 'kind' | 'value'>, ns: number): boolean =>
  kind === 'off-cpu' && Math.abs(1e9 * value - ns) < 1;

/** Part of this time that may belong to another phase, because the phase's edges are uncertain. */
function edgesNs(touched: readonly Stretch[], phase: string | null, span: Span): number {
  const own = touched.filter((stretch) => stretch.phase === phase);
  return own.reduce(
    (sum, { start, end }) => sum + (overlapNs(span, edgeZone(start)) + overlapNs(span, edgeZone(end))) / 2,
    0,
  );
}
