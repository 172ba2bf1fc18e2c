import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunTelemetry } from '../../../contracts/execution.ts';
import type { Limitation, ObserverData, StretchCount } from '../../../contracts/observation.ts';
import { namedTracers, TRACER_WAYS, TRACERS } from '../../../contracts/tracers.ts';
import { MeasureError, systemMessage } from '../../../errors.ts';
import type { Executor } from '../../../executors/executor.ts';
import { observedGroup } from '../../../executors/leftovers/observed-groups.ts';
import { isMachine } from '../../../hosts/address.ts';
import type { RunOutcome } from '../../../measure/one-run.ts';
import { makeMarkedFolder, OBSERVING_PREFIX, removeFolder } from '../../../processes/left-folders.ts';
import type { ObservedRecord, ObserverRecord } from '../../../store/observed.ts';
import { withStore } from '../../../store/reader.ts';
import { StoreWriter } from '../../../store/writer.ts';
import { nsToSeconds } from '../../../system/clock.ts';
import { makeFolder } from '../../../system/make-folder.ts';
import { resultPath } from '../../../system/result-files.ts';
import type { Observation, ObserverKind, TracerKind } from '../observers/observer.ts';
import { perfStat } from '../observers/perf-stat/perf-stat.ts';
import { profilerObservers } from '../observers/profilers/profiler-observers.ts';
import { observerKinds, tracerKinds } from '../observers/registry.ts';
import { OBSERVED_ROUNDS, type ObservedTurn, observedPlan, startedServices, TRACED_ROUNDS } from './observed-plan.ts';
import { type ObserveRequest, type OneOutcome, performObserved, toLimitation, traceOne } from './observed-run.ts';

/**
 * Runs every variant again with all observers that this machine allows, and adds their data to the database; energies are unchanged.
 * Throws MeasureError if nothing can be observed, or the signal's reason; earlier data are kept.
 */
export async function observe(request: ObserveRequest): Promise<void> {
  const { experiment, folder, progress, signal, seed, rounds = OBSERVED_ROUNDS } = request;
  const database = resultPath(folder, 'database');
  const names = experiment.variants.filter(({ hidden }) => !hidden).map(({ name }) => name);
  const { runs, recorded } = withStore(database, (reader) => ({
    runs: reader.runs(),
    recorded: reader.observed().map(({ round, variant, status, way, by }) => ({ round, variant, status, way, by })),
  }));
  const store = StoreWriter.resume(database);
  let scratch: string | null = null;
  try {
    scratch = makeScratch(request);
    const observers = await usable(request, scratch);
    const kinds = observers.flatMap(({ kind, missing }) => (missing === null ? [kind] : []));
    const there = recorded.filter((run) => run.way !== 'sampled' || run.status === 'failed' || hasAll(run, kinds));
    const tracers = await traceable(request, scratch, observers);
    const tracedRounds = Math.min(TRACED_ROUNDS, rounds);
    const left = (): ObservedTurn[] => [
      ...observedPlan(names, seed, there, { rounds }),
      ...tracers.flatMap(({ kind: { way }, names: traced, missing }) =>
        missing === null ? observedPlan(traced, seed, there, { rounds: tracedRounds, way }) : [],
      ),
    ];
    let wanted = left();
    if (wanted.length === 0) return progress.note('Nothing is left to observe.');
    store.setObservers([
      { name: 'accounts', missing: null },
      ...observers.map(({ kind, missing }) => ({ name: kind.name, missing })),
      ...lastingServices(request),
      ...tracers.flatMap((tracer) => tracerRungs(request, names, tracer)),
    ]);
    progress.note(plannedText(wanted, kinds));
    let number = Math.max(0, ...runs.map(({ run }) => run)) + recorded.length;
    let round = '';
    for (let next = wanted[0]; next !== undefined; next = wanted[0]) {
      signal.throwIfAborted();
      if (`${next.way} ${next.round}` !== round) await request.places.hooks.beforeBlock(signal);
      round = `${next.way} ${next.round}`;
      const measured = runs.find((run) => run.variant === next?.variant && run.status === 'ok');
      const { way } = next;
      const ofWay = way === 'sampled' ? rounds : tracedRounds;
      const one = { ...next, rounds: ofWay, run: ++number, scratch };
      const { record, isPlaceLost } =
        way !== 'sampled'
          ? await traceOne(request, {
              ...one,
              way,
              usualS: measured === undefined ? 0 : nsToSeconds(measured.endNs - measured.startNs) / measured.executions,
            })
          : await observeOne(request, { ...one, executions: measured?.executions ?? 1, kinds });
      signal.throwIfAborted();
      store.addObserved(record);
      const { round: done, variant, status, by } = record;
      // Without the samples, which would fill the memory.
      there.push({ round: done, variant, status, way, by });
      if (record.reason !== null) {
        progress.warn(`An observed run of variant ${JSON.stringify(next.variant)} went wrong: ${record.reason}.`);
      }
      wanted = left();
      if (isPlaceLost) await request.places.executors.get(next.variant)?.recover?.(signal);
    }
    if (there.every(({ status }) => status === 'failed')) {
      throw new MeasureError('No run could be observed: all of them went wrong.', {
        advice: 'What went wrong is shown above; the measured result is unchanged.',
      });
    }
  } finally {
    store.close(new Date().toISOString(), { kind: 'complete' }, { samples: new Map(), events: [] });
    if (scratch !== null) removeFolder(scratch);
  }
}

