import type { Limitation, ObserverName } from '../../contracts/observation.ts';
import { findProfiler, type ProfilerName, type StackTimeKind, stackTimeKind } from '../../contracts/profilers.ts';
import type { TracerName } from '../../contracts/tracers.ts';
import type { ExplainLine, Explanation, TracedLine } from '../../findings/explain.ts';
import { type Group, isGroup } from '../../findings/explain.ts';
import type { Interval } from '../../findings/numbers.ts';
import { bytes, decimalsFor, fixed, significant, unitFor, unitOfBytes } from '../../text/numbers.ts';
import { code, name, type Text, text } from '../document/text.ts';

/** Results of observed runs in words. They show what differs together with the energy; only an experiment shows the cause. */

const GROUPS: Readonly<Record<Group, string>> = {
  'memory-copy': 'memory copy',
  allocation: 'allocation',
  'page-faults': 'page faults',
  network: 'network stack',
  files: 'file system and overlay',
  tls: 'TLS and cryptography',
  scheduler: 'scheduler',
  'system-calls': 'entering the kernel, with its filters',
  kernel: 'other work of the kernel',
  runtime: 'runtime of the language',
  'c-library': 'other functions of the C library',
  own: 'own code',
};

export const groupText = (of: Group): string => GROUPS[of];

/** Subject of a line: `memory copy`, a function, `page-faults`. */
export function lineName({ kind, name: of }: ExplainLine): Text {
  if (kind === 'group') return [isGroup(of) ? groupText(of) : name(of)];
  if (kind === 'bytes' && Object.hasOwn(BYTES, of)) return [BYTES[of] ?? of];
  return ['function', 'command', 'command-time'].includes(kind) ? [code(of)] : [name(of)];
}

/** Byte counts of the kernel for the whole run. */
const BYTES: Readonly<Record<string, string>> = {
  'disks-read': 'read from disks',
  'disks-written': 'written to disks',
  'network-sent': 'sent over network sockets',
  'network-received': 'received over network sockets',
  'unix-sent': 'sent over Unix sockets',
  'unix-received': 'received over Unix sockets',
};

export const KINDS: Readonly<Record<ExplainLine['kind'], string>> = {
  group: 'what it goes to',
  function: 'function',
  syscall: 'system call',
  error: 'failed system call',
  fault: 'page faults',
  switch: 'context switches',
  'off-cpu': 'waited for',
  counter: 'counter of the processor',
  ratio: 'ratio of counters',
  bytes: 'bytes',
  command: 'calls, as the server counts them',
  'command-time': "the server's time for a call",
};

/** `0.42 s`, `4,012`, `3.1 MiB`. */
function amountOf({ unit }: Pick<ExplainLine, 'unit'>, amount: number): string {
  if (unit === 'B') return bytes(amount);
  if (unit === 's') return secondsText(amount);
  // Means of integers over a few runs: 1.250 would claim more precision than 1.25.
  return Number.isInteger(amount) ? fixed(amount, 0) : significant(amount, 4).replace(/(\.\d*?[1-9])0+$|\.0+$/, '$1');
}

/** A small count per run is a mean, with a fraction. */
const countText = (count: number): string =>
  Math.abs(count) >= 10 || Number.isInteger(count) ? fixed(Math.round(count), 0) : significant(count, 2);

function secondsText(seconds: number): string {
  const { unit, size } = unitFor(seconds, 's');
  return `${significant(seconds / size, 3)} ${unit}`;
}

/** `0.060 → 0.480 s`: means of the baseline and of the variant; `most`: seconds whose unit is shown. */
export function meansText(
  line: Pick<ExplainLine, 'baseline' | 'variant' | 'unit'>,
  most = Math.max(line.baseline, line.variant),
): string {
  if (line.unit !== 's') return `${amountOf(line, line.baseline)} → ${amountOf(line, line.variant)}`;
  const { unit, size } = unitFor(most, 's');
  return `${fixed(line.baseline / size, 3)} → ${fixed(line.variant / size, 3)} ${unit}`;
}

