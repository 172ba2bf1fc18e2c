import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { analyzeStore } from '../analysis/analyze.ts';
import { MeasureError, messageOf, withoutFullStop } from '../errors.ts';
import type { Executor, RunTelemetry } from '../executors/executor.ts';
import { observedGroup } from '../executors/leftovers/observed-groups.ts';
import { ANY_LINE } from '../executors/phases/phase-lines.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { Findings } from '../findings/findings.ts';
import type { Lack, Observation, ObservedGroup, ObserverKind, Seen, StretchCount } from '../observers/observer.ts';
import { profilerObservers } from '../observers/profilers/look.ts';
import { observerKinds } from '../observers/registry.ts';
import { ObserverError } from '../observers/tool.ts';
import { repeatOrder } from '../schedule/randomize.ts';
import type { ObservedRecord } from '../store/observed.ts';
import { withStore } from '../store/reader.ts';
import { StoreWriter } from '../store/writer.ts';
import { logPath, resultPath } from '../system/result-files.ts';
import { ObservationBuffer } from './observation-buffer.ts';
import { performRun, type RunOutcome } from './one-run.ts';
import type { Places } from './places.ts';
import type { Progress } from './progress.ts';

/** Runs of every variant: between them there has to be a difference that few of one variant have among themselves. */
export const OBSERVED_ROUNDS = 5;
/** A run that goes wrong is tried again; then its variant has one less. */
const ATTEMPTS = 2;
/** Enough for what ran before to settle: nothing of it is an energy. */
const REST_S = 1;
/** Idle seconds before an extra run; there is no guard. */
export const observedRestS = ({ restS }: Pick<Experiment, 'restS'>): number => Math.min(REST_S, restS);
/** Numbers of orders that no block has. */
const ROUND_SEED = 1_000_000;

export interface ObserveRequest {
  readonly id: string;
  readonly experiment: Experiment;
  readonly seed: number;
  /** Private folder of the database and the logs. */
  readonly folder: string;
  readonly places: Pick<Places, 'executors' | 'hooks' | 'ownStarts'>;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Runs of every variant; absent: five. */
  readonly rounds?: number | undefined;
  /** Others for tests. */
  readonly observers?: readonly ObserverKind[];
}

/** An extra run that is still to be observed. */
export interface ObservedTurn {
  readonly round: number;
  readonly variant: string;
}

/** What is still to be observed: every variant once a round, each round in an order of its own. Those that went wrong too often count as done. */
export function observedPlan(
  names: readonly string[],
  seed: number,
  there: readonly Pick<ObservedRecord, 'round' | 'variant' | 'status'>[],
  wantedRounds = OBSERVED_ROUNDS,
): ObservedTurn[] {
  const isDone = ({ round, variant }: ObservedTurn): boolean => {
    const tried = there.filter((run) => run.round === round && run.variant === variant);
    return tried.some(({ status }) => status === 'ok') || tried.length >= ATTEMPTS;
  };
  const rounds = Array.from({ length: wantedRounds }, (_, i) => i + 1);
  return rounds
    .flatMap((round) => repeatOrder(seed, ROUND_SEED + round, 1, names).map((variant) => ({ round, variant })))
    .filter((wanted) => !isDone(wanted));
}

/**
 * Runs every variant again, looked at by all that this machine allows, and adds what was seen to the database; the energies stay as they are.
 * Throws MeasureError where nothing can be seen, or the signal's reason; what was observed until then is kept.
 */
