import { resolve } from 'node:path';
import { isOwnCommand } from '../../contracts/variant.ts';
import { JoulediffError, withoutFullStop } from '../../errors.ts';
import { stopsEngine } from '../../executors/registry.ts';
import type { Ready } from '../../executors/service.ts';
import { batchByVariant } from '../../experiment/batches.ts';
import { type Experiment, HOOK_NAMES } from '../../experiment/experiment.ts';
import { findRevisions } from '../../measure/checkout/checkouts.ts';
import { type Foresight, foresee } from '../../measure/foresee.ts';
import { blocksForVerdict, interimNotes } from '../../measure/interims.ts';
import { calibrationNotes, executionsOf, idleRunsS, longPlanNotes, pausesS } from '../../measure/long-plan.ts';
import { type ForeseenRest, foreseenRest, meterPauses, restNote } from '../../measure/rests.ts';
import { validateMeterNames } from '../../meters/registry.ts';
import { copiedWord } from '../../report/escape.ts';
import type { Plan, PlannedRun } from '../../schedule/plan.ts';
import { drawSeed, makePlan } from '../../schedule/randomize.ts';
import { maskSecrets } from '../../text/credentials.ts';
import { duration, durationText, fixed } from '../../text/numbers.ts';
import { listed, visible } from '../../text/plain.ts';
import { experimentCommand, experimentOf } from '../options.ts';
import { type PlannedAllocation, plannedAllocation } from '../plan-allocation.ts';
import { plannedMeters } from '../plan-meters.ts';
import { atSpaces, type PlannedExtraRuns, printAnswer, type Terminal } from '../terminal.ts';

export function planCommand(terminal: Terminal) {
  const summary = 'print what would run and for how long, and check what it needs; start nothing';
  return experimentCommand('plan', summary, { examples: ['joulediff plan', 'joulediff plan --order --seed 7'] })
    .option('--offline', 'do not check the meter, commands, engine, images and disk')
    .option('--order', 'also print the order of all runs')
    .option('--meters', 'compare all types of meters: the smallest change that each could show')
    .action(async (file, { offline = false, order = false, meters = false, json = false, out, ...options }) => {
      const given = await experimentOf(terminal, file, options);
      validateMeterNames(given.meters);
      // This only reads the repository: it reports an unknown revision early.
      const experiment = await findRevisions(given, new AbortController().signal);
      const tell = (text: string): unknown => terminal.stdout.write(atSpaces(terminal.stdout, text));
      const plan = makePlan(experiment, experiment.seed ?? drawSeed());
      const added = await Promise.all(terminal.parts.map((part) => part.plannedExtraRuns?.(experiment, plan)));
      const extra = added.find((one) => one) ?? null;
      // The pauses may depend on the meter.
      const seen = offline ? [] : await foresee(experiment, resolve(out));
      const found = seen.flatMap(({ infos = [] }) => infos);
      const known = meterPauses(experiment, found);
      const rest = foreseenRest(known, found);
      const allocation = plannedAllocation(known, plan, { outDir: resolve(out), infos: found, rest });
      const notes = planNotes(known, plan, { extra, rest, restNote: restNote(known, found), allocation });
      const wrong = seen.find(({ found }) => found instanceof JoulediffError)?.found as JoulediffError | undefined;
      if (wrong !== undefined) terminal.exitCode = wrong.exitCode;
      if (json) return printAnswer(terminal, 'plan', answerOf(known, plan, { rest, allocation, notes, seen }));
      const all = order ? [...notes, '', ...orderLines(blocks(plan.runs)), ...(extra?.order ?? [])] : notes;
      tell(`${all.join('\n')}\n`);
      const smallest = plannedMeters(known, resolve(out), { infos: found, all: meters });
      if (smallest !== '') tell(`\n${smallest}`);
      if (!offline) tell(`\n${seen.flatMap(foresightLines).join('\n')}\n`);
    });
}

/** Lines like `ok    meter: …`, followed by advice. */
function foresightLines({ what, found }: Foresight): string[] {
  const lines = (state: string, text: string): string[] => {
    const [first = '', ...more] = text.split('\n');
    return [`${state.padEnd(6)}${visible(what)}: ${visible(first)}`, ...more.map((one) => `      ${visible(one)}`)];
  };
  if (!(found instanceof JoulediffError)) return lines(found.state, withoutFullStop(found.text));
  return [
    ...lines('fail', withoutFullStop(found.message)),
    ...(found.advice === null ? [] : [`      ${visible(found.advice)}`]),
  ];
}

