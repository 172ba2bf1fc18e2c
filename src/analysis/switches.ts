import { type Counted, type Counter, counted, IdleCounter, type RecordedCounter } from '../findings/resources.ts';
import type { RunResult } from './results.ts';

/**
 * Counters of a run, with its context switches above idle: the machine's in the window (`durationS`), minus those of an equally long idle period,
 * by the mean of the rates before and after. The true idle rate lies between the two, so half of their difference is the uncertainty.
 */
export function withSwitches(
  recorded: readonly Counted[],
  durationS: number,
): Pick<RunResult, 'counters' | 'openSwitches'> {
  const amountOf = (name: RecordedCounter): number | null =>
    recorded.find(({ counter }) => counter === name)?.value ?? null;
  const reported = recorded.filter((one): one is Counted<Exclude<RecordedCounter, IdleCounter>> => !isIdle(one));
  const [before, after] = [amountOf('idle_switches_before_per_s'), amountOf('idle_switches_after_per_s')];
  const all = amountOf('machine_context_switches');
  const isKnown = all !== null && before !== null && after !== null;
  const above = isKnown ? all - ((before + after) / 2) * durationS : null;
  const counters: readonly Counted<Counter>[] = [...reported, counted('switches_above_idle', above, 'not-counted')];
  return { counters, ...(isKnown && { openSwitches: (Math.abs(before - after) / 2) * durationS }) };
}

const isIdle = ({ counter }: Counted): boolean => IdleCounter.safeParse(counter).success;
