import type { Frame } from '../../../../contracts/observed-run.ts';
import type { Group } from '../../../../findings/explain.ts';
import { canonicalName, fileOf, isKernel, scriptName } from './canonical.ts';
import { KERNEL, KERNEL_ENTRY, LIBRARIES, USER } from './groups.ts';

export { GROUPS, type Group } from '../../../../findings/explain.ts';
export { canonicalName } from './canonical.ts';

/**
 * What the time spent in `frame` itself goes to. `callers` stand below it on the stack, the outermost first: a helper of the kernel
 * belongs to the nearest of them that tells what the kernel worked on.
 */
export function groupOf(frame: Frame, callers: readonly Frame[] = []): Group {
  const name = canonicalName(frame);
  if (isKernel(frame.library) || isMadeByKernel(frame, callers)) return kernelGroup(frame, name, callers);
  if (scriptName(frame.name) !== null) return 'own';
  const file = fileOf(frame.library);
  return first(USER, name) ?? first(LIBRARIES, file) ?? (isOfLibc(frame.name) ? 'c-library' : 'own');
}

/** What the kernel calls is its own, though no symbol names it: a filter of system calls is made into code when a container starts. */
const isMadeByKernel = ({ library }: Frame, callers: readonly Frame[]): boolean =>
  library === null && isKernel(callers.findLast((caller) => caller.library !== null)?.library ?? null);

function kernelGroup(frame: Frame, name: string, callers: readonly Frame[]): Group {
  const own = kernelRule(frame, name);
  if (own !== null) return own;
  if (KERNEL_ENTRY.test(name)) return 'system-calls';
  for (let i = callers.length - 1; i >= 0; i--) {
    const caller = callers[i];
    if (caller === undefined || !isKernel(caller.library)) break;
    const known = kernelRule(caller, canonicalName(caller));
    if (known !== null) return known;
  }
  return 'kernel';
}

/** A module is a file system or a driver of the network by its name, whatever its functions are called. */
function kernelRule({ library }: Frame, name: string): Group | null {
  const module = /^\[(\w+)\]$/.exec(library ?? '')?.[1] ?? /(\w+)\.ko/.exec(library ?? '')?.[1];
  const ofModule = module === undefined ? null : first(KERNEL, `${module}_module`);
  return first(KERNEL, name) ?? (module === 'overlay' ? 'files' : ofModule);
}

/** In a static program, where no file tells. */
const isOfLibc = (name: string): boolean => {
  const whole = canonicalName({ name, library: null });
  return /^(?:_IO_|__libc_|_nl_|_dl_|__pthread_|__vfprintf|__printf|__strto)/.test(name) || LIBC.test(whole);
};
const LIBC =
  /^(?:mem(?:set|cmp|r?chr)|rawmemchr|str(?:n?(?:len|cmp|cpy|cat)|n?casecmp|r?chr|chrnul|str|c?spn|pbrk|tok(?:_r)?|n?dup|to\w+)|stpn?cpy|wcs\w+|qsort(?:_r)?|bsearch|v?f?s?n?printf|printf_core|fmt_u|fmt_fp|vfscanf|pthread_\w+|open|openat|close|p?read|p?write|readv|writev|lseek|l?f?stat|fstatat|statx|unlink|unlinkat|rename|mkdir|getdents|fsync|fdatasync|send|sendto|sendm?msg|recv|recvfrom|recvm?msg|accept4?|connect|bind|listen|socket|p?poll|select|epoll_\w+|v?fork|clone3?|execve|wait4|waitpid|nanosleep|clock_\w+|gettimeofday|time|sched_yield|syscall|syscall_cp\w*)$/;

function first(rules: readonly (readonly [Group, RegExp])[], name: string): Group | null {
  return rules.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
}
