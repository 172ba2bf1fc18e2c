import { TRACERS, type TracerName } from '../../contracts/tracers.ts';
import type { Explanation, Traced, TracedLine } from '../../findings/explain.ts';
import { fixed, pText } from '../../text/numbers.ts';
import { details, note, type Part, type Table, table } from '../document/blocks.ts';
import { code, joined, name, type Text, text } from '../document/text.ts';
import { AMOUNTS, differenceOf, meansText } from '../words/explain.ts';

/** Maximum visible calls for each amount. */
const MAX_CALLS = 10;
/** Maximum named phases with a large slowdown. */
const MAX_PHASES = 5;

interface Words {
  /** Name of what its lines are about. */
  readonly calls: string;
  readonly head: string;
  /** What its lines include, and what they leave out. */
  readonly reported: string;
}

const WORDS: Readonly<Record<TracerName, Words>> = {
  strace: {
    calls: 'System calls',
    head: 'System call',
    reported:
      'Seconds are between the beginning and the end of a call, with waiting and with what strace adds: they tell variants apart, not how long a call takes otherwise.',
  },
  'strace-services': {
    calls: 'System calls of services',
    head: 'System call',
    reported:
      'strace was attached to the services from just before the command, and the start of its container, until just after it. Seconds are as under strace: mostly waiting.',
  },
  uftrace: {
    calls: 'Calls of libraries',
    head: 'Function',
    reported:
      'Calls are those that the programs make into their libraries, a shell’s among them, not those of libraries among each other; programs with another C library, and those linked statically, are not seen. Seconds are a call’s own, with waiting and with what uftrace adds, which is many times a short call: they tell variants apart, not how long a call takes otherwise.',
  },
};

/** Results of tracers from separate runs. Null: no run was traced. */
export function tracedPart(explanation: Explanation): Part {
  const { traced } = explanation;
  if (traced === undefined) return null;
  return TRACERS.map((tracer): Part => {
    const isOf = (one: { readonly tracer?: TracedLine['tracer'] }): boolean => (one.tracer ?? 'strace') === tracer;
    const [runs, lines] = [traced.runs.filter(isOf), traced.lines.filter(isOf)];
    return runs.length === 0 ? null : buildPart(tracer, { runs, lines }, explanation);
  });
}

function buildPart(tracer: TracerName, { runs, lines }: Traced, { comparisons, rungs }: Explanation): Part {
  const { calls, reported } = WORDS[tracer];
  // Services that are missing in the trace are often the important ones.
  const services = rungs.some(({ name: of }) => of === `${tracer}-services`)
    ? ' Only the run’s own command was traced: calls of its services are not among these.'
    : '';
  const how = `From runs of their own under ${tracer}, each with one execution of the command; calls are not divided into phases.`;
  const groups = [...Map.groupBy(lines, ({ amount }) => amount).values()];
  const shown = groups.flatMap((all) => all.slice(0, MAX_CALLS));
  const others = groups.flatMap((all) => all.slice(MAX_CALLS));
  const isNamed = comparisons.length > 1;
  return [
    shown.length === 0
      ? note(`No ${calls.toLowerCase().replace('calls', 'call')} differs clearly between the runs under ${tracer}.`)
      : callTable(`${calls} that differ under ${tracer}`, tracer, shown, isNamed),
    others.length === 0
      ? null
      : details(
          [`${others.length} more lines`],
          callTable(`More ${calls.toLowerCase()} under ${tracer}`, tracer, others, isNamed),
        ),
    note(...text`${how}${longerText(runs)} ${reported}${services}`),
  ];
}

/** Slowdown of traced runs and their phases. */
function longerText(runs: Traced['runs']): Text {
  const factors = runs.flatMap(({ factor }) => factor ?? []);
  if (factors.length === 0) return [];
  const phases = Map.groupBy(
    runs.flatMap(({ phases: all = [] }) => all),
    ({ phase }) => phase,
  );
  const most = [...phases].map(([phase, all]) => ({ phase, factor: Math.max(...all.map(({ factor }) => factor)) }));
  const named = most.toSorted((a, b) => b.factor - a.factor).slice(0, MAX_PHASES);
  const inPhases = text` (${joined(
    named.map(({ phase, factor }) => text`${name(phase)}: ${fixed(factor, 1)}`),
    ', ',
  )})`;
  return text` They took up to ${fixed(Math.max(...factors), 1)} times as long as measured runs${named.length === 0 ? [] : inPhases}.`;
}

function callTable(label: string, tracer: TracerName, lines: readonly TracedLine[], isNamed: boolean): Table {
  const seconds = lines.filter(({ amount }) => amount === 'seconds');
  const most = Math.max(...seconds.map((line) => Math.max(line.baseline, line.variant)));
  const rows = lines.map((line) => ({ ...line, unit: line.amount === 'seconds' ? ('s' as const) : ('1' as const) }));
  return table(label, rows, [
    isNamed && {
      head: 'Variant',
      cell: ({ of, against }) => [name(of), ...(against === undefined ? [] : text` against ${name(against)}`)],
    },
    { head: WORDS[tracer].head, cell: ({ name: call }) => [code(call)] },
    { head: 'Amount', cell: ({ amount }) => AMOUNTS[amount] },
    { head: 'Difference (95 % CI)', numeric: true, cell: (line) => differenceOf(line, most) },
    { head: 'Means of an execution', numeric: true, spare: 2, cell: (line) => meansText(line, most) },
    { head: 'q', numeric: true, spare: 1, cell: ({ q }) => pText(q).replace(/^p (?:= )?/, '') },
  ]);
}