/** `+0.42 ± 0.02 s`, decimals from the interval; `most`: seconds that determine the unit. `+2762 in every run` if all are equal. */
export function differenceOf(line: Pick<ExplainLine, 'unit' | 'difference' | 'ci95' | 'alike'>, most?: number): string {
  const { unit, difference, ci95 } = line;
  const sign = difference > 0 ? '+' : '';
  if (line.alike) return `${sign}${amountOf(line, difference)} in every run`;
  const half = ci95 === null ? 0 : (ci95[1] - ci95[0]) / 2;
  if (unit === '1') return `${sign}${countText(difference)}${half === 0 ? '' : ` ± ${countText(half)}`}`;
  if (ci95 === null || half === 0) return `${sign}${amountOf(line, difference)}`;
  const widest = Math.max(Math.abs(difference), half);
  const { unit: shown, size } = unit === 'B' ? unitOfBytes(widest) : unitFor(most ?? widest, 's');
  const scaled: Interval = [ci95[0] / size, ci95[1] / size];
  const decimals = decimalsFor(scaled);
  return `${sign}${fixed(difference / size, decimals)} ± ${fixed(half / size, decimals)} ${shown}`;
}

export const phaseName = (phase: string | null): Text => (phase === null ? ['whole run'] : [name(phase)]);

export const timeText = (time: StackTimeKind): 'thread time' | 'processor time' => `${time} time`;

/** Name of the seconds of functions: most profilers of runtimes count time in which a thread was in a function, not processor time. */
export const timeName = ({ rungs }: Pick<Explanation, 'rungs'>): ReturnType<typeof timeText> =>
  timeText(stackTimeKind(usedRungs(rungs)));

/** Whether one profiler told thread time and another processor time. */
export function isMixedTime({ rungs }: Pick<Explanation, 'rungs'>): boolean {
  const times = usedRungs(rungs).flatMap((of) => {
    const reported = findProfiler(of)?.reported;
    return reported?.tells === 'stacks' ? [reported.time] : [];
  });
  return new Set(times).size > 1;
}

const usedRungs = (rungs: Explanation['rungs']): readonly string[] =>
  rungs.flatMap(({ name: of, state }) => (state === 'used' ? [of] : []));

/** `wholeS` null: the whole difference is too unclear to be shared out. `memory copy, +0.42 ± 0.02 s of processor time per run (74 % of the whole difference), in phase LRANGE_600`. */
export function goesWith(
  line: ExplainLine,
  wholeS: number | null,
  time: ReturnType<typeof timeName>,
  unit: 'run' | 'whole run',
): Text {
  const share = wholeS === null ? 0 : line.difference / wholeS;
  const part = share > 0 && share <= 1 ? ` (${fixed(100 * share, 0)} % of the whole difference)` : '';
  const where = line.phase === null ? [] : text`, in phase ${name(line.phase)}`;
  return text`${lineName(line)}, ${differenceOf(line)} of ${time} per ${unit}${part}${where}`;
}

type RungName =
  | ObserverName
  | ProfilerName
  | TracerName
  | 'uftrace-services'
  | 'accounts'
  | 'services'
  | 'uftrace-containers';

/** Description of each observation level, by the name of its observer. */
const RUNGS: Readonly<Record<RungName, string>> = {
  accounts: "the kernel's accounts: processor time, faults, switches and bytes",
  'perf-stat': 'counts of system calls, faults and switches by phase (perf)',
  'perf-counters':
    'instructions, cycles, and misses of caches and branches by phase, as the processor counts them (perf)',
  'perf-waits': 'what threads waited for, and system calls that failed, by phase (perf)',
  'perf-disks': 'bytes read from disks and written to them by phase (perf)',
  'perf-sockets': 'bytes sent and received over sockets by phase (perf)',
  'perf-record': 'functions by processor time and phase (perf)',
  'perf-user':
    "functions of the user's own programs on the host by processor time and phase, without what the kernel did for them (perf, without rights)",
  services: 'what services of the experiment used',
  node: "functions of scripts by the time that a thread was in them (Node.js' own profiler)",
  jfr: "methods by how often a thread was found running in them (Java's Flight Recorder)",
  'py-spy': 'functions of Python by how often a thread was found running in them (py-spy)',
  go: "functions of Go by processor time (Go's own profiler)",
  postgres: "statements by calls and by the server's own time (pg_stat_statements of PostgreSQL)",
  redis: "commands by calls and by the server's own time (INFO commandstats of Redis)",
  strace: "errors and times of the system calls of the run's own command (strace, in runs of its own)",
  'strace-services': 'errors and times of the system calls of services (strace, in runs of its own)',
  uftrace: "calls of libraries by the run's own command, with the time in them (uftrace, in runs of its own)",
  'uftrace-services': 'calls of libraries by services',
  'uftrace-containers': 'calls of libraries in other places than the host',
};
/** False for names written by another version. */
const isRung = (name: string): name is RungName => Object.hasOwn(RUNGS, name);