/** Whether all these observers, or others that see as much, were used in a run. One without them is made again. */
const hasAll = ({ by }: Pick<ObservedRecord, 'by'>, kinds: readonly ObserverKind[]): boolean =>
  kinds.every((kind) => by.some(({ name }) => name === kind.name || name === kind.unless));

/** Makes the scratch folder beside the database's, since a later start removes the latter while observers may still write. */
function makeScratch({ folder, id }: ObserveRequest): string {
  try {
    return makeMarkedFolder(dirname(folder), OBSERVING_PREFIX, id);
  } catch (cause) {
    throw new MeasureError(`There is no place for what is observed: ${systemMessage(cause)}.`, {
      advice: 'Make room, or set XDG_STATE_HOME to another folder.',
      cause,
    });
  }
}

interface Probed {
  readonly kind: ObserverKind;
  readonly missing: Limitation | null;
}

async function usable(request: ObserveRequest, scratch: string): Promise<Probed[]> {
  const { observers = observerKinds, experiment, id, signal } = request;
  using made = observedGroup();
  const probed: Probed[] = [];
  const isApart = [...request.places.executors.values()].some(({ filesOf }) => filesOf !== undefined);
  const profilers = profilerObservers(experiment.profiles ?? [], id, isApart ? 'own' : 'host');
  const tried = async (kind: ObserverKind): Promise<Probed> => {
    signal.throwIfAborted();
    const missing = await kind.probe(scratch, made.group).then(
      () => null,
      (thrown: unknown) => toLimitation(thrown),
    );
    return { kind, missing: missing === 'no-group' ? (made.limitation ?? missing) : missing };
  };
  const named: Probed[] = [];
  for (const kind of profilers) named.push(await tried(kind));
  // An unusable observer does not replace others.
  const replaced = new Set(
    named.flatMap(({ kind: { insteadOf = [] }, missing }) => (missing === null ? insteadOf : [])),
  );
  for (const kind of observers) {
    if (replaced.has(kind.name)) {
      probed.push({ kind, missing: 'set-aside' });
      continue;
    }
    if (probed.some(({ kind: { name }, missing }) => name === kind.unless && missing === null)) continue;
    probed.push(await tried(kind));
  }
  return [...probed, ...named];
}

/** Whether a service starts with the command: one of the experiment's, or of the variant's own place. */
const startsServices = ({ experiment, places }: ObserveRequest, variant: string): boolean =>
  startedServices(experiment).length > 0 || (places.executors.get(variant)?.inspections?.().services ?? []).length > 0;

/** Services on this machine that last as long as the experiment can't be observed: they start before the observed control group exists. */
const lastingServices = ({ experiment: { services = [] } }: ObserveRequest): ObserverRecord[] =>
  services.some(({ place, lifetime }) => lifetime === 'experiment' && !isMachine(place))
    ? [{ name: 'services', missing: 'lasts' }]
    : [];

/** What a tracer can observe, and what it can't: services of `variants`, and places that it has no access to. */
function tracerRungs(
  request: ObserveRequest,
  variants: readonly string[],
  { kind: { name }, names: traced, missing }: Traceable,
): ObserverRecord[] {
  if (missing !== null) return [{ name, missing }];
  const leavesServices = name === 'uftrace' && variants.some((variant) => startsServices(request, variant));
  const leavesContainers = name === 'uftrace' && traced.length < variants.length;
  return [
    { name, missing },
    ...(leavesServices ? [{ name: 'uftrace-services', missing: 'lone' as const }] : []),
    ...(leavesContainers ? [{ name: 'uftrace-containers', missing: 'place-not-seen' as const }] : []),
  ];
}

/** A tracer, the variants that it can trace, and if there are none, the reason. */
interface Traceable {
  readonly kind: TracerKind;
  readonly names: readonly string[];
  readonly missing: Limitation | null;
}

/**
 * The named tracers, and always strace, also for services. If none is named, traced runs are made only where system calls can't
 * be counted at less cost.
 */