export async function observe(request: ObserveRequest): Promise<void> {
  const { experiment, folder, progress, signal, seed, rounds = OBSERVED_ROUNDS } = request;
  const database = resultPath(folder, 'database');
  const names = experiment.variants.filter(({ hidden }) => !hidden).map(({ name }) => name);
  const { runs, there } = withStore(database, (reader) => ({
    runs: reader.runs(),
    there: reader.observed().map(({ round, variant, status }) => ({ round, variant, status })),
  }));
  let wanted = observedPlan(names, seed, there, rounds);
  if (wanted.length === 0) return progress.note('Nothing is left to observe.');
  const lasting = experiment.services?.some(({ lifetime }) => lifetime === 'experiment') === true;
  const scratch = join(folder, 'observing');
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const store = StoreWriter.resume(database);
  try {
    const observers = await usable(request, scratch);
    store.setObservers([
      { name: 'accounts', missing: null },
      ...observers.map(({ kind, missing }) => ({ name: kind.name, missing })),
      // They were born before any group that is looked at.
      ...(lasting ? [{ name: 'services', missing: 'lasts' as const }] : []),
    ]);
    const kinds = observers.flatMap(({ kind, missing }) => (missing === null ? [kind] : []));
    progress.note(lookText(wanted.length, observers));
    let number = Math.max(0, ...runs.map(({ run }) => run)) + there.length;
    let round = 0;
    for (let next = wanted[0]; next !== undefined; next = wanted[0]) {
      signal.throwIfAborted();
      if (next.round !== round) await request.places.hooks.beforeBlock(signal);
      round = next.round;
      const executions = runs.find((run) => run.variant === next?.variant && run.status === 'ok')?.executions ?? 1;
      const { record, isPlaceLost } = await observeOne(request, { ...next, run: ++number, executions, kinds, scratch });
      signal.throwIfAborted();
      store.addObserved(record);
      there.push({ round: record.round, variant: record.variant, status: record.status });
      if (record.reason !== null) {
        progress.warn(`An observed run of variant ${JSON.stringify(next.variant)} went wrong: ${record.reason}.`);
      }
      wanted = observedPlan(names, seed, there, rounds);
      if (isPlaceLost) await request.places.executors.get(next.variant)?.recover?.(signal);
    }
  } finally {
    store.close(new Date().toISOString(), { kind: 'complete' }, { samples: new Map(), events: [] });
    rmSync(scratch, { recursive: true, force: true });
  }
  if (there.every(({ status }) => status === 'failed')) {
    throw new MeasureError('No run could be observed: all of them went wrong.', {
      advice: 'What went wrong is told above; the measured result stays as it is.',
    });
  }
}

interface Probed {
  readonly kind: ObserverKind;
  readonly missing: Lack | null;
}

async function usable(request: ObserveRequest, scratch: string): Promise<Probed[]> {
  const { observers = observerKinds, experiment, id, signal } = request;
  using made = observedGroup();
  const probed: Probed[] = [];
  const profilers = profilerObservers(experiment.profiles ?? [], id);
  const replaced = new Set(profilers.flatMap(({ insteadOf = [] }) => insteadOf));
  for (const kind of [...observers, ...profilers]) {
    signal.throwIfAborted();
    if (replaced.has(kind.name)) {
      probed.push({ kind, missing: 'set-aside' });
      continue;
    }
    if (probed.some(({ kind: { name }, missing }) => name === kind.unless && missing === null)) continue;
    const missing = await kind.probe(scratch, made.group).then(
      () => null,
      (thrown: unknown) => lackOf(thrown),
    );
    probed.push({ kind, missing: missing === 'no-group' ? (made.lack ?? missing) : missing });
  }
  return probed;
}

function lackOf(thrown: unknown): Lack {
  if (thrown instanceof ObserverError) return thrown.lack;
  throw thrown;
}

interface OneObserved extends ObservedTurn {
  readonly run: number;
  readonly executions: number;
  readonly kinds: readonly ObserverKind[];
  readonly scratch: string;
}

/** What was seen, and whether the place of the run has to be made again before the next one. */
interface OneOutcome {
  readonly record: ObservedRecord;
  readonly isPlaceLost: boolean;
}

