import { type ExplainLine, type Explanation, isOf, type Switches } from '../../findings/explain.ts';
import type { Findings } from '../../findings/findings.ts';
import { fixed, pText } from '../../text/numbers.ts';
import {
  type Block,
  details,
  list,
  note,
  type Part,
  paragraph,
  type Section,
  section,
  type Table,
  table,
} from '../document/blocks.ts';
import { code, joined, name, type Text, text } from '../document/text.ts';
import { unitOfWork } from '../per-execution.ts';
import { byInterest, primaryComparisons } from '../verdict.ts';
import { changeOf, formatPerCycle, missingCounters, storyOf, workNumbers } from '../words/counters.ts';
import {
  differenceOf,
  goesWith,
  isMixedTime,
  KINDS,
  limitationText,
  lineName,
  meansText,
  phaseName,
  rungText,
  stretchText,
  timeName,
  timeText,
} from '../words/explain.ts';
import { tracedPart } from './traced.ts';

/** Explanations of differences by observed extra runs. They show what differs together with the energy, not its cause. */

/** Maximum groups named in one line. */
const MAX_GROUPS = 3;
/** Maximum visible functions per comparison. */
const MAX_FUNCTIONS = 15;
/** Maximum variants for showing the mix of groups in the power chart; with more, each has its own panel. */
const MAX_IN_PICTURE = 3;
/** Slowdown by observing from which it is mentioned. */
const CLEAR_STRETCH = 1.05;

type Compared = Explanation['comparisons'][number];

/**
 * The largest groups, a line per comparison, or functions if no group differs; null: nothing was observed. At most `most` lines, of the comparisons of
 * most interest.
 */
export function goesWithLine(findings: Findings, most = Number.POSITIVE_INFINITY): Part {
  const { explanation } = findings;
  if (explanation === undefined || most === 0) return null;
  const named = explanation.comparisons.length > 1;
  const interest = byInterest(primaryComparisons(findings));
  const rank = (of: Compared): number =>
    interest.findIndex(({ baseline, variant }) => baseline === of.baseline && variant === of.variant);
  const ranked = explanation.comparisons.toSorted((a, b) => rank(a) - rank(b));
  const lines = ranked.flatMap((of): Block[] => {
    const groups = along(explanation, of, 'group', 'function').slice(0, MAX_GROUPS);
    const counted = workLine(explanation, of);
    if (groups.length === 0) {
      return counted === null ? [] : [note(...text`${named ? text`${pairText(of)}: ` : []}${counted}`)];
    }
    const whole = isPart(of.explained_share) ? of.cpu_time_difference_s : null;
    const all = joined(
      groups.map((line) =>
        goesWith(line, whole, timeName(explanation), unitOfWork(findings) === 'run' ? 'run' : 'whole run'),
      ),
      '; ',
    );
    const whose = named ? text`The difference of ${pairText(of)} goes with` : ['Goes with'];
    return [note(...text`${whose}: ${all}.${counted === null ? '' : ` ${counted}`}`)];
  });
  // If explanations were requested, a note says that none was found.
  if (lines.length === 0 && ranked.length > 0) return note(NOTHING);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most), note(`… and ${lines.length - most} more in the report.`)];
}

const pairText = ({ baseline, variant }: Compared): Text => text`${name(variant)} against ${name(baseline)}`;

/** Whether the difference can be given as a share of the whole: not if it is larger than the whole, which other changes partly cancel. */
const isPart = (share: number | null): share is number => share !== null && share > 0 && share <= 1;

const NOTHING =
  'Observed runs: no group of functions, and no function, differs clearly in the direction of the whole. More of them may tell.';

/** Differences of hardware counters over the whole run; null: none is known, or none differs clearly. */
function workLine({ work = [] }: Explanation, of: Compared): string | null {
  const whole = work.find((one) => isOf(one, of) && one.phase === null);
  const story = whole === undefined ? null : storyOf(whole);
  return whole === undefined || story === null ? null : `${story}: ${workNumbers(whole)}.`;
}

/** The largest lines of the first of these kinds that has any; lines of phases are preferred to those of the whole run. */
function along(explanation: Explanation, of: Compared, ...kinds: readonly ExplainLine['kind'][]): ExplainLine[] {
  const { cpu_time_difference_s: whole } = of;
  // A decrease does not explain an increase.
  const isAlong = ({ difference }: ExplainLine): boolean => whole !== null && difference > 0 === whole > 0;
  for (const kind of kinds) {
    const lines = explanation.lines.filter((line) => isOf(line, of) && line.kind === kind);
    const phases = lines.filter(({ phase }) => phase !== null);
    const found = (phases.length > 0 ? phases : lines).filter(isAlong);
    if (found.length > 0) return found.toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
  }
  return [];
}

