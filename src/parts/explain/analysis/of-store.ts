import type { Explaining } from '../../../analysis/analyze.ts';
import { foundPhases } from '../../../analysis/phases/auto.ts';
import { phasesByName } from '../../../analysis/phases/by-name.ts';
import type { RunResult } from '../../../analysis/results.ts';
import type { ObservedRun } from '../../../contracts/observed-run.ts';
import { MAX_NAMES } from '../../../executors/phases/phase-marks.ts';
import type { Explanation } from '../../../findings/explain.ts';
import { mean } from '../../../stats/sums.ts';
import type { ObservedRecord } from '../../../store/observed.ts';
import { explain } from './explain.ts';
import { observedRuns, withoutReplaced } from './observed.ts';
import { compareTraced } from './traced.ts';

/** Explanation from the observed extra runs in a database. */
export const computeExplanation: Explaining = (reader, runs, pairs, variants) => {
  const recorded = reader.observed();
  if (recorded.length === 0) return null;
  const found = foundPhases(reader);
  const records = withoutReplaced(recorded).map((record) => ({
    ...record,
    marks: found?.findMarks(record, record.marks) ?? record.marks,
  }));
  // Limits the number of phases: a made-up file could have one for each sample.
  const reported = new Set(records.flatMap(({ marks }) => marks.map(({ phase }) => phase)));
  const isPhase = (): boolean => reported.size <= 2 * MAX_NAMES;
  const observed = observedRuns(records, isPhase);
  const rungs = reader.observers().flatMap(({ name, missing }): Explanation['rungs'] => {
    const attemptsIn = (all: typeof recorded) => all.flatMap(({ by }) => by.filter((one) => one.name === name));
    const attempts = attemptsIn(records);
    if (attempts.some(({ failure }) => failure === null)) {
      return [{ name, state: 'used', missing: null, ...listLacking(name, records) }];
    }
    if (missing !== null) return [{ name, state: 'unavailable', missing }];
    // All runs that it observed are replaced.
    if (attempts.length === 0 && attemptsIn(recorded).length > 0) return [];
    return [{ name, state: 'failed', missing: attempts[0]?.failure ?? null }];
  });
  const traced = compareTraced({ records, runs, pairs, variants, isPhase });
  const explanation = {
    ...explain({ runs: observed, pairs, variants, rungs, stretch: computeStretch(observed, runs) }),
    ...(traced && { traced }),
  };
  return { explanation, observed };
};

/** Rounds whose successful runs lack data of this observer, by variant and reason; empty: none lacks any. */
function listLacking(name: string, records: readonly ObservedRecord[]): Pick<Explanation['rungs'][number], 'lacking'> {
  const all = records
    .filter(({ status }) => status === 'ok')
    .flatMap(({ variant, round, by }) =>
      by.flatMap((one) =>
        one.name === name && one.failure !== null ? [{ variant, round, missing: one.failure }] : [],
      ),
    );
  if (all.length === 0) return {};
  const groups = Map.groupBy(all, ({ variant, missing }) => `${missing} ${variant}`);
  return {
    lacking: [...groups.values()].map((runs) => {
      const { variant: of, missing } = runs[0]!;
      return { of, rounds: runs.map(({ round }) => round), missing };
    }),
  };
}

/** Slowdown of a variant, and of each of its phases, by observing, relative to its measured runs. */
function computeStretch(observed: readonly ObservedRun[], runs: readonly RunResult[]): Explanation['stretch'] {
  const good = runs.filter(({ status }) => status === 'ok');
  return [...new Set(observed.map(({ variant }) => variant))].flatMap((of) => {
    const seen = observed.filter(({ variant }) => variant === of);
    const measured = good.filter(({ variant }) => variant === of);
    const phases = new Set(seen.flatMap((run) => run.phases.flatMap(({ phase }) => phase ?? [])));
    return [null, ...phases].flatMap((phase) => {
      const took = seen.map((run) =>
        run.phases.reduce((sum, part) => sum + (phase === null || part.phase === phase ? part.wallS : 0), 0),
      );
      const usual = mean(
        measured.flatMap((run) => (phase === null ? run : phasesByName(run).get(phase))?.durationS ?? []),
      );
      return usual > 0 ? [{ of, phase, factor: mean(took) / usual }] : [];
    });
  });
}
