import type { Frame } from '../../../../contracts/observed-run.ts';

/** Suffixes of compilers and linkers: clones of a function (GCC's -fipa-*, LLVM's ThinLTO) and symbol versions. */
const CLONES = /(?:\.(?:isra|part|constprop|lto_priv|llvm|__uniq)\.\d+|\.(?:cold|localalias|warm)(?:\.\d+)?)+$/;
const VERSION = /@@?(?:[A-Z][A-Za-z]*_[\w.]+|plt)$/;

/** Suffixes of processor-specific variants in glibc (sysdeps/x86_64/multiarch, sysdeps/aarch64/multiarch). */
const MULTIARCH =
  /^_*((?:w?mem(?:p?cpy|ccpy|move|set|r?chr|cmp(?:eq)?)|rawmemchr|bcopy|bcmp|str(?:n?(?:cpy|cat|cmp|len)|n?casecmp(?:_l)?|stpn?cpy|r?chr|chrnul|c?spn|pbrk|str)|stpn?cpy|wcs(?:n?(?:cpy|cmp|len)|r?chr)))(?:_chk)?_(?:avx|evex|sse|ssse|erms|rep|generic|sve|mops|falkor|thunderx|kunpeng|a64fx|simd|oryon|asimd|ifunc|fwd|emag|default|zva|nehalem)\w*$/;

/** Public function for internal ones: malloc.c and memmove of glibc 2.36 and 2.41, mallocng and oldmalloc of musl 1.2.3 (`nm` of both). */
const INNER: Readonly<Record<string, string>> = {
  ...toOne('memcpy', 'memmove mempcpy memcpy_fwd new_memcpy wmemmove wmempcpy wmemcpy runtime.memmove'),
  ...toOne(
    'malloc',
    'int_malloc malloc_impl simple_malloc default_malloc alloc_slot alloc_group alloc_meta malloc_alloc_meta malloc_allzerop sysmalloc sysmalloc_mmap sysmalloc_mmap_fallback alloc_new_heap tcache_init arena_get2 arena_get_retry ptmalloc_init get_meta enframe try_avail minimal_malloc lite_malloc alloc_perturb new_heap tcache_malloc',
  ),
  ...toOne(
    'free',
    'int_free nontrivial_free free_group munmap_chunk systrim unlink_chunk cfree minimal_free int_free_chunk int_free_merge_chunk int_free_create_chunk int_free_maybe_consolidate',
  ),
  ...toOne('realloc', 'int_realloc mremap_chunk minimal_realloc reallocarray'),
  ...toOne('calloc', 'minimal_calloc'),
  ...toOne('memalign', 'int_memalign aligned_alloc posix_memalign mid_memalign pvalloc valloc'),
};

/** C library calls with several equivalent names (`__GI___libc_open`, `__open64_nocancel`, `open64`). */
const CALLS = new Set(
  `${Object.keys(INNER).join(' ')} memcpy malloc free calloc realloc memalign malloc_consolidate malloc_trim malloc_usable_size
memset memcmp memchr memrchr rawmemchr strlen strnlen strcmp strncmp strcpy strncpy strcat strncat strchr strrchr strstr strcasecmp strncasecmp
strspn strcspn strpbrk strdup strndup strtol strtoul strtod stpcpy stpncpy qsort bsearch printf fprintf snprintf vsnprintf vfprintf sprintf
open openat close read write pread pwrite readv writev lseek stat fstat lstat fstatat statx unlink unlinkat rename mkdir getdents fsync fdatasync
mmap munmap mremap mprotect madvise brk sbrk send sendto sendmsg sendmmsg recv recvfrom recvmsg recvmmsg accept accept4 connect bind listen socket
poll ppoll select epoll_wait epoll_pwait epoll_ctl fork vfork clone clone3 execve wait4 waitpid nanosleep clock_nanosleep clock_gettime gettimeofday
time sched_yield getpid pthread_mutex_lock pthread_mutex_unlock pthread_cond_wait pthread_cond_signal futex syscall`.split(
    /\s+/,
  ),
);

