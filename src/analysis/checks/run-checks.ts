import type { Check } from '../../findings/checks.ts';
import type { RunResult } from '../results.ts';
import { carryOver } from './carry-over.ts';
import { type CheckedOptions, checkedRuns } from './checked-runs.ts';
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

export interface RunCheckOptions extends CheckedOptions {
  /** False: the chronological order of the runs is unknown, so checks that need it are left out. Default true. */
  readonly ordered?: boolean;
  readonly conditions?: readonly Condition[];
}

/**
 * Checks of the runs themselves, each with advice. Each has a false-positive rate of at most about 5 % for experiments
 * without problems (identical variants, independent runs); checks with too few runs are left out. They change no result.
 */
export function runChecks(runs: readonly RunResult[], options: RunCheckOptions): Check[] {
  const { ordered = true, conditions = CONDITIONS } = options;
  const checked = checkedRuns(runs, options);
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
