import { type Frame, type StackSample, type StretchCount, UNTIMED } from '../../observers/observer.ts';
import type { MovedBytes } from '../../observers/perf-bytes/names.ts';
import { profilerOf, stackTimeOf } from '../../observers/profilers/names.ts';
import type { ObservedRecord } from '../../store/observed.ts';
import { type Stretch, stretchesOf } from '../phases/stretches.ts';
import type { Count, ObservedRun, PhaseProfile, StackTime } from './profile.ts';

/** Names that only the sampler's own work has in the kernel: what looking on costs is no work of the program. */
const LOOKING =
  /^(?:perf_(?:tp_|trace_|syscall_|swevent|event_|output|callchain|ibs|sample)|__perf_|__traceiter_sys_|trace_sys_|ctx_sched_|visit_groups_merge|bpf_trace_)/;

/** What extra runs gave, by phase. `isPhase`: whether a mark of this name begins a phase; a run that went wrong tells nothing. */
export function observedRuns(
  records: readonly ObservedRecord[],
  isPhase: (name: string) => boolean = () => true,
): ObservedRun[] {
  const used = records.map((record, i) => ({ record, run: i + 1 })).filter(({ record }) => isUsed(record));
  const by = used.map(({ record }) => seenBy(record));
  const all = new Set(by.flatMap((tools) => [...tools]));
  // What one run tells of phases, and another of the whole run, can't be compared.
  const areTimed = !used.some(({ record }) => record.samples.some(({ tNs }) => tNs === UNTIMED));
  return used.map(({ record, run }, i) => {
    const unseen = new Set([...all].flatMap((tool) => (by[i]?.has(tool) ? [] : (SEES[tool] ?? []))));
    const phases = phaseProfiles(areTimed ? record : { ...record, samples: [] }, isPhase);
    const told = { ...sampleOf(record), ...toldOf(record), ...(!areTimed && wholeOf(record)) };
    return { variant: record.variant, run, phases, ...told, ...(unseen.size > 0 && { unseen }) };
  });
}

const isUsed = ({ status, way }: ObservedRecord): boolean => status === 'ok' && way === 'sampled';

/** What is told by one observer alone: where it failed nothing is known, whoever else looked. */
const SEES: Readonly<Record<string, readonly (Count['kind'] | `bytes ${MovedBytes}`)[]>> = {
  'perf-stat': ['syscall', 'fault', 'switch'],
  'perf-counters': ['counter'],
  'perf-waits': ['off-cpu', 'error'],
  'perf-disks': ['bytes disks-read', 'bytes disks-written'],
  'perf-sockets': ['bytes network-sent', 'bytes network-received', 'bytes unix-sent', 'bytes unix-received'],
};

const seenBy = ({ by }: ObservedRecord): ReadonlySet<string> =>
  new Set(by.flatMap(({ name, failure }) => (failure === null ? [name] : [])));

function sampleOf({ samples }: ObservedRecord): Pick<ObservedRun, 'sampleS'> {
  if (samples.length === 0) return {};
  return { sampleS: samples.reduce((sum, { weightNs }) => sum + weightNs, 0) / samples.length / 1e9 };
}

/** What the profilers of runtimes that were named told beside the stacks, whether one of them told nothing, and whether anybody told the processor time. */
function toldOf({
  by,
  counts,
  samples,
}: ObservedRecord): Pick<ObservedRun, 'commands' | 'lacksStacks' | 'lacksCpu' | 'isThreadTime'> {
  const silent = by.flatMap(({ name, failure }) => (failure === null ? [] : (profilerOf(name)?.told.tells ?? [])));
  const used = by.flatMap(({ name, failure }) => (failure === null ? [name] : []));
  const asked = used.some((name) => profilerOf(name)?.told.tells === 'commands');
  return {
    ...(asked && !silent.includes('commands') && { commands: counts.filter(isCommand) }),
    ...(silent.includes('stacks') && { lacksStacks: true }),
    ...(stackTimeOf(used) === 'thread' && { isThreadTime: true }),
    ...(samples.length === 0 && !counts.some(({ kind }) => kind === 'cpu') && { lacksCpu: true }),
  };
}

const isCommand = (count: StretchCount): count is StretchCount & Count => /^command/.test(count.kind);

/** A stack is one object however often it was seen. */
type Keys = Map<readonly Frame[], string>;

