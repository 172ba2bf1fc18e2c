import type { Interval } from '../../../../findings/numbers.ts';
import type { SeriesStyle } from '../../../../report/charts/canvas/theme.ts';
import { unitFor as bestUnit, percentWithInterval, quantity, signed, significant } from '../../../../text/numbers.ts';
import { plain, plural } from '../../../../text/plain.ts';
import { MIN_POINTS } from '../steps/find-steps.ts';
import type { TrendLine, TrendSeries } from '../trend.ts';

/** Display settings of a series. */
export interface View {
  /** Names of the variants; null: all. */
  readonly variants: ReadonlySet<string> | null;
  /** Only so many of the latest experiments; null: all. */
  readonly latest: number | null;
  readonly unit: Unit;
}

/** How energies are drawn. `percent`: against each line's first level, so that lines that lie far apart can be compared. */
export type Unit = 'joules' | 'percent';

/** Maximum ratio of levels for one axis of joules: beyond it, small steps would be invisible. */
const MAX_RATIO = 1.5;

export function unitFor({ lines }: TrendSeries): Unit {
  const levels = lines.flatMap((line) => line.levels.map(({ value }) => value));
  return Math.max(...levels) > MAX_RATIO * Math.min(...levels) ? 'percent' : 'joules';
}

/** One drawn point: an experiment, or several that lie side by side. */
export interface Drawn {
  readonly x: number;
  readonly y: number;
  readonly low: number | null;
  readonly high: number | null;
  /** Whether a check failed in the experiment, or in all experiments of the point. */
  readonly untrusted: boolean;
  readonly tip: readonly string[];
}

/** A line as it is drawn. */
export interface DrawnLine {
  readonly line: TrendLine;
  readonly style: SeriesStyle;
  readonly label: string;
  readonly points: readonly Drawn[];
  readonly toUnit: (value: number) => number;
}

/** Experiments for which a point is drawn; more are drawn together. */
export function groupSize(shown: number, mostPoints: number): number {
  return Math.max(1, Math.ceil(shown / Math.max(1, mostPoints)));
}

/** Number of the first experiment that is shown. */
export function firstShown(series: TrendSeries, { latest }: View): number {
  return latest === null ? 0 : Math.max(0, series.startedAt.length - latest);
}

/** An energy in joules, or in percent of the line's first level; a difference as it is. */
export function inUnit({ levels, baseline }: TrendLine, unit: Unit): (value: number) => number {
  const first = levels[0]?.value ?? 1;
  return unit === 'joules' || baseline !== null ? (value) => value : (energyJ) => 100 * (energyJ / first - 1);
}

/**
 * The points of a line from the experiment `from` on. A group has the mean, and reaches from its lowest interval to its highest; none spans a step.
 */
export function drawnPoints(series: TrendSeries, line: TrendLine, from: number, size: number, unit: Unit): Drawn[] {
  const of = inUnit(line, unit);
  const groups = new Map<string, number[]>();
  let level = 0;
  for (const [i, at] of line.at.entries()) {
    if (at < from) continue;
    while (level < line.steps.length && line.steps[level]!.at <= at) level += 1;
    const group = `${level} ${Math.floor((at - from) / size)}`;
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [i]);
    else members.push(i);
  }
  return [...groups.values()].map((members) => {
    const mean = members.reduce((sum, i) => sum + line.values[i]!, 0) / members.length;
    let [low, high] = [Infinity, -Infinity];
    for (const i of members) {
      low = Math.min(low, line.lows[i] ?? line.values[i]!);
      high = Math.max(high, line.highs[i] ?? line.values[i]!);
    }
    const [first, last] = [line.at[members[0]!]!, line.at[members.at(-1)!]!];
    const tip = members.length === 1 ? oneTip(series, line, members[0]!) : groupTip(series, line, members, mean);
    const untrusted = members.every((i) => isUntrusted(series, line.at[i]!));
    return { x: (first + last) / 2, y: of(mean), low: of(low), high: of(high), untrusted, tip };
  });
}

function oneTip(series: TrendSeries, line: TrendLine, i: number): string[] {
  const at = line.at[i]!;
  const commit = series.commits[at];
  return [
    `${lineName(line)}: ${valueText(line, line.values[i]!, intervalAt(line, i))}`,
    `${dateText(series.startedAt[at]!)}${commit ? `, commit ${commit.slice(0, 8)}` : ''}, ${plural(line.runs[i]!, 'run')}`,
    ...untrustedNote(series, at),
    ...line.steps.filter((step) => step.at === at).map((step) => `first after a step of ${stepText(step)}`),
    ...series.notes.filter((note) => note.at === at).map(({ text }) => `note: ${plain(text, 100)}`),
    ...line.rebuilt.filter((image) => image.at === at).map(({ reference }) => `image ${plain(reference, 60)} rebuilt`),
  ];
}

