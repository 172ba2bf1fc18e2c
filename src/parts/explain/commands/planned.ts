import { namedTracers, TRACER_WAYS, TRACERS, type TracerName } from '../../../contracts/tracers.ts';
import { bringsServices, isOnHost, type Variant } from '../../../executors/registry.ts';
import type { Experiment } from '../../../experiment/experiment.ts';
import type { Plan } from '../../../schedule/plan.ts';
import type { PlannedExtraRuns } from '../../../terminal/terminal.ts';
import {
  type ObservedTurn,
  observedPlan,
  observedRestS,
  startedServices,
  TRACED_ROUNDS,
} from '../measure/observed-plan.ts';

/** What `plan` prints of the extra runs; null: the experiment file asks for none. */
export function plannedExtraRuns(experiment: Experiment, plan: Plan): PlannedExtraRuns | null {
  const turns = extraRuns(experiment, plan);
  if (turns.length === 0) return null;
  return {
    variants: turns.map(({ variant }) => variant),
    restS: observedRestS(experiment),
    notes: extraNotes(experiment, turns),
    order: extraLines(turns),
  };
}

/** The extra runs after the blocks that the file asks for. */
function extraRuns(experiment: Experiment, { seed }: Plan): ObservedTurn[] {
  const { explain, trace, variants } = experiment;
  if (explain === undefined) return [];
  const isTraced: Readonly<Record<TracerName, (variant: Variant) => boolean>> = {
    strace: () => true,
    'strace-services': (variant) => bringsServices(variant) || startedServices(experiment).length > 0,
    uftrace: isOnHost,
  };
  const names = variants.filter(({ hidden }) => !hidden).map(({ name }) => name);
  const traced = (namedTracers(trace) ?? []).flatMap((tracer) =>
    observedPlan(
      variants.filter((variant) => !variant.hidden && isTraced[tracer](variant)).map(({ name }) => name),
      seed,
      [],
      {
        rounds: TRACED_ROUNDS,
        way: TRACER_WAYS[tracer],
      },
    ),
  );
  return [...observedPlan(names, seed, []), ...traced];
}

function extraNotes({ explain, trace, profiles = [] }: Experiment, extra: readonly ObservedTurn[]): string[] {
  const { length } = extra;
  if (length === 0) return [];
  const under = [
    ...TRACERS.flatMap((name) => {
      const traced = extra.filter(({ way }) => way === TRACER_WAYS[name]).length;
      return traced > 0 ? [`${traced} of them are under ${name}, and may take very long.`] : [];
    }),
    ...(trace === undefined
      ? [`Where perf may not count system calls, ${TRACED_ROUNDS} more of every variant follow under strace.`]
      : []),
  ];
  const many =
    explain === 'always' ? `${length} extra runs follow` : `If a change is shown, up to ${length} extra runs follow`;
  return [
    `${many} after the blocks: they are observed to find what goes with the difference, and count toward no energy figure.`,
    ...profiles.map(
      ({ kind, of }) =>
        `In these runs alone, ${of === null ? "the workload's command" : `the service ${JSON.stringify(of)}`} is looked at by ${kind}'s own profiler.`,
    ),
    ...under,
  ];
}

function extraLines(extra: readonly ObservedTurn[]): string[] {
  return [...Map.groupBy(extra, ({ round, way }) => `${way === 'sampled' ? 'observed' : way} ${round}`)].map(
    ([round, turns]) => `${round.padEnd(10)} ${turns.map(({ variant }) => variant).join(' · ')}`,
  );
}
