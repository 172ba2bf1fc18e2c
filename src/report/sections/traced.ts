import type { Explanation, TracedLine } from '../../findings/explain.ts';
import { fixed, pText } from '../../text/numbers.ts';
import { details, note, type Part, type Table, table } from '../document/blocks.ts';
import { code, name } from '../document/text.ts';
import { AMOUNTS, differenceOf, meansText } from '../words/explain.ts';

/** In the open for each amount. */
const MOST_CALLS = 10;

/** What strace told of system calls, in runs of its own. Null: no run was traced. */
export function tracedPart({ traced, comparisons, rungs }: Explanation): Part {
  if (traced === undefined) return null;
  const factors = traced.runs.flatMap(({ factor }) => factor ?? []);
  const longer =
    factors.length === 0 ? '' : ` They took up to ${fixed(Math.max(...factors), 1)} times as long as measured runs.`;
  // Those that are missing here are mostly the ones that matter.
  const services = rungs.some(({ name: of }) => of === 'strace-services')
    ? ' Only the run’s own command was traced: calls of its services are not among these.'
    : '';
  const told = `From runs of their own under strace, each with one execution of the command, which are not divided into phases.${longer} Seconds are between the beginning and the end of a call, with waiting and with what strace adds: they tell variants apart, not how long a call takes otherwise.${services}`;
  const groups = [...Map.groupBy(traced.lines, ({ amount }) => amount).values()];
  const shown = groups.flatMap((lines) => lines.slice(0, MOST_CALLS));
  const others = groups.flatMap((lines) => lines.slice(MOST_CALLS));
  const isNamed = comparisons.length > 1;
  return [
    shown.length === 0
      ? note('No system call differs clearly between the runs under strace.')
      : callTable('System calls that differ under strace', shown, isNamed),
    others.length === 0
      ? null
      : details([`${others.length} more lines`], callTable('More system calls under strace', others, isNamed)),
    note(told),
  ];
}

function callTable(label: string, lines: readonly TracedLine[], isNamed: boolean): Table {
  const seconds = lines.filter(({ amount }) => amount === 'seconds');
  const most = Math.max(...seconds.map((line) => Math.max(line.baseline, line.variant)));
  const unitOf = ({ amount }: TracedLine) => (amount === 'seconds' ? ('s' as const) : ('1' as const));
  return table(label, lines, [
    isNamed && { head: 'Variant', cell: ({ of }) => name(of) },
    { head: 'System call', cell: ({ name: call }) => [code(call)] },
    { head: 'Amount', cell: ({ amount }) => AMOUNTS[amount] },
    {
      head: 'Difference (95 % CI)',
      numeric: true,
      cell: (line) => differenceOf({ ...line, unit: unitOf(line) }, most),
    },
    {
      head: 'Means of an execution',
      numeric: true,
      spare: 2,
      cell: (line) => meansText({ ...line, unit: unitOf(line) }, most),
    },
    { head: 'q', numeric: true, spare: 1, cell: ({ q }) => pText(q).replace(/^p (?:= )?/, '') },
  ]);
}