interface Found {
  readonly rest: ForeseenRest | null;
  readonly allocation: PlannedAllocation | null;
  readonly notes: readonly string[];
  readonly seen: readonly Foresight[];
}

function answerOf(experiment: Experiment, plan: Plan, { rest, allocation, notes, seen }: Found) {
  const { name, restS, restUpToS = restS, guardS, looks, auto } = experiment;
  const count = plan.runs.length;
  const first = looks?.[0] ?? auto?.least ?? Number.POSITIVE_INFINITY;
  const pauses = (lengthS: number, runs = count): number =>
    Math.min(pausesS({ restS: lengthS, guardS }, runs), auto?.withinS ?? Number.POSITIVE_INFINITY);
  return {
    experiment: name,
    seed: plan.seed,
    may_end_early: looks !== undefined || auto !== undefined,
    runs: count,
    blocks: blocks(plan.runs).map((runs) => ({
      block: runs[0]!.block,
      warmup: runs[0]!.warmup,
      variants: runs.map(({ variant }) => variant),
    })),
    pauses_s: {
      least: pauses(restS, plan.runs.filter(({ warmup, block }) => warmup || block <= first).length),
      expected: rest === null || rest.restS === null ? null : pauses(rest.restS),
      most: pauses(restUpToS),
    },
    allocation: allocation && {
      blocks: allocation.allocation.blocks,
      executions: allocation.allocation.executions,
      duration_s: allocation.allocation.seconds,
      half_percent: allocation.allocation.halfPercent,
      reached: allocation.isReached,
      scatter: allocation.scatter,
    },
    notes,
    checks: seen.map(({ what, found }) =>
      found instanceof JoulediffError
        ? { what, state: 'fail' as const, text: found.message, advice: found.advice }
        : { what, ...found, advice: null },
    ),
  };
}

interface Beside {
  readonly extra: PlannedExtraRuns | null;
  readonly rest: ForeseenRest | null;
  readonly restNote: string | null;
  readonly allocation: PlannedAllocation | null;
}

/** Notes of the plan, commands and total time first. */
function planNotes(experiment: Experiment, plan: Plan, beside: Beside): readonly string[] {
  const { extra, restNote: rest, allocation } = beside;
  const seed =
    experiment.seed === null ? `${plan.seed}, drawn just now; --seed ${plan.seed} gives this order` : String(plan.seed);
  return [
    ...longPlanNotes(experiment, plan.runs),
    ...calibrationNotes(experiment),
    `${experiment.name}: ${experiment.auto ? 'up to ' : ''}${fixed(plan.runs.length, 0)} runs in randomized blocks (seed ${seed}).`,
    lengthNote(experiment, plan, beside),
    ...commandLines(experiment),
    ...(experiment.host === undefined ? [] : [`Measured: ${experiment.host}, from here, where the meter is.`]),
    `Each run: ${runOrder(experiment)}`,
    ...suiteNotes(experiment),
    ...(rest === null ? [] : [rest]),
    ...interimNotes(experiment),
    ...(allocation?.notes ?? []),
    ...designNotes(experiment),
    ...serviceNotes(experiment),
    ...hookNotes(experiment),
    ...limitNotes(experiment),
    ...engineNotes(experiment),
    ...(extra?.notes ?? []),
  ];
}

/** Note for a suite whose benchmarks are known only when the experiment begins. */
function suiteNotes({ suite }: Experiment): string[] {
  if (suite?.listing === undefined || suite.benchmarks.length > 0) return [];
  const by =
    suite.listing.harness ??
    visible(typeof suite.listing.list === 'string' ? suite.listing.list : suite.listing.list.join(' '));
  return [
    `The benchmarks are listed in each variant's place when the experiment begins (${by}); these runs are for one of them.`,
  ];
}

/** Commands of the variants; variants with the same command share a line. */
function commandLines({ variants, suite }: Experiment): string[] {
  const shown = variants.filter(({ hidden }) => !hidden);
  const byCommand = Map.groupBy(shown, ({ workload: { run, idleS } }) => {
    if (suite?.listing !== undefined && suite.benchmarks.length === 0) return 'each benchmark of the suite';
    if (idleS !== undefined) return `idle for ${durationText(idleS)}`;
    if (isOwnCommand(run)) return 'the command that is there';
    return visible(typeof run === 'string' ? run : run.map(copiedWord).join(' '));
  });
  return [...byCommand].map(([command, some]) => `  ${listed(some.map(({ name }) => name))}: ${command}`);
}