export function rungText(of: string): Text {
  const service = findProfiler(of)?.of ?? null;
  const rung = service === null ? of : of.slice(0, of.indexOf(':'));
  const reported: Text = isRung(rung) ? [RUNGS[rung]] : [name(rung)];
  return service === null ? reported : text`${reported}, of the service ${name(service)}`;
}

/** Limitations of observers, with a remedy. */
const LIMITATION_TEXTS: Readonly<Record<Limitation, Text>> = {
  'no-tool': ['its program is not installed'],
  'not-allowed': text`this user may not: ${code('sysctl kernel.perf_event_paranoid=-1')}, or a copy of the program with ${code('CAP_PERFMON')} and ${code('CAP_SYS_PTRACE')}, would allow it, and with it a look into every process of the machine`,
  'no-tracepoints': text`only root, or a program with ${code('CAP_PERFMON')}, can read tracepoints`,
  'no-group': ['no control group could be made for the runs'],
  limits: [
    'joulediff runs in a control group with limits (of processors, memory or disks), and the group of an observed run would be outside of them; start it where it has none',
  ],
  hangs: ['it gave no answer in its time'],
  overrun: ['the runs produced more data than is kept for one run'],
  'no-room': ['the disk that results are written to is nearly full, and it needs a file there meanwhile'],
  'too-much': ['it needed more memory or more processes than such a program may have, and was ended'],
  ended: ['it ended before the run did'],
  lasts: text`they run as long as the experiment does, and not in a run; ${code('lifetime: run')} starts them anew in each`,
  'place-not-seen': ['it can’t look into this kind of place'],
  unreadable: ['what it gave can’t be read'],
  'set-aside': ['a profiler that the experiment file names reports the functions, and the same time would count twice'],
  'no-profile': [
    'no process wrote a profile: none was of this runtime, or a signal ended it before it could write; a service has to end by itself when it is asked to',
  ],
  killed: [
    'a signal ended one of its processes before that could write its profile, and what the others wrote is not all; a process that ends by itself (`process.on("SIGTERM", () => process.exit())`) writes it',
  ],
  'wrote-too-much': ['it wrote more than is read'],
  'other-user': [
    'its profile belongs to another user, such as the one in the container; start joulediff as root, or give the variant a user',
  ],
  'no-answer': ['nothing answered at its address'],
  refused: ['the server refused; it may require a password, or lack the extension that keeps the statistics'],
  'no-tracing': text`this machine, or the filter of the container’s system calls, lets no user trace even programs that the same user started: ${code('kernel.yama.ptrace_scope')} is 2 or 3, or ${code('ptrace')} is filtered; ${code('sysctl kernel.yama.ptrace_scope=1')} would allow every user of the machine to trace programs that the user starts`,
  'not-asked': text`it makes runs many times longer, and was not asked for; ${code('joulediff explain --trace')} does it in three more runs of every variant`,
  'too-slow': ['runs took so long under it that they were ended'],
  'no-counters': [
    'the kernel knows no counters of this processor, or the firmware keeps them off; a newer kernel, or a switch of the firmware, may give them',
  ],
  'no-counters-in-guest': text`this machine is a virtual one, and its host lends it no counters of the processor; the host can (${code('-cpu host,pmu=on')} of QEMU, ${code("<pmu state='on'/>")} of libvirt), and machines that are not virtual have them`,
  'shared-counters': text`others used the processor’s counters meanwhile, and what is extrapolated is no count; ${code('sysctl kernel.nmi_watchdog=0')} frees the one that the kernel’s watchdog uses, which then no longer detects hung processors`,
  'no-such-event': ['this kernel has no such event; those for sockets came with Linux 6.3'],
  lone: text`uftrace is loaded into a program when that starts, and can’t attach to a service; ${code('--trace strace-services')} counts the system calls of services`,
  static: ['the program is linked statically: what it calls is in its own file'],
  'not-glibc': ['the program has another C library, or is for another kind of processor, than the tracer'],
};

