import { findRevisions } from '../../executors/checkout/checkouts.ts';
import type { Experiment } from '../../experiment/experiment.ts';
import { lookNotes } from '../../measure/looks.ts';
import { validateMeterNames } from '../../meters/registry.ts';
import type { Plan, PlannedRun } from '../../schedule/plan.ts';
import { drawSeed, makePlan } from '../../schedule/randomize.ts';
import { experimentCommand, experimentOf } from '../options.ts';
import { durationText, type Terminal } from '../terminal.ts';

export function planCommand({ stdout }: Terminal) {
  const summary = 'print what would run, in which order and for how long, without starting anything';
  return experimentCommand('plan', summary).action(async (file, options) => {
    const given = await experimentOf(file, options);
    validateMeterNames(given.meters);
    // Reads the repository only: a revision that isn't there is told now.
    const experiment = await findRevisions(given, new AbortController().signal);
    stdout.write(planText(experiment, makePlan(experiment, experiment.seed ?? drawSeed())));
  });
}

function planText(experiment: Experiment, plan: Plan): string {
  const { restS, guardS } = experiment;
  const pausesS = plan.runs.length * (restS + guardS) + restS;
  const seed =
    experiment.seed === null ? `${plan.seed}, drawn just now; --seed ${plan.seed} gives this order` : String(plan.seed);
  const lines = [
    `${experiment.name}: ${plan.runs.length} runs in randomized blocks (seed ${seed}).`,
    `Each run: prepare, ${restS} s of rest, the workload, ${guardS} s of guard, clean up.`,
    ...lookNotes(experiment.looks ?? []),
    ...designNotes(experiment),
    `The pauses take ${experiment.looks ? 'at most ' : ''}${durationText(pausesS)}, the workload ${executions(experiment, plan)} on top.`,
    '',
    ...blocks(plan.runs).map(([first, ...rest]) => {
      const label = first?.warmup ? 'warm-up' : `block ${first?.block}`;
      return `${label.padEnd(10)} ${[first, ...rest].map((run) => run?.variant).join(' · ')}`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}

/** Factors, and what will be checked out. */
function designNotes({ factorial, variants }: Experiment): string[] {
  const factors = factorial?.factors.map(({ name, levels }) => `${name} (${levels.join(', ')})`).join(' × ');
  const at = variants.flatMap(({ name, revision, hidden }) =>
    revision && !hidden ? [{ variant: name, ...revision }] : [],
  );
  return [
    ...(factors === undefined ? [] : [`Two factors: ${factors}; every block holds all four combinations.`]),
    ...[...Map.groupBy(at, (revision) => revision.name)].map(
      ([name, list]) =>
        `Revision ${name} is commit ${list[0]?.commit}: ${list.map(({ variant }) => variant).join(', ')}.`,
    ),
  ];
}

function executions({ batch }: Experiment, { runs }: Plan): string {
  const warmups = runs.filter((run) => run.warmup).length;
  if (batch === 'auto') return `${runs.length} times its own time or, where it is short for the meter, more often`;
  return `${warmups + (runs.length - warmups) * batch} times its own time`;
}

function blocks(runs: readonly PlannedRun[]): PlannedRun[][] {
  return [...Map.groupBy(runs, (run) => run.block).values()];
}