/** Maximum number of listed runs; of a longer plan, only the first blocks are listed. */
const MAX_LISTED_RUNS = 2000;
const FEW_BLOCKS = 3;

function orderLines(all: readonly (readonly PlannedRun[])[]): string[] {
  const isLong = all.flat().length > MAX_LISTED_RUNS && all.length > FEW_BLOCKS;
  const shown = isLong ? all.slice(0, FEW_BLOCKS) : all;
  const lines = shown.map(([first, ...rest]) => {
    const label = first?.warmup ? 'warm-up' : `block ${first?.block}`;
    return `${label.padEnd(10)} ${[first, ...rest].map((run) => run?.variant).join(' · ')}`;
  });
  return isLong ? [...lines, `… and ${all.length - FEW_BLOCKS} more blocks, each in an order of its own`] : lines;
}

/** Sequence of steps in a run. */
function runOrder({ services = [], window, restS, restUpToS, guardS, variants }: Experiment): string {
  const least = restUpToS === undefined || restUpToS <= restS ? duration(restS) : `${duration(restS)} or more`;
  const [rest, guard] = [`${least} of rest`, `${duration(guardS)} of guard`];
  const isOfRun = services.some(({ lifetime }) => lifetime === 'run');
  if (isOfRun && window === 'service') {
    return `${rest}, the services’ start, the workload and the services’ end (all of it the measurement window), ${guard}.`;
  }
  const some = (stage: 'prepare' | 'cleanup'): readonly string[] =>
    variants.some(({ workload }) => workload[stage] !== null) ? [stage] : [];
  const before = [...(isOfRun ? ['the services’ start'] : []), ...some('prepare')];
  const after = [...some('cleanup'), ...(isOfRun ? ['the services’ end'] : [])];
  return `${[...before, rest, 'the workload (the measurement window)', guard, ...after].join(', ')}.`;
}

/** Place, order and maximum wait of each service's start. */
function serviceNotes({ services = [], variants, client }: Experiment): string[] {
  if (services.length === 0) return [];
  const isOnHost = variants[0]?.workload.place === 'host';
  const at = isOnHost ? 'on the host' : "in the variant's own place";
  const clientAt = client === undefined ? at : `on ${client.address}, which is not measured`;
  return [
    `Services, ${services.length > 1 ? 'in this order (they end in reverse), ' : ''}and then the client ${clientAt}:`,
    ...services.map(({ name, place, lifetime, ready, readyWithinS, stop }) => {
      const where =
        place === 'host'
          ? 'on the host'
          : place === 'variant'
            ? "in the variant's own place"
            : `on ${place}, which is not measured`;
      const until =
        ready === null ? 'ready as soon as it has started' : `ready when ${readyText(ready)}, within ${readyWithinS} s`;
      const since = lifetime === 'run' ? 'for every run' : 'once, before the first run';
      const end = stop.signal === 'SIGKILL' ? 'killed' : `ended by ${stop.signal}, killed after ${stop.withinS} s`;
      return `  ${name}: ${where}, ${since}; ${until}; ${end}`;
    }),
  ];
}

/** Hooks that run before and after what is measured. */
function hookNotes({ hooks = {} }: Experiment): string[] {
  return HOOK_NAMES.flatMap((name) => {
    const hook = hooks[name];
    if (hook === undefined) return [];
    const command = typeof hook.run === 'string' ? hook.run : hook.run.join(' ');
    const limit = hook.timeoutS === null ? 'without a limit of time' : `${durationText(hook.timeoutS)} at most`;
    const where = hook.place === 'variant' ? "in each variant's own place" : 'on the host';
    return [`Hook ${name}, ${where}, ${limit}: ${visible(command)}`];
  });
}

function readyText(ready: Ready): string {
  switch (ready.kind) {
    case 'tcp':
      return `something listens on port ${ready.port}`;
    case 'http':
      return `${maskSecrets(ready.url)} answers with status ${ready.status}`;
    case 'log':
      return `it prints ${JSON.stringify(ready.line)}`;
    case 'command':
      return 'its command succeeds';
  }
}

/** Time limits of the commands, given or by default. */
function limitNotes({ variants }: Experiment): string[] {
  const shown = variants.filter(
    ({ hidden, workload }) =>
      !hidden && (workload.idleS === undefined || workload.prepare !== null || workload.cleanup !== null),
  );
  const byLimit = Map.groupBy(shown, ({ workload }) => workload.timeoutS);
  return [...byLimit].map(([limitS, some]) => {
    const whose = byLimit.size === 1 ? 'A command' : `A command of ${listed(some.map(({ name }) => name))}`;
    return limitS === null
      ? `${whose} has no limit of time (timeout: none).`
      : `${whose} may take ${durationText(limitS)} (timeout); then it is ended, and its run has failed.`;
  });
}