const NOT_TRACEABLE = text`this user may not attach to processes that already run, or to those of another user: start joulediff as root, or, for programs on the host, ${code('sysctl kernel.yama.ptrace_scope=0')}, which lets every user attach to processes of the same user`;

/** Texts for an observer whose limitation has a different remedy. */
const OWN_LIMITATIONS: Readonly<Partial<Record<RungName, Readonly<Partial<Record<Limitation, Text>>>>>> = {
  'py-spy': {
    'no-tool': text`its program is not installed: ${code('pip install py-spy')}`,
    'not-allowed': NOT_TRACEABLE,
    'no-profile': ['no process of Python was found, or none ran long enough to be looked at'],
    unreadable: ['what it gave can’t be read: an older version may print its stacks otherwise'],
  },
  go: {
    'no-profile': text`no file that ends in ${code('.pprof')} was written to the folder in ${code('JOULEDIFF_PROFILE_DIR')}`,
    unreadable: ['what it gave is no CPU profile of Go'],
    refused: text`the server refused: it has no ${code('net/http/pprof')} at this port, or somebody else takes a profile`,
  },
  'strace-services': {
    'not-allowed': NOT_TRACEABLE,
    'place-not-seen': ['no service starts with a run, on this machine, in a place that strace can look into'],
    ended: ['it could not attach to all processes of the services: another tracer may hold one'],
  },
  uftrace: {
    'no-tool': text`its program is not installed: ${code('apt-get install uftrace')}`,
    'no-tracing': [
      'the runs under it went wrong, although they go well without it: a program that it can’t be loaded into may have been started, or it was ended',
    ],
    ended: [
      'the runs failed under it, although they go well without it: a program that it can’t be loaded into may have been started',
    ],
    'other-user': ['the variant runs as another user, whose programs may not write into the trace'],
    'no-profile': [
      'it saw no call of a library: such a program may be linked so that its calls can’t be taken over (-fno-plt)',
    ],
    'wrote-too-much': ['the runs made more calls than its trace may hold (512 MiB, some 20 million), and were ended'],
    overrun: ['the runs made calls faster than it could write them, or of more functions than are kept'],
  },
  'uftrace-containers': {
    'place-not-seen': [
      'uftrace is loaded into what it traces, so images would have to hold it: only programs on the host are looked at',
    ],
  },
};

const isLimitation = (word: string): word is Limitation => Object.hasOwn(LIMITATION_TEXTS, word);

/** Text of a limitation; `rung`: the observation level that has it. */
export function limitationText(missing: string | null, rung: string): Text {
  if (missing === null) return ['not known'];
  if (!isLimitation(missing)) return [name(missing)];
  const of = findProfiler(rung)?.name ?? rung;
  return (isRung(of) ? OWN_LIMITATIONS[of]?.[missing] : undefined) ?? LIMITATION_TEXTS[missing];
}

/** Quantities of a traced run's lines. */
export const AMOUNTS: Readonly<Record<TracedLine['amount'], string>> = {
  calls: 'calls',
  errors: 'calls that failed',
  seconds: 'seconds in it, stretched',
};

/** `×1.10`. */
export const stretchText = ({ factor }: Explanation['stretch'][number]): string => `×${fixed(factor, 2)}`;