async function traceable(request: ObserveRequest, scratch: string, probed: readonly Probed[]): Promise<Traceable[]> {
  const isCounted = probed.some(({ kind, missing }) => kind.name === perfStat.name && missing === null);
  const { trace, signal, experiment, places } = request;
  const asked = namedTracers(trace) ?? namedTracers(!isCounted) ?? [];
  const found: Traceable[] = [];
  for (const name of TRACERS) {
    const kind = tracerKinds[name];
    const names = experiment.variants.flatMap(({ name: variant, hidden }) => {
      const executor = places.executors.get(variant);
      if (hidden || executor?.traces === undefined || (kind.places === 'host' && executor.traces !== 'host')) return [];
      const isLeft =
        kind.places === 'services' && (executor.hasGroups?.() === false || !startsServices(request, variant));
      return isLeft ? [] : [variant];
    });
    const isNamed = Array.isArray(trace) && trace.includes(name);
    if (name !== 'strace' && !isNamed && (name === 'uftrace' || names.length === 0)) continue;
    signal.throwIfAborted();
    const missing = asked.includes(name)
      ? names.length === 0
        ? 'place-not-seen'
        : await kind.probe(scratch).then(() => groupLimitation(kind), toLimitation)
      : 'not-asked';
    found.push({ kind, names, missing });
  }
  return found;
}

function groupLimitation({ places }: TracerKind): Limitation | null {
  if (places !== 'services') return null;
  using made = observedGroup();
  return made.limitation;
}

interface OneObserved extends ObservedTurn {
  readonly rounds: number;
  readonly run: number;
  readonly executions: number;
  readonly kinds: readonly ObserverKind[];
  readonly scratch: string;
}

async function observeOne(request: ObserveRequest, one: OneObserved): Promise<OneOutcome> {
  const { places, signal } = request;
  const { round, variant, run, executions, kinds, scratch } = one;
  const executor = places.executors.get(variant) as Executor;
  using made = observedGroup();
  const isSeen = executor.hasGroups?.() ?? true;
  const group = isSeen ? made.group : null;
  const own = join(scratch, String(run));
  makeFolder(own);
  const by: { name: string; failure: Limitation | null }[] = [{ name: 'accounts', failure: null }];
  const observations: { readonly name: string; readonly observation: Observation }[] = [];
  const filesOf = executor.filesOf?.bind(executor) ?? null;
  try {
    for (const { name, start } of kinds) {
      const target = { group, folder: own, filesOf, signal };
      await start(target).then(
        (observation) => observations.push({ name, observation }),
        (thrown: unknown) => {
          signal.throwIfAborted();
          const failure = toLimitation(thrown);
          by.push({ name, failure: failure === 'no-group' && !isSeen ? 'place-not-seen' : failure });
        },
      );
    }
    const added = observations.flatMap(({ observation }) => observation.added ?? []);
    const around = observations.flatMap(({ observation }) => observation.around ?? []);
    const outcome = await performObserved(request, { ...one, executor, group, added, around });
    const { startNs, endNs, status, reason, telemetry } = outcome;
    const seen: ObserverData[] = [];
    for (const { name, observation } of observations) {
      if (status !== 'ok' || signal.aborted) {
        await observation.cancel();
        continue;
      }
      try {
        seen.push(await observation.end({ startNs, endNs }));
        by.push({ name, failure: null });
      } catch (thrown) {
        by.push({ name, failure: toLimitation(thrown) });
      }
    }
    const counted = seen.flatMap(({ counts }) => counts);
    const counts = [...counted, ...kernelTotals(outcome, counted)];
    const record: ObservedRecord = {
      round,
      variant,
      startNs,
      endNs,
      executions,
      by,
      way: 'sampled' as const,
      status: status === 'ok' ? 'ok' : 'failed',
      reason: status === 'ok' ? null : (reason ?? 'nobody knows why'),
      marks: telemetry?.marks ?? [],
      counts: counts.filter(({ fromNs, toNs }) => toNs > startNs && fromNs < endNs),
      samples: seen.flatMap(({ samples }) => samples),
    };
    return { record, isPlaceLost: outcome.cause === 'place-lost' };
  } catch (thrown) {
    // All observers are ended, whichever of them failed.
    await Promise.all(observations.map(({ observation }) => observation.cancel()));
    throw thrown;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** The kernel's totals of a run, as far as they are known. Processor time only if no observer counted it by stretches. */
function kernelTotals({ startNs, endNs, telemetry }: RunOutcome, counts: readonly StretchCount[]): StretchCount[] {
  const usage: RunTelemetry['usage'] = telemetry?.usage ?? null;
  if (usage === null) return [];
  const count = (kind: StretchCount['kind'], name: string, value: number | null | undefined): StretchCount[] =>
    value === null || value === undefined ? [] : [{ fromNs: startNs, toNs: endNs, kind, name, value, errors: null }];
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

function plannedText(turns: readonly ObservedTurn[], kinds: readonly ObserverKind[]): string {
  const by = ['the accounts of the kernel', ...kinds.map(({ name }) => name)].join(', ');
  const under = TRACERS.flatMap((name) => {
    const { length } = turns.filter(({ way }) => way === TRACER_WAYS[name]);
    return length === 0 ? [] : [`; ${length} of them run under ${name}, and may take very long`];
  }).join('');
  return `${turns.length} extra runs are observed (${by})${under}. They count toward no energy figure.`;
}
