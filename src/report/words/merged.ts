import type { LeftOut, Merged } from '../../findings/merged.ts';
import type { Interval } from '../../findings/numbers.ts';
import { fixed, percent, percentInterval } from '../../text/numbers.ts';
import { name, type Text, text } from '../document/text.ts';
import { percentOfLog } from './change.ts';

/** Of 100 × a mean log ratio. */
export const percentOf = (logPercent: number): number => percentOfLog(logPercent / 100);
export const intervalOf = ([low, high]: Interval): Interval => [percentOf(low), percentOf(high)];

/** `On 4 of 5 machines bridge used more energy than native; on 1 the difference is open.` */
export function machinesWords({ machines, baseline, variant }: Merged): Text {
  const more = machines.filter(({ ci95: [low] }) => low > 0).length;
  const less = machines.filter(({ ci95: [, high] }) => high < 0).length;
  const open = machines.length - more - less;
  const on = (count: number): string =>
    count === machines.length ? `all ${count} machines` : `${count} of ${machines.length} machines`;
  const names = text`${name(variant)}`;
  const than = text`than ${name(baseline)}`;
  if (more + less === 0) return text`No machine by itself shows a difference between ${names} and ${name(baseline)}.`;
  const rest = open === 0 ? '' : `; on ${open} the difference is open`;
  if (more > 0 && less > 0) {
    return text`The machines disagree: on ${String(more)} ${names} used more energy ${than}, on ${String(less)} less${rest}.`;
  }
  return text`On ${on(more + less)} ${names} used ${more > 0 ? 'more' : 'less'} energy ${than}${rest}.`;
}

/** What is known of the machines as a whole, and of one that was not measured yet. */
export function pooledWords({ machines, pooled }: Merged): string {
  const interval = intervalOf(pooled.ci95);
  const together = `Together: ${percent(percentOf(pooled.percent), interval)} (95 % CI ${percentInterval(interval)}).`;
  if (machines.length === 2) return `${together} Two machines do not generalize: nothing can be said about a third.`;
  const expected = `${percentInterval(intervalOf(pooled.prediction95))} %`;
  const few = machines.length < 5 ? ` With ${machines.length} machines that is a rough guess.` : '';
  return `${together} On a machine not yet tried, expect ${expected} (95 % prediction interval).${few}`;
}

/** Whether the machines differ, and by how much. */
export function heterogeneityWords({ pooled }: Merged): string {
  const { tau_percent: tau, tau_ci95: tauInterval, i2_percent: share, i2_ci95: shareInterval, p } = pooled;
  const found =
    p < 0.05
      ? 'The machines differ by more than their own errors'
      : 'No difference between the machines was shown beyond their own errors';
  const round = (value: number): string => fixed(value, 1);
  return `${found}: τ ${round(tau)} % (${round(tauInterval[0])} to ${round(tauInterval[1])}), I² ${fixed(share, 0)} % (${fixed(shareInterval[0], 0)} to ${fixed(shareInterval[1], 0)}).`;
}

const DIFFERENT: Readonly<Record<Merged['differs'][number], string>> = {
  experiment: 'the experiments have different names',
  command: 'the commands are not the same',
  meter: 'the meters are of different types',
  part: 'the meters see different parts of the machine',
  margin: 'the margins are not the same',
};

/** What else differs, as a sentence; null: nothing. */
export function differsWords({ differs }: Merged): string | null {
  if (differs.length === 0) return null;
  return `The machines are not all that differs: ${differs.map((each) => DIFFERENT[each]).join('; ')}. The pooled change mixes these.`;
}

const LEFT_OUT: Readonly<Record<LeftOut, string>> = {
  failed: 'it failed',
  'no-blocks': 'it has fewer than two complete blocks',
  'no-spread': 'its blocks do not differ, so its error is not known',
};

export function leftOutWords({ result, because }: Merged['left_out'][number]): Text {
  return text`${name(result)} is left out: ${LEFT_OUT[because]}.`;
}