async function observeOne(request: ObserveRequest, one: OneObserved): Promise<OneOutcome> {
  const { experiment, id, places, signal, folder } = request;
  const { round, variant, run, executions, kinds, scratch } = one;
  const executor = places.executors.get(variant) as Executor;
  using made = observedGroup();
  const own = join(scratch, String(run));
  mkdirSync(own, { recursive: true });
  const by: { name: string; failure: Lack | null }[] = [{ name: 'accounts', failure: null }];
  const looking: { readonly name: string; readonly observation: Observation }[] = [];
  const filesOf = executor.filesOf?.bind(executor) ?? null;
  try {
    for (const { name, start } of kinds) {
      const target = { group: made.group, folder: own, filesOf, signal };
      await start(target).then(
        (observation) => looking.push({ name, observation }),
        (thrown: unknown) => {
          signal.throwIfAborted();
          by.push({ name, failure: lackOf(thrown) });
        },
      );
    }
    const what = { executor, variant, round, run, executions, group: made.group };
    const outcome = await performObserved(
      request,
      what,
      looking.map(({ observation }) => observation),
    );
    const { startNs, endNs, status, reason, telemetry } = outcome;
    const seen: Seen[] = [];
    for (const { name, observation } of looking) {
      if (status !== 'ok' || signal.aborted) {
        await observation.cancel();
        continue;
      }
      try {
        seen.push(await observation.end({ startNs, endNs }));
        by.push({ name, failure: null });
      } catch (thrown) {
        by.push({ name, failure: lackOf(thrown) });
      }
    }
    const counted = seen.flatMap(({ counts }) => counts);
    const counts = [...counted, ...accountsOf(outcome, counted)];
    const record: ObservedRecord = {
      ...{ round, variant, startNs, endNs, executions, by, way: 'sampled' as const },
      status: status === 'ok' ? 'ok' : 'failed',
      reason: status === 'ok' ? null : (reason ?? 'nobody knows why'),
      marks: telemetry?.marks ?? [],
      counts: counts.filter(({ fromNs, toNs }) => toNs > startNs && fromNs < endNs),
      samples: seen.flatMap(({ samples }) => samples),
    };
    return { record, isPlaceLost: outcome.cause === 'place-lost' };
  } catch (thrown) {
    // Nobody goes on looking, whoever of them failed.
    await Promise.all(looking.map(({ observation }) => observation.cancel()));
    throw thrown;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }

  function performObserved(
    { progress, rounds = OBSERVED_ROUNDS }: ObserveRequest,
    what: ObservedTurn & { executor: Executor; run: number; executions: number; group: ObservedGroup | null },
    observations: readonly Observation[],
  ): Promise<RunOutcome> {
    progress.note(`Observing variant ${JSON.stringify(what.variant)}, round ${what.round} of ${rounds}.`);
    const context = {
      experimentId: id,
      runId: what.run,
      logFile: logPath(folder, what.run, `observed-${what.variant}`),
      phaseLines: experiment.phases === 'auto' ? [ANY_LINE] : experiment.phases,
      outputToDisk: experiment.output === 'file',
      executions: what.executions,
      ownStarts: places.ownStarts,
      observed: what.group ?? undefined,
      added: observations.flatMap(({ added }) => added ?? []),
      around: observations.flatMap(({ around }) => around ?? []),
      signal,
    };
    const meters = { channels: [], mark() {}, lostSignal: new AbortController().signal };
    const next = { run: 0, block: what.round, attempt: 1, position: 1, variant: what.variant, warmup: false };
    return performRun(next, {
      executor: what.executor,
      meters,
      buffer: new ObservationBuffer([]),
      restS: observedRestS(experiment),
      guardS: 0,
      context,
    });
  }
}

/** What every run has: the kernel's totals. Processor time only where nobody counted it by stretches. */
function accountsOf({ startNs, endNs, telemetry }: RunOutcome, counts: readonly StretchCount[]): StretchCount[] {
  const usage: RunTelemetry['usage'] = telemetry?.usage ?? null;
  if (usage === null) return [];
  const count = (kind: StretchCount['kind'], name: string, value: number | null | undefined): StretchCount[] =>
    value ? [{ fromNs: startNs, toNs: endNs, kind, name, value, errors: null }] : [];
  const counter = (name: string) => usage.counters?.find((one) => one.counter === name)?.value;
  return [
    ...(counts.some(({ kind }) => kind === 'cpu') ? [] : count('cpu', 'accounts', usage.cpuS)),
    ...count('bytes', 'read', usage.readBytes),
    ...count('bytes', 'written', usage.writtenBytes),
    ...count('bytes', 'received', counter('received_bytes')),
    ...count('bytes', 'sent', counter('sent_bytes')),
    ...(counts.some(({ kind }) => kind === 'fault') ? [] : count('fault', 'minor-faults', counter('minor_faults'))),
  ];
}

function lookText(runs: number, observers: readonly Probed[]): string {
  const names = observers.flatMap(({ kind, missing }) => (missing === null ? [kind.name] : []));
  const by = ['the accounts of the kernel', ...names].join(', ');
  return `${runs} extra runs are observed (${by}); they are in no energy.`;
}

/** Whether the experiment file asks for extra runs, now that all blocks are there. */
export function asksToObserve({ explain }: Experiment, database: string): boolean {
  if (explain === undefined) return false;
  return (
    explain === 'always' ||
    withStore(database, (reader) => hasChanged(analyzeStore(reader).findings, reader.channels()[0]?.channel))
  );
}

/** A change of the primary channel is shown. */
const hasChanged = ({ comparisons }: Findings, primary: string | undefined): boolean =>
  comparisons.some(
    ({ channel, verdict }) =>
      channel === primary && ['increase', 'decrease', 'changed-within-margin'].includes(verdict),
  );

/** What is told where extra runs that the file asks for come to nothing. */
export const observingFailed = (thrown: unknown): string =>
  `The extra runs could not be observed: ${withoutFullStop(messageOf(thrown))}. The measured result is complete without them; \`joulediff explain\` tries again.`;
