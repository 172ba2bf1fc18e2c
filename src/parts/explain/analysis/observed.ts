import { stretchesOf } from '../../../analysis/phases/stretches.ts';
import {
  type Frame,
  type ObserverName,
  type StackSample,
  type StretchCount,
  UNTIMED,
} from '../../../contracts/observation.ts';
import type { Count, ObservedRun, PhaseProfile, StackTime } from '../../../contracts/observed-run.ts';
import { findProfiler, stackTimeKind } from '../../../contracts/profilers.ts';
import type { ObservedRecord } from '../../../store/observed.ts';
import type { MovedBytes } from '../observers/perf-bytes/names.ts';
import { Course, type Share } from './course.ts';
import { MIN_RUNS } from './estimate.ts';
import { waitName } from './names/canonical.ts';

/** Kernel functions that only the sampler causes: the cost of observing is no work of the program. */
const OBSERVER_FRAMES =
  /^(?:perf_(?:tp_|trace_|syscall_|swevent|event_|output|callchain|ibs|sample)|__perf_|__traceiter_sys_|trace_sys_|ctx_sched_|visit_groups_merge|bpf_trace_)/;

/** Results of extra runs, by phase. `isPhase`: whether a mark of this name begins a phase; failed runs are left out. */
export function observedRuns(
  records: readonly ObservedRecord[],
  isPhase: (name: string) => boolean = () => true,
): ObservedRun[] {
  const used = records.map((record, i) => ({ record, run: i + 1 })).filter(({ record }) => isUsed(record));
  const by = used.map(({ record }) => seenBy(record));
  const all = new Set(by.flatMap((tools) => [...tools]));
  // Phases can be compared only if all runs have times.
  const areTimed = !used.some(({ record }) => record.samples.some(({ tNs }) => tNs === UNTIMED));
  return used.map(({ record, run }, i) => {
    const unseen = new Set([...all].flatMap((tool) => (by[i]?.has(tool) || !isObserver(tool) ? [] : SEES[tool])));
    const phases = phaseProfiles(areTimed ? record : { ...record, samples: [] }, isPhase);
    const reported = { ...meanSampleTime(record), ...profilerData(record), ...(!areTimed && wholeStacks(record)) };
    return { ...reported, variant: record.variant, run, phases, ...(unseen.size > 0 && { unseen }) };
  });
}

/**
 * Leaves out sampled runs with other profilers of functions than the newest runs, once those suffice for each variant. Perf without rights sees less,
 * and replaces none with them.
 */
export function withoutReplaced(records: readonly ObservedRecord[]): ObservedRecord[] {
  const used = Map.groupBy(records.filter(isUsed), stackObservers);
  const variants = new Set(records.filter(isUsed).map(({ variant }) => variant));
  const suffices = (own: string): boolean =>
    [...variants].every((name) => (used.get(own) ?? []).filter(({ variant }) => variant === name).length >= MIN_RUNS);
  let newest = '';
  for (const record of records.filter(isUsed)) {
    const own = stackObservers(record);
    const isLess = own === '' || (own === 'perf-user' && newest === 'perf-record' && suffices(newest));
    if (newest === '' || (!isLess && suffices(own))) newest = own;
  }
  return records.filter((record) => !isUsed(record) || stackObservers(record) === newest);
}

const stackObservers = ({ by }: ObservedRecord): string =>
  by
    .flatMap(({ name }) => (reportsStacks(name) ? name : []))
    .sort()
    .join();
const reportsStacks = (name: string): boolean =>
  ['perf-record', 'perf-user'].includes(name) || findProfiler(name)?.reported.tells === 'stacks';

const isUsed = ({ status, way }: ObservedRecord): boolean => status === 'ok' && way === 'sampled';

/** Kinds of counts that only this observer reports: if it failed they are unknown, whatever other observers report. */
const SEES: Readonly<Record<ObserverName, readonly (Count['kind'] | `bytes ${MovedBytes}`)[]>> = {
  'perf-stat': ['syscall', 'fault', 'switch'],
  'perf-counters': ['counter'],
  'perf-waits': ['off-cpu', 'error'],
  'perf-disks': ['bytes disks-read', 'bytes disks-written'],
  'perf-sockets': ['bytes network-sent', 'bytes network-received', 'bytes unix-sent', 'bytes unix-received'],
  // Both report stacks, whose absence `lacksStacks` and `lacksCpu` mark.
  'perf-record': [],
  'perf-user': [],
};

const isObserver = (name: string): name is ObserverName => Object.hasOwn(SEES, name);

const seenBy = ({ by }: Pick<ObservedRecord, 'by'>): ReadonlySet<string> =>
  new Set(by.flatMap(({ name, failure }) => (failure === null ? [name] : [])));

function meanSampleTime({ samples }: ObservedRecord): Pick<ObservedRun, 'sampleS'> {
  if (samples.length === 0) return {};
  return { sampleS: samples.reduce((sum, { weightNs }) => sum + weightNs, 0) / samples.length / 1e9 };
}

