import { timeText } from '../../../../report/words/explain.ts';
import { type ProfileNode, type ProfileTree, RARE } from '../../analysis/tree.ts';
import { OUTSIDE, safeName } from './walk.ts';

interface Event {
  readonly ph: 'X' | 'M';
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts?: number;
  readonly dur?: number;
  readonly cat?: string;
  readonly args?: Readonly<Record<string, string | number>>;
}

/** Minimum share of a variant's time for a function: viewers must draw all. */
const MIN = 1e-4;

/**
 * Phases of each variant in sequence, with the processor time (or thread time) of each below, for chrome://tracing and Perfetto (Trace Event
 * Format). Means per run in microseconds; within a phase, functions are sorted by size, since several runs are combined.
 */
export function* chromeTrace(tree: ProfileTree): Generator<string> {
  const rare = tree.folded.stacks === 0 ? '' : `,"folded":${JSON.stringify(foldedText(tree))}`;
  let separator = '{"displayTimeUnit":"ms","traceEvents":[\n';
  for (const event of events(tree)) {
    yield `${separator}${JSON.stringify(event)}`;
    separator = ',\n';
  }
  yield `\n],"otherData":{"order":"Functions stand by size within their phase, not by time: each is the mean of several runs."${rare}}}\n`;
}

/** Meaning of the frame for rare stacks. */
const foldedText = ({ time, folded }: ProfileTree): string =>
  `${RARE} stands for what ${folded.stacks} stacks have below a function, each with less than ${100 * folded.belowShare} % of the ${timeText(time)} of its phase.`;

function* events({ time, variants, phases }: ProfileTree): Generator<Event> {
  for (const [of, { name, runs }] of variants.entries()) {
    const pid = of + 1;
    yield { ph: 'M', name: 'process_name', pid, tid: 0, args: { name: safeName(`${name} (mean of ${runs} runs)`) } };
    yield { ph: 'M', name: 'thread_name', pid, tid: 1, args: { name: 'Phases' } };
    yield {
      ph: 'M',
      name: 'thread_name',
      pid,
      tid: 2,
      args: { name: `${time === 'thread' ? 'Thread' : 'Processor'} time, by size` },
    };
    const all = phases.reduce((sum, { root }) => sum + (root.total[of] ?? 0), 0);
    let start = 0;
    const hasPhases = phases.some(({ phase }) => phase !== null);
    for (const { phase, wallS, root } of phases) {
      const [wall = 0, cpu = 0] = [wallS[of], root.total[of]];
      yield {
        ph: 'X',
        name: safeName(phase ?? (hasPhases ? OUTSIDE : '(whole run)')),
        pid,
        tid: 1,
        cat: 'phase',
        ...span(start, start + wall),
        args: { [`${time}_s`]: cpu },
      };
      yield* stacks(root.children, { of, pid, start, end: start + cpu, least: MIN * all });
      // Processor time may exceed wall time with several processors.
      start += Math.max(wall, cpu);
    }
  }
}

function* stacks(
  children: ProfileNode['children'],
  at: {
    readonly of: number;
    readonly pid: number;
    readonly start: number;
    readonly end: number;
    readonly least: number;
  },
): Generator<Event> {
  const total = (node: ProfileNode): number => node.total[at.of] ?? 0;
  let { start } = at;
  for (const node of [...children.values()].toSorted((a, b) => total(b) - total(a))) {
    if (total(node) <= at.least) return;
    // Sums of fractions may exceed the end by rounding.
    const end = Math.min(start + total(node), at.end);
    yield {
      ph: 'X',
      name: safeName(node.name),
      pid: at.pid,
      tid: 2,
      cat: node.group,
      ...span(start, end),
      args: { file: safeName(node.file) },
    };
    yield* stacks(node.children, { ...at, start, end });
    start = end;
  }
}

/** Rounds both ends, not the duration: Perfetto drops functions that are not completely inside their callers. */
const span = (startS: number, endS: number): Pick<Event, 'ts' | 'dur'> => ({
  ts: micros(startS),
  dur: micros(endS) - micros(startS),
});

const micros = (seconds: number): number => Math.round(seconds * 1e6);