/** The whole section; `flame`: its drawing, if any. Null: nothing was observed. */
export function explained(findings: Findings, flame: Part = null): Section | null {
  const { explanation } = findings;
  if (explanation === undefined) return null;
  return section(
    'explanation',
    ['What goes with it'],
    note(HOW),
    timeName(explanation) === 'thread time' ? note(THREAD_TIME, isMixedTime(explanation) ? MIXED_TIME : '') : null,
    explanation.mix.some(({ of_whole_run: isWhole }) => isWhole) ? note(UNTIMED) : null,
    explanation.comparisons.map((of) => comparisonPart(explanation, of)),
    explanation.comparisons.length === 0 ? note('Too few runs could be observed to compare them.') : null,
    flame,
    explanation.mix.length === 0 || findings.variants.length > MAX_IN_PICTURE
      ? null
      : note('How each phase, or the whole run, spent its time is below the chart of power over time.'),
    switchesTable(explanation),
    tracedPart(explanation),
    ladder(explanation),
    stretch(explanation),
  );
}

const HOW =
  'From extra runs after the blocks, which were observed and count toward no energy figure. Intervals are of the scatter between these runs, and those of lines are wider than usual, since what is shown was picked for its size: 95 % of them are expected to hold. At most 5 % of the lines are expected to be false (q < 0.05). What goes with a difference need not be its cause: that takes an experiment that changes this one thing. Where a file can ask for it, confirm.yml is beside this report.';

const THREAD_TIME =
  "Functions and groups are reported by a runtime's profiler, in thread time: how long threads were seen in them. It differs from processor time: waiting for a processor is part of it, and with some profilers waiting in a call that blocks.";

const MIXED_TIME = " What Go's own profiler reported is among them, in processor time.";

const UNTIMED =
  'Functions and groups are of the whole run, and of no phase: the profiler that the experiment file names counts how often it saw them, but not when.';

function comparisonPart(explanation: Explanation, of: Compared): Part {
  const lines = explanation.lines.filter((line) => isOf(line, of));
  const ofKind = (...kinds: readonly ExplainLine['kind'][]) => lines.filter(({ kind }) => kinds.includes(kind));
  const [groups, functions, waits] = [ofKind('group'), ofKind('function'), ofKind('off-cpu')] as const;
  const commands = ofKind('command', 'command-time');
  const counts = lines.filter((line) => ![...groups, ...functions, ...commands, ...waits].includes(line));
  const isNamed = explanation.comparisons.length > 1;
  return [
    isNamed ? { kind: 'heading', level: 3, text: pairText(of) } : null,
    paragraph(...wholeText(of, of.time === undefined ? timeName(explanation) : timeText(of.time))),
    workPart(explanation, of),
    groups.length === 0 ? null : lineTable('Groups of functions that differ', groups, 'Group'),
    functions.length === 0 ? null : lineTable('Functions that differ', functions.slice(0, MAX_FUNCTIONS), 'Function'),
    functions.length > MAX_FUNCTIONS
      ? details(
          [`${functions.length - MAX_FUNCTIONS} more functions`],
          lineTable('More functions', functions.slice(MAX_FUNCTIONS), 'Function'),
        )
      : null,
    commands.length === 0 ? null : lineTable('Commands and statements that differ', commands, 'Command'),
    waits.length === 0 ? null : lineTable('Waiting that differs, summed over threads', waits, 'Waited for'),
    counts.length === 0 ? null : lineTable('Counts that differ', counts, 'What was counted'),
    lines.length === 0 ? note('No function, call or count differs clearly between the observed runs.') : null,
  ];
}

/** Whether a change is more instructions, or more cycles each: in words for the whole run, in a table for phases. */
function workPart(explanation: Explanation, of: Compared): Part {
  const own = (explanation.work ?? []).filter((one) => isOf(one, of));
  const line = workLine(explanation, of);
  if (own.length === 0) return null;
  return [
    paragraph(line ?? 'The cycles of the processor don’t differ clearly.'),
    table('Instructions and cycles', own, [
      own.length > 1 && { head: 'Phase', cell: ({ phase }) => phaseName(phase) },
      { head: 'Instructions (95 % CI)', numeric: true, cell: (work) => changeOf(work.instructions) },
      { head: 'Per cycle', numeric: true, cell: formatPerCycle },
      { head: 'Cycles (95 % CI)', numeric: true, cell: (work) => changeOf(work.cycles) },
      { head: 'What differs', spare: 1, cell: (work) => storyOf(work) ?? 'nothing clearly' },
    ]),
  ];
}