class Stacks {
  readonly #found = new Map<string, { frames: readonly Frame[]; seconds: number }>();

  add({ frames, weightNs }: StackSample, keys: Keys): void {
    const key = keys.get(frames) ?? JSON.stringify(frames);
    keys.set(frames, key);
    const stack = this.#found.get(key) ?? { frames, seconds: 0 };
    stack.seconds += weightNs / 1e9;
    this.#found.set(key, stack);
  }

  all(): StackTime[] {
    return [...this.#found.values()];
  }
}

function wholeOf({ samples, startNs, endNs, counts }: ObservedRecord): Pick<ObservedRun, 'stacks' | 'lacksCpu'> {
  const stacks = new Stacks();
  const keys: Keys = new Map();
  for (const sample of samples) {
    const { tNs, frames } = sample;
    if (tNs !== UNTIMED && (tNs < startNs || tNs > endNs)) continue;
    if (!frames.some(isLooking)) stacks.add(sample, keys);
  }
  return { stacks: stacks.all(), ...(!counts.some(({ kind }) => kind === 'cpu') && { lacksCpu: true }) };
}

/** Under construction. */
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
  const told = marks.filter(({ phase }) => phase === null || isPhase(phase));
  const stretches = stretchesOf(told, { startNs, endNs, originNs: startNs });
  const parts = new Map<string | null, Part>();
  for (const { phase, start, end } of stretches) {
    const part = parts.get(phase) ?? { phase, wallS: 0, stacks: new Stacks(), counts: new Map(), cpuS: null };
    part.wallS += (end.ns - start.ns) / 1e9;
    parts.set(phase, part);
  }
  const partAt = (ns: number): Part | undefined => {
    const stretch = stretches.find(({ start, end }) => ns >= start.ns && ns <= end.ns);
    return stretch && parts.get(stretch.phase);
  };
  const keys: Keys = new Map();
  for (const sample of samples) {
    if (sample.frames.some(isLooking)) continue;
    partAt(Number(sample.tNs - startNs))?.stacks.add(sample, keys);
  }
  for (const count of counts)
    share(count, Number(count.fromNs - startNs), Number(count.toNs - startNs), stretches, parts);
  return [...parts.values()].map(({ stacks, counts: counted, cpuS, ...part }) => {
    const times = stacks.all();
    const sampledS = times.reduce((sum, { seconds }) => sum + seconds, 0);
    return { ...part, cpuS: cpuS ?? sampledS, stacks: times, counts: [...counted.values()] };
  });
}

const isLooking = ({ name, library }: Frame): boolean => library?.startsWith('[') === true && LOOKING.test(name);

/** What was counted in an interval belongs to the phases that it lies in, by the time in each. All of it is of the window: the rest of the group is idle. */
function share(
  count: StretchCount,
  fromNs: number,
  toNs: number,
  stretches: readonly Stretch[],
  parts: ReadonlyMap<string | null, Part>,
): void {
  if (isCommand(count)) return;
  const overlaps = stretches.map(({ phase, start, end }) => ({
    phase,
    ns: Math.max(0, Math.min(toNs, end.ns) - Math.max(fromNs, start.ns)),
  }));
  const wholeNs = overlaps.reduce((sum, { ns }) => sum + ns, 0);
  if (wholeNs === 0 || count.kind === 'stretched') return;
  // Whole things stay whole, and none is lost on the way.
  const isWhole = Number.isInteger(count.value) && count.kind !== 'cpu' && count.kind !== 'off-cpu';
  let untilNs = 0;
  let given = 0;
  for (const { phase, ns } of overlaps) {
    const part = parts.get(phase);
    if (ns === 0 || part === undefined) continue;
    untilNs += ns;
    const upTo = count.value * (untilNs / wholeNs);
    const value = (isWhole ? Math.round(upTo) : upTo) - given;
    given += value;
    if (count.kind === 'cpu') {
      part.cpuS = (part.cpuS ?? 0) + value;
      continue;
    }
    const { kind } = count;
    const key = `${kind} ${count.name}`;
    const sum = part.counts.get(key) ?? { kind, name: count.name, value: 0, errors: null };
    sum.value += value;
    if (count.errors !== null) sum.errors = (sum.errors ?? 0) + (count.errors * ns) / wholeNs;
    part.counts.set(key, sum);
  }
}