const UNKNOWN = /^(?:\[unknown\]|0x[0-9a-f]+|)$/;

/**
 * Canonical name for comparing functions: the same for equivalents in another C library, processor or compiler. An unnamed function
 * gets the name of its file in brackets.
 */
export function canonicalName({ name, library }: Frame): string {
  if (UNKNOWN.test(name)) return `[${fileOf(library)}]`;
  const script = scriptName(name);
  if (script !== null) return script;
  const whole = name.replace(VERSION, '').replace(CLONES, '');
  if (whole === '') return `[${fileOf(library)}]`;
  if (isKernel(library)) return kernelName(whole);
  const plain = MULTIARCH.exec(whole)?.[1] ?? whole.replace(/^_+GI_/, '').replace(/^_*libc_/, '');
  const bare = plain
    .replace(/^_+/, '')
    .replace(/_nocancel$/, '')
    .replace(/(?<=[a-z])64(?:_v2)?$/, '');
  if (Object.hasOwn(INNER, bare)) return INNER[bare] ?? bare;
  return CALLS.has(bare) ? bare : whole === plain ? whole : bare;
}

/** Name of a script function that V8 compiled (`JS:*handle /app/server.js:10`), without the compilation tier; null: it is none. */
export function scriptName(name: string): string | null {
  return /^(?:LazyCompile|Function|Script|Eval|JS):[~*^+]?(.+)$/.exec(name)?.[1] ?? null;
}

/** Public call for the system calls that implement waits: glibc and musl use different ones (sysdeps/unix/sysv/linux, src/linux, src/select). */
const WAITS: Readonly<Record<string, string>> = {
  ...toOne('epoll_wait', 'epoll_pwait epoll_pwait2'),
  ...toOne('poll', 'ppoll'),
  ...toOne('select', 'pselect6'),
  ...toOne('nanosleep', 'clock_nanosleep'),
  ...toOne('accept', 'accept4'),
};

/** Canonical name of a wait: `epoll_wait` for `epoll_pwait`; `accept (socket)` for `accept4 (socket)`. */
export const waitName = (name: string): string =>
  name.replace(/^\w+/, (call) => (Object.hasOwn(WAITS, call) ? (WAITS[call] ?? call) : call));

/** Whether a file is the kernel or a module: `[kernel.kallsyms]`, `[kernel.vmlinux]`, `[kernel]`, `[overlay]`, `/lib/modules/…/overlay.ko`. */
export function isKernel(library: string | null): boolean {
  return library !== null && /^\[(?!vdso|vsyscall|heap|stack|anon|unknown|JIT)[^\]]*\]|\.ko(?:\.\w+)?$/.test(library);
}

/** Base name of the file. */
export function fileOf(library: string | null): string {
  if (library === null || UNKNOWN.test(library)) return 'unknown';
  if (isKernel(library)) return 'kernel';
  const file = library.replace(/ \(deleted\)$/, '').replace(/^.*\//, '');
  // JIT-compiled code; the number is its process id.
  return /^perf-\d+\.map$|^\[JIT\]|^\/\/anon$/.test(file) ? 'JIT' : file.replace(/^\[(.*)\]$/, '$1');
}

/** Removes processor-specific prefixes of system calls, and `_noprof` of allocators since 6.10 (mm/slab_common.c). */
function kernelName(name: string): string {
  const call = /^__(?:x64|arm64|ia32|se|do|do_compat|s390x?|riscv)_sys_(\w+)$/.exec(name);
  if (call !== null) return `sys_${call[1]}`;
  const plain = name.replace(/^__pfx_/, '').replace(/_noprof$/, '');
  return CALLS.has(plain) ? `${plain} (kernel)` : plain;
}

function toOne(name: string, inner: string): Record<string, string> {
  return Object.fromEntries(inner.split(/\s+/).map((of) => [of, name]));
}