/** The whole difference, and how much of it is attributed to functions. */
function wholeText(
  { baseline, variant, cpu_time_difference_s: difference, ci95, explained_share: share }: Compared,
  time: string,
): Text {
  if (difference === null) {
    return text`What ${time} the observed runs of ${name(variant)} and ${name(baseline)} took is known for too few of them.`;
  }
  const isLess = difference < 0;
  const around: typeof ci95 = isLess && ci95 !== null ? [-ci95[1], -ci95[0]] : ci95;
  const amount = differenceOf({ unit: 's', difference: Math.abs(difference), ci95: around }).replace(/^\+/, '');
  const reported = text`The observed runs of ${name(variant)} took ${amount} ${isLess ? 'less' : 'more'} ${time} per run than those of ${name(baseline)}.`;
  // Then shares of functions in it are undefined.
  if (ci95 !== null && ci95[0] <= 0 && ci95[1] >= 0) return text`${reported} As a whole, that is no clear difference.`;
  if (share !== null && share > 1) {
    const named = differenceOf({ unit: 's', difference: share * Math.abs(difference), ci95: null }).replace(/^\+/, '');
    const [rest, same] = isLess ? ['more', 'less'] : ['less', 'more'];
    return text`${reported} The functions below add up to ${named} ${same}, which is more than that: all others together took ${rest}, or varied by chance.`;
  }
  if (!isPart(share)) return reported;
  const left = 1 - share;
  const rest = left > 0.005 ? `; the other ${fixed(100 * left, 0)} % are small, unclear or not sampled` : '';
  return text`${reported} The functions below make up ${fixed(100 * share, 0)} % of it${rest}.`;
}

function lineTable(label: string, lines: readonly ExplainLine[], head: string): Table {
  const hasPhases = lines.some(({ phase }) => phase !== null);
  const most = Math.max(...lines.filter(({ unit }) => unit === 's').map((of) => Math.max(of.baseline, of.variant)));
  const kinds = new Set(lines.map(({ kind }) => kind));
  return table(label, lines, [
    hasPhases && { head: 'Phase', cell: ({ phase }) => phaseName(phase) },
    kinds.size > 1 && { head: 'Kind', spare: 3, cell: ({ kind }) => KINDS[kind] },
    { head, cell: lineName },
    { head: 'Difference (95 % CI)', numeric: true, cell: (line) => differenceOf(line, most) },
    { head: 'Means of a run', numeric: true, spare: 2, cell: (line) => meansText(line, most) },
    { head: 'q', numeric: true, spare: 1, cell: ({ q }) => (q === null ? null : pText(q).replace(/^p (?:= )?/, '')) },
  ]);
}

/** Context switches: control groups don't count them, so measured runs have none. */
function switchesTable({ switches = [] }: Explanation): Part {
  if (switches.length === 0) return null;
  const hasPhases = switches.some(({ phase }) => phase !== null);
  const whole = (amount: number): string => Math.round(amount).toLocaleString('en-US');
  const rows = table<Switches>('Context switches of the workload alone', switches, [
    { head: 'Variant', cell: ({ variant }) => name(variant) },
    hasPhases && { head: 'Phase', cell: ({ phase }) => phaseName(phase) },
    { head: 'Mean of a run', numeric: true, cell: ({ mean }) => whole(mean) },
    { head: '95 % CI', numeric: true, cell: ({ ci95 }) => ci95 && `${whole(ci95[0])} to ${whole(ci95[1])}` },
    { head: 'Observed runs', numeric: true, spare: 1, cell: ({ runs }) => String(runs) },
  ]);
  return details(['Context switches of the workload alone'], rows);
}

/** How the runs were observed, and what could not be observed. */
function ladder({ rungs, counters = [] }: Explanation): Part {
  const missing = missingCounters(counters).map(code);
  const used = rungs
    .filter(({ state }) => state === 'used')
    .map(({ name: of }): Text => {
      const lacks = of === 'perf-counters' && counters.length > 0 && missing.length > 0;
      return text`Seen: ${rungText(of)}${
        lacks
          ? text`, but for ${joined(missing, ', ')}, which this processor doesn’t count, or not all of the time`
          : []
      }.`;
    });
  const others = rungs.filter(({ state }) => state !== 'used');
  const blind = others.map(
    ({ name: of, state, missing }): Text =>
      text`Not seen: ${rungText(of)}${state === 'failed' ? ', although it was begun' : ''}: ${limitationText(missing, of)}.`,
  );
  const lacking = rungs.flatMap(({ name: of, lacking: all = [] }) =>
    all.map(({ of: variant, rounds, missing }): Text => {
      const runs = `${rounds.length === 1 ? 'round' : 'rounds'} ${rounds.join(', ')}`;
      return text`Not seen of ${name(variant)} in ${runs}: ${rungText(of)}: ${limitationText(missing, of)}.`;
    }),
  );
  const all = [...used, ...lacking, ...blind];
  return all.length === 0 ? null : details(['How the runs were observed, and what could not be seen'], list(all));
}

function stretch({ stretch: all }: Explanation): Part {
  if (all.length === 0) return null;
  const most = all.reduce((a, b) => (b.factor > a.factor ? b : a));
  const reported =
    most.factor < CLEAR_STRETCH
      ? ['Observing made no phase more than 5 % longer.']
      : text`Observing made the runs longer, most in ${phaseName(most.phase)} of ${name(most.of)}: ${fixed(100 * (most.factor - 1), 0)} %.`;
  const rows = table('How much longer observed runs took', all, [
    { head: 'Variant', cell: ({ of }) => name(of) },
    { head: 'Phase', cell: ({ phase }) => phaseName(phase) },
    { head: 'Duration beside that of the measured runs', numeric: true, cell: stretchText },
  ]);
  return [note(...reported), details(['By phase'], rows)];
}
