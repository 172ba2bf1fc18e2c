import type { Verdict } from '../../../../findings/comparison.ts';
import type { Findings } from '../../../../findings/findings.ts';
import type { LeftOut, Merged } from '../../../../findings/merged.ts';
import type { Interval } from '../../../../findings/numbers.ts';
import { name, type Text, text } from '../../../../report/document/text.ts';
import { percentOfLog } from '../../../../report/words/change.ts';
import { fixed, percent, percentInterval } from '../../../../text/numbers.ts';

/** Converts a pooled mean log ratio, which is given times 100, into a change in percent. */
export const percentOf = (logPercent: number): number => percentOfLog(logPercent / 100);
export const intervalOf = ([low, high]: Interval): Interval => [percentOf(low), percentOf(high)];

/** `machines`, or `results` where several may be of one machine. */
export const studiesWord = ({ by }: Merged): string => (by === 'machine' ? 'machines' : 'results');

/**
 * `On 4 of 5 machines bridge used more energy than native; on 1 the difference is inconclusive.` Each machine counts by its own verdict: a change
 * within the margin is no open one.
 */
export function machinesWords(merged: Merged): Text {
  const { machines, baseline, variant, by } = merged;
  const count = (...verdicts: readonly Verdict[]): number =>
    machines.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const [more, less, within] = [count('increase'), count('decrease'), count('equivalent', 'changed-within-margin')];
  const open = machines.length - more - less - within;
  const [on, what] = by === 'machine' ? ['On', 'machine'] : ['In', 'result'];
  const names = text`${name(variant)}`;
  const than = text`than ${name(baseline)}`;
  const those = (some: number): string => {
    if (some < machines.length) return `${some} of ${machines.length} ${what}s`;
    return some === 2 ? `both ${what}s` : `all ${some} ${what}s`;
  };
  const rest = [
    within > 0 && within < machines.length ? `; ${on.toLowerCase()} ${within} it stays within the margin` : '',
    open > 0 ? `; ${on.toLowerCase()} ${open} the difference is inconclusive` : '',
  ].join('');
  if (more + less === 0) {
    if (within > 0) {
      const others = open > 0 ? `; ${on.toLowerCase()} ${open} it is inconclusive` : '';
      return text`${on} ${those(within)} the change from ${name(baseline)} to ${names} stays within the margin${others}.`;
    }
    return text`No ${what} by itself shows a difference between ${names} and ${name(baseline)}.`;
  }
  if (more > 0 && less > 0) {
    return text`The ${what}s disagree: ${on.toLowerCase()} ${String(more)} ${names} used more energy ${than}, ${on.toLowerCase()} ${String(less)} less${rest}.`;
  }
  return text`${on} ${those(more + less)} ${names} used ${more > 0 ? 'more' : 'less'} energy ${than}${rest}.`;
}

type MeterSource = Findings['meter']['source'];

const KINDS = {
  measured: 'measured',
  modelled: 'estimated by a model',
  emulated: 'from an emulated meter',
  unknown: 'of an unknown source',
} as const satisfies Record<MeterSource, string>;

/** `The results of sort are not pooled: 2 are measured, 1 is estimated by a model, and these are never mixed.` */
export function notPooledWords(experiment: string, bySource: ReadonlyMap<MeterSource, readonly unknown[]>): Text {
  const kinds = [...bySource].map(
    ([source, { length }]) => `${length} ${length === 1 ? 'is' : 'are'} ${KINDS[source]}`,
  );
  return text`The results of ${name(experiment)} are not pooled: ${kinds.join(', ')}, and these are never mixed.`;
}

/** What is known of the machines as a whole, and of one that was not measured yet. */
export function pooledWords({ machines, pooled, by }: Merged): string {
  const interval = intervalOf(pooled.ci95);
  const together = `Together: ${percent(percentOf(pooled.percent), interval)} (95 % CI ${percentInterval(interval)}).`;
  if (by === 'result')
    return `${together} These are results, not machines: they say nothing about a machine not yet tried.`;
  if (machines.length === 2)
    return `${together} Two machines are too few to generalize from: nothing can be said about a third.`;
  const expected = `${percentInterval(intervalOf(pooled.prediction95))} %`;
  const few = machines.length < 5 ? ` With ${machines.length} machines that is a rough guess.` : '';
  return `${together} On a machine not yet tried, expect ${expected} (95 % prediction interval).${few}`;
}

/** Whether the machines differ, and by how much. */
export function heterogeneityWords(merged: Merged): string {
  const { pooled } = merged;
  const what = studiesWord(merged);
  const { tau_percent: tau, tau_ci95: tauInterval, i2_percent: share, i2_ci95: shareInterval, p } = pooled;
  const found =
    p < 0.05
      ? `The ${what} differ by more than their own errors`
      : `No difference between the ${what} was shown beyond their own errors`;
  const round = (value: number): string => fixed(value, 1);
  return `${found}: τ ${round(tau)} % (${round(tauInterval[0])} to ${round(tauInterval[1])}), I² ${fixed(share, 0)} % (${fixed(shareInterval[0], 0)} to ${fixed(shareInterval[1], 0)}).`;
}

const DIFFERENT: Readonly<Record<Merged['differs'][number], string>> = {
  experiment: 'the experiments have different names',
  command: 'the commands are not the same',
  meter: 'the meters are of different types',
  part: 'the meters see different parts of the machine',
  margin: 'the margins are not the same',
  partial: 'partial experiments lack some of their planned runs',
};

/** What else differs, as a sentence; null: nothing. */
export function differsWords({ differs }: Merged): string | null {
  if (differs.length === 0) return null;
  return `More than the machine differs: ${differs.map((each) => DIFFERENT[each]).join('; ')}. The pooled change mixes these.`;
}

const LEFT_OUT: Readonly<Record<LeftOut, string>> = {
  failed: 'it failed',
  untrusted: 'a check failed, so its numbers can’t be trusted',
  'no-blocks': 'it has fewer than two complete blocks',
  'no-spread': 'its blocks do not differ, so its error is not known',
};

export function leftOutWords({ result, because }: Merged['left_out'][number]): Text {
  return text`${name(result)} is left out: ${LEFT_OUT[because]}.`;
}
