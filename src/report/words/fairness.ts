import type { Aspect, PlaceDifference, Unseen } from '../../findings/surroundings.ts';
import { bytes } from '../../text/numbers.ts';
import { code, name, type Text, text } from '../document/text.ts';

const ASPECTS: Readonly<
  Record<Exclude<Aspect, 'environment' | 'file-system' | 'limit' | 'package' | 'library' | 'service'>, string>
> = {
  command: 'the command',
  version: 'the version',
  libc: 'the C library',
  kernel: 'the kernel',
  cpus: 'the processors that may be used',
  'cpu-limit': 'the limit on processor time',
  'memory-limit': 'the memory limit',
  'swap-limit': 'the swap limit',
  'process-limit': 'the limit on processes',
  'huge-pages': 'transparent huge pages',
  swap: 'swap',
  nice: 'the niceness',
  locale: 'the locale',
  workdir: 'the working directory',
  'time-zone': 'the time zone',
  user: 'the user ID',
  umask: 'the umask',
  seccomp: 'the seccomp mode',
  capabilities: 'the capabilities',
  'new-privileges': 'the flag no_new_privs',
  mitigations: 'the mitigations of speculative execution',
  network: 'the network path',
  allocator: 'the allocator',
  compiler: 'the compiler',
};

const FOLDERS: Readonly<Record<string, string>> = {
  workdir: 'the file system of the working directory',
  temporary: 'the file system for temporary files',
  root: 'the file system of the root folder',
};

/** Name of what differs: `the C library`, `the variable GOGC`, `the allocator of the service db`. */
export function aspectText(difference: PlaceDifference): Text {
  const { service } = difference;
  return service === undefined ? ofPlace(difference) : text`${ofPlace(difference)} of the service ${name(service)}`;
}

function ofPlace({ aspect, of }: PlaceDifference): Text {
  const which = of ?? '';
  if (aspect === 'service') return text`the service ${name(which)}`;
  if (aspect === 'environment') return text`the variable ${code(which)}`;
  if (aspect === 'limit') return text`the ulimit ${name(which)}`;
  if (aspect === 'package') return text`the package ${name(which)}`;
  if (aspect === 'library') return text`the library ${name(which)}`;
  if (aspect !== 'file-system') return [ASPECTS[aspect]];
  return Object.hasOwn(FOLDERS, which) ? [FOLDERS[which] ?? ''] : text`the file system at ${name(which)}`;
}

const SIZES = new Set<Aspect>(['memory-limit', 'swap-limit']);
/** Limits that are sizes in bytes (proc(5)). */
const LIMITS_IN_BYTES = /size|memory|address space|resident set/;

const MISSING: Readonly<Partial<Record<Aspect, string>>> = { library: 'not linked', service: 'not there' };

/** Value of a place in words. */
export function valueText({ aspect, of }: PlaceDifference, value: string | null): string {
  if (value === null) return MISSING[aspect] ?? 'not set';
  // A network may have the name `none`.
  if (value === 'none' && aspect !== 'network') return 'no limit';
  if (aspect === 'capabilities') return value === '0' ? 'none' : `0x${value}`;
  const isSize = SIZES.has(aspect) || (aspect === 'limit' && LIMITS_IN_BYTES.test(of ?? ''));
  return isSize && /^\d+$/.test(value) ? bytes(Number(value)) : value;
}

/** Maximum length of values that are included in a sentence. */
const LONGEST_VALUE = 24;

/** `the C library (glibc 2.36, musl 1.2.5)`. */
export function differenceText(difference: PlaceDifference): Text {
  const values = [valueText(difference, difference.baseline), valueText(difference, difference.variant)];
  const isReported = difference.aspect !== 'environment' && values.every((value) => value.length <= LONGEST_VALUE);
  if (!isReported) return aspectText(difference);
  return text`${aspectText(difference)} (${name(values[0] ?? '')}, ${name(values[1] ?? '')})`;
}

export const WEIGHTS: Readonly<Record<PlaceDifference['weight'], string>> = {
  'may-matter': 'may matter',
  asked: 'as the experiment asks',
  usual: 'usual',
};

export const UNSEEN: Readonly<Record<Unseen, string>> = {
  'no-shell': 'its image has no shell to look around with',
  'no-place': 'its command runs on the host',
  failed: 'looking around failed',
};