/** Factors of the design, and revisions that will be checked out. */
function designNotes({ factorial, variants }: Experiment): string[] {
  const factors = factorial?.factors.map(({ name, levels }) => `${name} (${levels.join(', ')})`).join(' × ');
  const left =
    factorial && factorial.cells.length < factorial.factors.reduce((all, { levels }) => all * levels.length, 1)
      ? ' that are not excluded'
      : '';
  const at = variants.flatMap(({ name, revision, hidden }) =>
    revision && !hidden ? [{ variant: name, ...revision }] : [],
  );
  return [
    ...(factors === undefined
      ? []
      : [`Factors: ${factors}; every block holds all ${factorial?.cells.length} combinations${left}.`]),
    ...[...Map.groupBy(at, (revision) => revision.name)].map(
      ([name, list]) =>
        `Revision ${name} is commit ${list[0]?.commit}: ${list.map(({ variant }) => variant).join(', ')}.`,
    ),
  ];
}

/** State of Docker's engine, if it differs from how it is found. */
function engineNotes({ variants }: Experiment): string[] {
  const without = variants.filter((variant) => !variant.hidden && stopsEngine(variant));
  if (without.length === 0) return [];
  return [
    `Docker's engine is stopped before each run of ${listed(without.map(({ name }) => name))}, before its rest, and started again after its guard.`,
  ];
}

/** Expected duration, as far as it is known. */
function lengthNote(experiment: Experiment, plan: Plan, { extra, rest }: Beside): string {
  const { looks, auto, services, variants, explain } = experiment;
  if (auto?.withinS !== undefined) {
    const needed = blocksForVerdict(experiment);
    return `${extra ? 'The blocks take' : 'It takes'} ${durationText(auto.withinS)} or less; where not even ${needed} blocks fit, the ${needed} that a verdict takes.`;
  }
  const count = plan.runs.length;
  const { variants: extraVariants, restS } = extra ?? { variants: [], restS: 0 };
  const allPausesS = pausesS(experiment, count) + extraVariants.length * restS;
  const upTo = looks || auto || explain === 'on-change' ? 'at most ' : '';
  const pauses = `The pauses take ${upTo}${durationText(allPausesS)}${restsText(experiment, count, rest)}`;
  const runs = [...plan.runs, ...extraVariants.map((variant) => ({ variant, warmup: false }))];
  const idle = idleRunsS(experiment, runs);
  if (idle > 0 && variants.every(({ workload }) => workload.idleS !== undefined)) {
    const all = durationText(allPausesS + idle);
    return `${pauses} and the idle workload ${durationText(idle)}: ${all} in all${services ? ', with the services’ start and end on top' : ''}.`;
  }
  return `${pauses}, the workload ${executions(experiment, runs, extraVariants.length)}${services ? ' and the services’ start and end' : ''} on top.`;
}

/** Duration of rests that end by themselves: expected, longest and shortest. */
function restsText({ restS, restUpToS = restS, guardS }: Experiment, count: number, rest: ForeseenRest | null): string {
  if (restUpToS <= restS) return '';
  const all = (lengthS: number): string => durationText(pausesS({ restS: lengthS, guardS }, count));
  const never = `${all(restUpToS)} where it never does`;
  if (rest === null) return ` where the machine settles at once (${never})`;
  const { day, watchedS } = rest;
  return rest.restS === null
    ? ` where the machine settles at once (${never}; in the meter’s check of ${day} it had not settled after ${durationText(watchedS)})`
    : ` where the machine settles at once, about ${all(rest.restS)} as in the meter’s check of ${day} (${never})`;
}

function executions(
  experiment: Experiment,
  runs: readonly Pick<PlannedRun, 'variant' | 'warmup'>[],
  extra: number,
): string {
  const batches = batchByVariant(experiment);
  const upTo = experiment.explain === 'on-change' && extra > 0 ? 'up to ' : '';
  const more = [...batches.values()].includes('auto') ? ', more often if it is short for the meter,' : '';
  return `${upTo}${runs.reduce((sum, run) => sum + executionsOf(batches, run), 0)} times its own time${more}`;
}

function blocks(runs: readonly PlannedRun[]): PlannedRun[][] {
  return [...Map.groupBy(runs, (run) => run.block).values()];
}