/** Data of the named profilers beside the stacks, whether one of them failed, and whether any reported processor time. */
function profilerData({ by, counts, samples }: ObservedRecord): Partial<ObservedRun> {
  const silent = by.flatMap(({ name, failure }) =>
    failure === null ? [] : (findProfiler(name)?.reported.tells ?? []),
  );
  const used = [...seenBy({ by })];
  // Only perf-record samples the kernel and all programs.
  const isWhole = samples.length > 0 && used.includes('perf-record');
  const asked = used.some((name) => findProfiler(name)?.reported.tells === 'commands');
  return {
    ...(asked && !silent.includes('commands') && { commands: counts.filter(isCommand) }),
    ...(silent.includes('stacks') && { lacksStacks: true }),
    ...(stackTimeKind(used) === 'thread' ? { isThreadTime: true } : !isWhole && { isPartial: true }),
    ...(!isWhole && !counts.some(({ kind }) => kind === 'cpu') && { lacksCpu: true }),
  };
}

const isCommand = (count: StretchCount): count is StretchCount & Count => /^command/.test(count.kind);

/** Interns functions and stacks: keys of deep stacks would fill the memory, so functions have numbers, and equal stacks are one object. */
class Keys {
  readonly #stacks = new Map<readonly Frame[], string>();
  readonly #frames = new Map<string | null, Map<string, number>>();
  #count = 0;

  of(frames: readonly Frame[]): string {
    const known = this.#stacks.get(frames);
    if (known !== undefined) return known;
    const key = frames.map((frame) => this.#numberOf(frame)).join();
    this.#stacks.set(frames, key);
    return key;
  }

  #numberOf({ name, library }: Frame): number {
    const names = this.#frames.get(library) ?? new Map<string, number>();
    this.#frames.set(library, names);
    const number = names.get(name) ?? ++this.#count;
    names.set(name, number);
    return number;
  }
}

class Stacks {
  readonly #found = new Map<string, { frames: readonly Frame[]; seconds: number }>();

  add({ frames, weightNs }: StackSample, keys: Keys): void {
    const key = keys.of(frames);
    const stack = this.#found.get(key) ?? { frames, seconds: 0 };
    stack.seconds += weightNs / 1e9;
    this.#found.set(key, stack);
  }

  all(): StackTime[] {
    return [...this.#found.values()];
  }
}

function wholeStacks({ samples, startNs, endNs }: ObservedRecord): Pick<ObservedRun, 'stacks'> {
  const stacks = new Stacks();
  const keys = new Keys();
  for (const sample of samples) {
    const { tNs, frames } = sample;
    if (tNs !== UNTIMED && (tNs < startNs || tNs > endNs)) continue;
    if (!frames.some(isOfObserver)) stacks.add(sample, keys);
  }
  return { stacks: stacks.all() };
}

/** A phase while it is built. */
interface Part {
  readonly phase: string | null;
  wallS: number;
  readonly stacks: Stacks;
  readonly counts: Map<string, { -readonly [K in keyof Count]: Count[K] }>;
  /** null: not counted. */
  cpuS: number | null;
}

function phaseProfiles(record: ObservedRecord, isPhase: (name: string) => boolean): PhaseProfile[] {
  const { startNs, endNs, marks, samples, counts } = record;
  const reported = marks.filter(({ phase }) => phase === null || isPhase(phase));
  const course = new Course(stretchesOf(reported, { startNs, endNs, originNs: startNs }));
  const parts = new Map<string | null, Part>();
  for (const { phase, start, end } of course.stretches) {
    const part = parts.get(phase) ?? { phase, wallS: 0, stacks: new Stacks(), counts: new Map(), cpuS: null };
    part.wallS += (end.ns - start.ns) / 1e9;
    parts.set(phase, part);
  }
  const keys = new Keys();
  for (const sample of samples) {
    if (sample.frames.some(isOfObserver)) continue;
    const at = Number(sample.tNs - startNs);
    const stretch = course.near(at, at).find(({ start, end }) => at >= start.ns && at <= end.ns);
    if (stretch !== undefined) parts.get(stretch.phase)?.stacks.add(sample, keys);
  }
  for (const count of counts) {
    if (isCommand(count) || count.kind === 'stretched') continue;
    addCount(parts, count, course.shares(count, Number(count.fromNs - startNs), Number(count.toNs - startNs)));
  }
  return [...parts.values()].map(({ stacks, counts: counted, cpuS, ...part }) => {
    const times = stacks.all();
    const sampledS = times.reduce((sum, { seconds }) => sum + seconds, 0);
    return { ...part, cpuS: cpuS ?? sampledS, stacks: times, counts: [...counted.values()] };
  });
}

const isOfObserver = ({ name, library }: Frame): boolean =>
  library?.startsWith('[') === true && OBSERVER_FRAMES.test(name);

/** Adds each phase's share of a count. */
function addCount(parts: ReadonlyMap<string | null, Part>, count: StretchCount, shares: readonly Share[]): void {
  for (const { phase, value, errors, unsure } of shares) {
    const part = parts.get(phase);
    if (part === undefined) continue;
    const { kind } = count;
    const name = kind === 'off-cpu' ? waitName(count.name) : count.name;
    if (kind === 'cpu') part.cpuS = (part.cpuS ?? 0) + value;
    if (kind === 'cpu' || kind === 'stretched' || kind === 'call') continue;
    const key = `${kind} ${name}`;
    const sum = part.counts.get(key) ?? { kind, name, value: 0, errors: null };
    sum.value += value;
    if (errors !== null) sum.errors = (sum.errors ?? 0) + errors;
    if (unsure > 0) {
      const { given, most } = sum.unsure ?? { given: 0, most: 0 };
      sum.unsure = { given: given + value, most: most + unsure };
    }
    part.counts.set(key, sum);
  }
}
