import { details, note, type Part, paragraph, table } from '../../../../report/document/blocks.ts';
import { joined, type Link, type Text } from '../../../../report/document/text.ts';
import { copiedWord } from '../../../../report/escape.ts';
import { MISSING, percentWithInterval, significant } from '../../../../text/numbers.ts';
import { plain, plural } from '../../../../text/plain.ts';
import { shortDigest } from '../changes.ts';
import { MIN_POINTS } from '../steps/find-steps.ts';
import type { TrendLine, TrendSeries } from '../trend.ts';
import {
  dateText,
  intervalAt,
  isLookedThrough,
  lineName,
  MAX_LINES,
  mostMoved,
  risePercent,
  stepText,
  untrustedNote,
  valueText,
} from './view.ts';

/** Tables of the page as text, used by its HTML and by its script. */

export interface ExperimentRow {
  readonly date: string;
  readonly commit: Link | string;
  /** One for each difference of the place, then one for each energy. */
  readonly values: readonly string[];
  readonly notes: readonly string[];
  readonly report: Link | string;
}

/** An http(s) address that is safe in an attribute; null: unsafe. */
function safeLink(address: string | null): string | null {
  return address !== null && /^https?:\/\/[^\s"'<>\\`]+$/i.test(address) ? address : null;
}

export function commitLink(series: TrendSeries, at: number): Link | string {
  const commit = series.commits[at];
  if (!commit) return MISSING;
  const repository = safeLink(series.repository);
  const link = commit.slice(0, 8);
  return repository === null ? link : { link, href: `${repository.replace(/\/+$/, '')}/commit/${commit}` };
}

function reportLink(series: TrendSeries, at: number): Link | string {
  const href = safeLink(series.reports[at] ?? null);
  return href === null ? MISSING : { link: 'report', href };
}

/** Where each experiment stands in each line: a place is looked through once, however long it is. */
export function rowReader(series: TrendSeries): (at: number) => ExperimentRow {
  const lines = columnsOf(series);
  const every = linesOf(series);
  const indexes = lines.map((line) => new Map(line.at.map((at, i) => [at, i])));
  const failed = lines.map((line) => new Set(line.failed));
  const noted = new Map(series.notes.map(({ at, text }) => [at, [`note: ${plain(text)}`]]));
  return (at) => ({
    date: dateText(series.startedAt[at]!),
    commit: commitLink(series, at),
    values: lines.map((line, l) => (failed[l]!.has(at) ? 'failed' : cellText(line, indexes[l]!.get(at)))),
    notes: [
      ...untrustedNote(series, at),
      ...(noted.get(at) ?? []),
      ...few(
        every.flatMap((line) =>
          line.steps.filter((step) => step.at === at).map((step) => `${lineName(line)}: step of ${stepText(step)}`),
        ),
      ),
      ...new Set(
        series.lines.flatMap(({ rebuilt }) =>
          rebuilt.filter((image) => image.at === at).map(({ reference }) => `image ${plain(reference, 100)} rebuilt`),
        ),
      ),
    ],
    report: reportLink(series, at),
  });
}

/** Every line of a place with more lines than its chart shows, such as a suite: those with a step in the open. Null: the chart shows all. */
export function linesTable(series: TrendSeries): Part {
  const lines = series.differences.length > 0 ? series.differences : series.lines;
  if (lines.length <= MAX_LINES) return null;
  const size = (line: TrendLine): number => Math.abs(risePercent(line));
  const rows = lines.toSorted((a, b) => size(b) - size(a));
  const changed = rows.filter(({ steps }) => steps.length > 0);
  const tableOf = (label: string, shown: readonly TrendLine[]): Part =>
    table(label, shown, [
      { head: 'Line', cell: lineText },
      {
        head: 'Latest',
        numeric: true,
        cell: (line) => valueText(line, line.values.at(-1)!, intervalAt(line, line.values.length - 1)),
      },
      {
        head: 'Since the first level',
        numeric: true,
        cell: (line) => {
          if (line.steps.length > 0) return percentWithInterval(risePercent(line), null);
          return isLookedThrough(line) ? 'no step' : 'too few without failed checks';
        },
      },
      { head: 'Experiments', numeric: true, cell: ({ at }) => `${at.length}` },
    ]);
  return [
    changed.length === 0 ? null : { kind: 'heading', level: 3, text: ['Lines with a step'] },
    changed.length === 0 ? null : tableOf('Lines with a step', changed),
    details([`All ${lines.length} lines, to search and sort`], tableOf('All lines', rows)),
  ];
}

/** In the order of the page: what is measured best comes first. */
function linesOf({ differences, lines }: TrendSeries): readonly TrendLine[] {
  return [...differences, ...lines];
}

/** Lines that have a column in the table of experiments. */
const columnsOf = ({ differences, lines }: TrendSeries): readonly TrendLine[] => [
  ...mostMoved(differences),
  ...mostMoved(lines),
];

const MAX_NAMED = 5;

/** The first of many, and how many more there are. */
const few = (texts: readonly string[]): readonly string[] =>
  texts.length > MAX_NAMED ? [...texts.slice(0, MAX_NAMED), `and ${texts.length - MAX_NAMED} more steps`] : texts;

/** `250.1 (249.6 to 250.7)`; its unit stands above it. */
function cellText(line: TrendLine, i: number | undefined): string {
  if (i === undefined) return MISSING;
  const value = line.values[i]!;
  const interval = intervalAt(line, i);
  if (line.baseline !== null) return percentWithInterval(value, interval).replace(' %', '');
  const mean = significant(value, 5);
  return interval === null ? mean : `${mean} (${significant(interval[0], 5)} to ${significant(interval[1], 5)})`;
}

export interface StepRow {
  readonly line: Text;
  readonly size: string;
  /** Last before, first behind. */
  readonly before: Link | string;
  readonly behind: Link | string;
  readonly date: string;
  /** Commits among which it may lie; empty: only this one. */
  readonly range: readonly (Link | string)[];
  readonly changed: string;
  readonly notes: string;
  /** Command that looks for the commit. */
  readonly bisect: Text;
}

/** The latest first. */
function stepRows(series: TrendSeries): StepRow[] {
  const steps = linesOf(series).flatMap((line) => line.steps.map((step) => ({ line, step })));
  return steps
    .sort((a, b) => b.step.at - a.step.at)
    .map(({ line, step }) => ({
      line: lineText(line),
      size: stepText(step),
      before: commitLink(series, step.before),
      behind: commitLink(series, step.at),
      date: dateText(series.startedAt[step.at]!),
      range: step.range[0] === step.range[1] ? [] : step.range.map((at) => commitLink(series, at)),
      changed: step.changed.join('; ') || MISSING,
      notes: notesAt(series, step.range).join('; ') || MISSING,
      bisect: step.commits === null ? [MISSING] : [{ code: bisectCommand(step.commits, line, 12) }],
    }));
}

/** Notes of the experiments from the first to the last of a range. */
export function notesAt({ notes }: Pick<TrendSeries, 'notes'>, [first, last]: readonly [number, number]): string[] {
  return [...new Set(notes.filter(({ at }) => at >= first && at <= last).map(({ text }) => plain(text)))];
}

/** The command that finds the commit of a step, with so many digits of each hash; for a reader with an experiment file. */
export function bisectCommand(
  commits: readonly [string, string],
  { variant, isAtCommit }: Pick<TrendLine, 'variant' | 'isAtCommit'>,
  digits = 64,
): string {
  const ends = commits.map((commit) => commit.slice(0, digits)).join(' ');
  return `joulediff bisect ${ends} --config joulediff.yml${isAtCommit ? '' : ` --variant ${copiedWord(variant)}`}`;
}

export interface RebuiltRow {
  readonly reference: string;
  readonly from: string;
  readonly to: string;
  readonly date: string;
  readonly commit: Link | string;
}

/** The latest first; an image that several variants use, once. */
function rebuiltRows(series: TrendSeries): RebuiltRow[] {
  const all = new Map(
    series.lines.flatMap((line) => line.rebuilt).map((image) => [`${image.at} ${image.reference} ${image.to}`, image]),
  );
  return [...all.values()]
    .sort((a, b) => b.at - a.at)
    .map(({ at, reference, from, to }) => ({
      reference,
      from: shortDigest(from),
      to: shortDigest(to),
      date: dateText(series.startedAt[at]!),
      commit: commitLink(series, at),
    }));
}

const MAX_MARKS = 100;

export function stepsTable(series: TrendSeries): Part {
  const rows = stepRows(series);
  const short = linesOf(series).filter((line) => !isLookedThrough(line));
  if (rows.length === 0) return note(...noStep(series, short));
  return [
    { kind: 'heading', level: 3, text: ['Steps found'] },
    table('Steps found', rows.slice(0, MAX_MARKS), [
      { head: 'First measured after it (UTC)', cell: ({ date }) => date },
      { head: 'In', cell: ({ line }) => line },
      { head: 'Size', numeric: true, cell: ({ size }) => size },
      { head: 'Between the commits', cell: ({ before, behind }) => [before, ' → ', behind] },
      { head: 'It may begin at', cell: ({ range }) => (range.length === 0 ? 'only there' : linked(range)) },
      { head: 'What else changed', cell: ({ changed }) => changed },
      { head: 'Note', cell: ({ notes }) => notes },
      { head: 'Find the commit', cell: ({ bisect }) => bisect },
    ]),
    rows.every(({ bisect }) => bisect[0] === MISSING)
      ? null
      : note('Without an experiment file, write -- COMMAND in the place of --config and what follows.'),
    more(rows.length),
  ];
}

/** Text if no step was found, which only concerns lines that are long enough. */
function noStep(series: TrendSeries, short: readonly TrendLine[]): Text {
  const all = linesOf(series);
  if (short.length === 0) return ['No step was found.'];
  const most = Math.max(...short.map(({ at }) => at.length));
  const few = `the search for steps needs ${MIN_POINTS} without failed checks.`;
  if (short.length === all.length) return [`Only ${plural(most, 'experiment')} so far: ${few}`];
  const left = short.length - MAX_NAMED;
  const names = joined([...short.slice(0, MAX_NAMED).map(lineText), ...(left > 0 ? [[`${left} more`]] : [])], ', ');
  return ['No step was found. Too few experiments so far for ', ...names, `: ${few}`];
}

function lineText({ variant, baseline }: TrendLine): Text {
  return baseline === null ? [{ name: variant }] : [{ name: variant }, ' against ', { name: baseline }];
}

function linked(commits: readonly (Link | string)[]): Text {
  return joined(
    commits.map((commit) => [commit]),
    ' to ',
  );
}

/** Null where no image was rebuilt. */
export function rebuiltTable(series: TrendSeries): Part {
  const rows = rebuiltRows(series);
  if (rows.length === 0) return null;
  const title = 'Images rebuilt under the same tag';
  return [
    { kind: 'heading', level: 3, text: [title] },
    table(title, rows.slice(0, MAX_MARKS), [
      { head: 'First used (UTC)', cell: ({ date }) => date },
      { head: 'Image', cell: ({ reference }) => ({ name: reference }) },
      { head: 'Digest before', cell: ({ from }) => ({ code: from }) },
      { head: 'Digest now', cell: ({ to }) => ({ code: to }) },
      { head: 'Commit', cell: ({ commit }) => commit },
    ]),
    more(rows.length, ''),
  ];
}

/** What a rebuild cost, where both images were measured in the same blocks; the latest first. Null where none were. */
export function imagesTable(series: TrendSeries): Part {
  const rows = series.imagesCompared.toReversed();
  if (rows.length === 0) return null;
  const title = 'Images measured against each other';
  return [
    { kind: 'heading', level: 3, text: [title] },
    table(title, rows.slice(0, MAX_MARKS), [
      { head: 'First measured together (UTC)', cell: ({ at }) => dateText(series.startedAt[at]!) },
      { head: 'Image', cell: ({ references: [before, now] }) => imageNames(before, now) },
      {
        head: 'Difference in energy',
        numeric: true,
        cell: ({ at, percent, ci95 }) => [percentWithInterval(percent, ci95), ...untrustedNote(series, at)].join('; '),
      },
      { head: 'Digest of the baseline', cell: ({ from }) => ({ code: shortDigest(from) }) },
      { head: 'Digest', cell: ({ to }) => ({ code: shortDigest(to) }) },
      { head: 'Commit', cell: ({ at }) => commitLink(series, at) },
    ]),
    more(rows.length, ''),
  ];
}

/** Names of two images; an older one often has only an id or digest. */
function imageNames(before: string, now: string): Text {
  const tag = before.replace(/@.*$/, '');
  const isAnother = tag !== now.replace(/@.*$/, '') && !/^sha256:/.test(before);
  return isAnother ? [{ name: now }, ' against ', { name: before }] : [{ name: now }];
}

function more(count: number, others = '; all of them are in history.csv'): Part {
  return count > MAX_MARKS ? note(`The latest ${MAX_MARKS} of ${count}${others}.`) : null;
}

/** So many of the latest experiments; the program of the page leads to all others. */
export function experimentsTable(series: TrendSeries, most: number): Part {
  const read = rowReader(series);
  const count = series.startedAt.length;
  const rows = Array.from({ length: Math.min(count, most) }, (_, i) => read(count - 1 - i));
  const left = `The latest ${most} of ${count}; all of them are in history.csv.`;
  const columns = columnsOf(series);
  const lines = linesOf(series).length;
  return [
    table('Experiments', rows, [
      { head: 'Measured (UTC)', cell: ({ date }) => date },
      { head: 'Commit', cell: ({ commit }) => commit },
      ...columns.map((line, i) => ({
        head: { strong: [...lineText(line), line.baseline === null ? ' (J)' : ' (%)'] },
        numeric: true,
        cell: ({ values }: ExperimentRow) => values[i]!,
      })),
      { head: 'Remarks', cell: ({ notes }) => notes.join('; ') },
      { head: 'Report', cell: ({ report }) => report },
    ]),
    count > most ? { ...paragraph(left), role: 'fallback' } : null,
    columns.length < lines
      ? note(`Columns: ${columns.length} of ${lines} lines, those that moved most; all of them are in history.csv.`)
      : null,
  ];
}
