import type { SuitePair } from '../../experiment/suite.ts';
import type { Check } from '../../findings/checks.ts';
import type { RunResult } from '../results.ts';
import { carryOver } from './carry-over.ts';
import { checkedRuns } from './checked-runs.ts';
import { competingLoad } from './competing-load.ts';
import { CONDITIONS, type Condition, unequalConditions } from './conditions.ts';
import { counterWrap } from './counter-wrap.ts';
import { differenceDrift, machineDrift } from './drift.ts';
import { normality } from './normality.ts';
import { orderEffect } from './order-effect.ts';
import { repetition } from './repetition.ts';
import { scale } from './scale.ts';
import { twoModes } from './two-modes.ts';
import { warmUp } from './warm-up.ts';

export interface RunCheckOptions {
  /** The primary one. */
  readonly channel: string;
  readonly baseline: string;
  /** Of a suite: what is compared with what; absent: every variant with the baseline. */
  readonly pairs?: readonly SuitePair[] | undefined;
  /** False: the order of the runs in time is not known, and what needs it is not checked. Default true. */
  readonly ordered?: boolean;
  readonly conditions?: readonly Condition[];
}

/**
 * What the runs themselves tell about the experiment, each with advice. Each gives a false alarm in at most about 5 % of experiments in
 * which nothing is wrong (identical variants, independent runs); what there are too few runs for is left out. They change no number.
 */
export function runChecks(runs: readonly RunResult[], options: RunCheckOptions): Check[] {
  const { channel, baseline, pairs, ordered = true, conditions = CONDITIONS } = options;
  const checked = checkedRuns(runs, channel, baseline, pairs);
  const inTime = [machineDrift, differenceDrift, warmUp, orderEffect, carryOver];
  return [
    ...(ordered ? inTime.flatMap((check) => check(checked)) : []),
    ...twoModes(checked),
    ...normality(checked),
    ...unequalConditions(checked, conditions),
    ...competingLoad(checked),
    ...counterWrap(checked),
    ...scale(checked),
    ...repetition(checked),
  ];
}