function groupTip(series: TrendSeries, line: TrendLine, members: readonly number[], mean: number): string[] {
  const times = members.map((i) => dateText(series.startedAt[line.at[i]!]!)).sort();
  return [
    `${lineName(line)}: mean of ${members.length} experiments ${valueText(line, mean)}`,
    `${times[0]} to ${times.at(-1)}`,
  ];
}

export function isUntrusted({ failedChecks }: TrendSeries, at: number): boolean {
  return (failedChecks[at] ?? []).length > 0;
}

/** Why an experiment can't be trusted; nothing where it can. */
export function untrustedNote({ failedChecks }: TrendSeries, at: number): string[] {
  const failed = failedChecks[at] ?? [];
  return failed.length === 0 ? [] : [`can't be trusted (failed: ${plain(failed.join(', '), 100)})`];
}

/** Level now against the first one, percent; 0 where there is no step. */
export function risePercent({ levels, baseline }: TrendLine): number {
  const [first, last] = [levels[0]?.value ?? 0, levels.at(-1)?.value ?? 0];
  const ratio = baseline === null ? last / first : (100 + last) / (100 + first);
  return Number.isFinite(ratio) ? 100 * (ratio - 1) : 0;
}

/** Lines that one of the latest experiments of all of them has, or failed to have. A variant that was renamed or removed leaves its line behind. */
export function currentLines(lines: readonly TrendLine[]): readonly TrendLine[] {
  const since = Math.max(...lines.map(({ at }) => at.at(-1) ?? 0)) - MIN_POINTS;
  return lines.filter(({ at, failed }) => Math.max(at.at(-1) ?? 0, failed.at(-1) ?? 0) > since);
}

/** Lines that a chart, and a table with a column each, has room for. */
export const MAX_LINES = 12;

/** Those of the lines that moved most, else differ most, current ones first, as many as there is room for, in their order. */
export function mostMoved(lines: readonly TrendLine[]): readonly TrendLine[] {
  const latest = ({ baseline, values }: TrendLine): number => (baseline === null ? 0 : Math.abs(values.at(-1) ?? 0));
  const current = new Set(currentLines(lines));
  const by = (a: TrendLine, b: TrendLine): number =>
    Number(current.has(b)) - Number(current.has(a)) ||
    Math.abs(risePercent(b)) - Math.abs(risePercent(a)) ||
    latest(b) - latest(a);
  const chosen = new Set(lines.toSorted(by).slice(0, MAX_LINES));
  return lines.filter((line) => chosen.has(line));
}

/** Whether it has enough experiments without failed checks to look for steps in it. */
export function isLookedThrough({ trusted }: TrendLine): boolean {
  return trusted >= MIN_POINTS;
}

/** `container`, `container against native`. */
export function lineName({ variant, baseline }: TrendLine): string {
  return baseline === null ? plain(variant, 60) : `${plain(variant, 60)} against ${plain(baseline, 60)}`;
}

/** `250.1 J (249.6 to 250.7)`, `+3.1 % (+2.6 to +3.7)`. */
export function valueText({ baseline }: TrendLine, value: number, interval: Interval | null = null): string {
  if (baseline !== null) return percentWithInterval(value, interval);
  const joules = quantity(value, 'J');
  if (interval === null) return joules;
  const [low, high] = interval.map((end) => significant(end / bestUnit(value, 'J').size, 4));
  return `${joules} (${low} to ${high})`;
}

export function intervalAt({ lows, highs }: TrendLine, i: number): Interval | null {
  const [low, high] = [lows[i] ?? null, highs[i] ?? null];
  return low === null || high === null ? null : [low, high];
}

/** `2026-01-05 08:00`, UTC. */
export function dateText(iso: string): string {
  return new Date(iso).toISOString().slice(0, 16).replace('T', ' ');
}

export function stepText({ percent, ci95 }: TrendLine['steps'][number]): string {
  return percentWithInterval(percent, ci95);
}

/** `+2.1 %`, for where there is little room. */
export function shortStep({ percent }: TrendLine['steps'][number]): string {
  return `${signed(percent, Math.abs(percent) < 10 ? 1 : 0)} %`;
}
