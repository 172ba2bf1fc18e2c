// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Frame } from '../../../../../src/contracts/observed-run.ts';
import { waitName } from '../../../../../src/parts/explain/analysis/names/canonical.ts';
import { canonicalName, groupOf } from '../../../../../src/parts/explain/analysis/names/names.ts';

const LIBC = '/usr/lib/x86_64-linux-gnu/libc.so.6';
const MUSL = '/lib/ld-musl-x86_64.so.1';
const STATIC = '/usr/local/bin/redis-server';
const KERNEL = '[kernel.kallsyms]';
const frame = (name: string, library: string | null = STATIC): Frame => ({ name, library });

/** As `nm` gives them of a redis-server that is linked to glibc 2.36 and to musl 1.2.3, and perf of a shared glibc. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  memcpy: [
    '__memmove_avx512_unaligned_erms',
    '__memmove_avx_unaligned_erms_rtm',
    '__memcpy_avx512_no_vzeroupper',
    '__memcpy_chk_erms',
    '__memcpy_sse2_unaligned',
    '__memcpy_ssse3',
    '__memcpy_erms',
    '__mempcpy_evex_unaligned',
    '__wmempcpy',
    '__libc_memmove',
    '__new_memcpy',
    'memmove',
    '__memcpy_fwd',
    'memcpy',
    'memcpy@@GLIBC_2.14',
    'memcpy@plt',
    '__memcpy_generic',
    'runtime.memmove',
  ],
  memset: ['__memset_avx512_unaligned_erms', '__memset_chk_erms', '__memset_sse2_unaligned', 'memset'],
  memcmp: ['__memcmp_avx2_movbe_rtm', '__memcmp_evex_movbe', '__memcmp_sse2', 'memcmp'],
  strcmp: ['__strcmp_evex', '__strcmp_avx2', 'strcmp'],
  malloc: [
    '_int_malloc',
    '__libc_malloc',
    '__malloc',
    'malloc',
    'sysmalloc',
    'sysmalloc_mmap.constprop.0',
    'tcache_init.part.0',
    '__libc_malloc_impl',
    'alloc_slot',
    '__malloc_alloc_meta',
    'default_malloc',
    '__simple_malloc',
    'malloc@@GLIBC_2.2.5',
  ],
  free: [
    '_int_free',
    '__libc_free',
    '__free',
    'free',
    'munmap_chunk',
    'systrim.constprop.0',
    'nontrivial_free',
    'cfree',
  ],
  realloc: ['_int_realloc', '__libc_realloc', 'realloc'],
  open: ['__GI___libc_open', '__open64_nocancel', '__libc_open64', 'open64', 'open'],
  read: ['__libc_read', 'read', '__read_nocancel'],
  write: ['__GI___libc_write', 'write'],
  getdents: ['__GI___getdents64'],
  recv: ['__libc_recv', 'recv'],
  mmap: ['__mmap', '__mmap64', 'mmap64'],
};

/** Leaves of stacks that perf took of programs that copy files, send over the loopback, encrypt, and run Python. */
const GROUPED: readonly (readonly [string, string, string | null, readonly string[]])[] = [
  ['memory-copy', '__memmove_avx512_unaligned_erms', LIBC, []],
  ['memory-copy', 'memcpy', MUSL, []],
  ['memory-copy', 'runtime.memmove', '/app/server', []],
  ['allocation', 'alloc_slot', STATIC, []],
  ['allocation', 'runtime.mallocgc', '/app/server', []],
  ['allocation', 'je_malloc', '/usr/lib/libjemalloc.so.2', []],
  ['allocation', 'arena_slab_alloc', '/usr/lib/libjemalloc.so.2', []],
  ['allocation', 'mas_walk', KERNEL, ['do_syscall_64', '__x64_sys_munmap', '__vm_munmap']],
  ['page-faults', 'exc_page_fault', KERNEL, ['asm_exc_page_fault']],
  [
    'page-faults',
    'get_page_from_freelist',
    KERNEL,
    ['asm_exc_page_fault', 'handle_mm_fault', 'do_anonymous_page', 'alloc_pages_mpol'],
  ],
  ['files', '_copy_to_iter', KERNEL, ['do_syscall_64', 'ksys_read', 'vfs_read', 'filemap_read', 'copy_page_to_iter']],
  ['files', 'iowrite16', KERNEL, ['virtio_queue_rq', 'virtqueue_notify', 'vp_notify']],
  ['files', 'ovl_read_iter', '[overlay]', ['vfs_read']],
  [
    'network',
    '_copy_from_iter',
    KERNEL,
    ['__x64_sys_sendto', '__sys_sendto', 'tcp_sendmsg', 'tcp_sendmsg_locked', 'skb_do_copy_data_nocache'],
  ],
  ['network', 'read_tsc', KERNEL, ['ip_output', '__dev_queue_xmit', 'ktime_get']],
  ['network', 'sock_read_iter', KERNEL, ['ksys_read', 'vfs_read']],
  ['scheduler', 'finish_task_switch.isra.0', KERNEL, ['tcp_recvmsg', 'sk_wait_data', '__schedule']],
  ['system-calls', 'do_syscall_64', KERNEL, ['entry_SYSCALL_64_after_hwframe']],
  ['system-calls', '__seccomp_filter', KERNEL, ['do_syscall_64']],
  ['system-calls', '[unknown]', null, ['do_syscall_64', 'syscall_trace_enter', '__seccomp_filter']],
  ['kernel', 'handle_softirqs', KERNEL, ['__irq_exit_rcu']],
  ['kernel', '_raw_spin_lock', KERNEL, ['do_syscall_64']],
  ['tls', '[unknown]', '/usr/lib/x86_64-linux-gnu/libcrypto.so.3', []],
  ['tls', 'EVP_EncryptUpdate', STATIC, []],
  ['tls', 'crypto/tls.(*Conn).Write', '/app/server', []],
  ['runtime', '_PyEval_EvalFrameDefault', '/usr/bin/python3.11', []],
  ['runtime', 'siphash13', '/usr/lib/libpython3.11.so.1.0', []],
  ['runtime', 'runtime.gcDrain', '/app/server', []],
  ['runtime', 'v8::internal::Heap::Scavenge()', '/usr/bin/node', []],
  ['runtime', '[unknown]', '/tmp/perf-4711.map', []],
  ['c-library', '__strcmp_evex', LIBC, []],
  ['c-library', '_nl_find_locale', LIBC, []],
  ['c-library', 'printf_core', STATIC, []],
  ['own', '_addReplyToBufferOrList', STATIC, []],
  ['own', 'lrangeCommand.part.0', STATIC, []],
  ['own', '[unknown]', STATIC, []],
  ['own', 'JS:*handle /app/server.js:10:5', '/tmp/perf-4711.map', []],
  ['own', '[unknown]', null, []],
];

describe('names of functions', () => {
  it.each(Object.entries(SAME))('%s is one, whichever C library, processor and compiler named it', (name, all) => {
    expect(all.map((of) => [of, canonicalName(frame(of))])).toEqual(all.map((of) => [of, name]));
  });

  it("leaves a program's own functions as they are, but for the clones that a compiler makes of them", () => {
    const own = [
      '_addReplyToBufferOrList',
      '__quicklistCompress',
      'std::vector<int>::push_back(int const&)',
      'main.(*T).Do',
      'x.part',
      'memcpy_later',
      '__memcpy_of_mine',
    ];
    expect(own.map((of) => canonicalName(frame(of)))).toEqual(own);
    expect(
      ['lrange.part.0.cold', 'lrange.isra.0', 'lrange.constprop.12', 'lrange.llvm.123456'].map((of) =>
        canonicalName(frame(of)),
      ),
    ).toEqual(Array(4).fill('lrange'));
  });

  it('keeps functions of the kernel apart from those of programs', () => {
    const name = (of: string): string => canonicalName(frame(of, KERNEL));
    expect(
      ['memcpy', '__x64_sys_munmap', '__arm64_sys_munmap', 'kmem_cache_alloc_noprof', 'finish_task_switch.isra.0'].map(
        name,
      ),
    ).toEqual(['memcpy (kernel)', 'sys_munmap', 'sys_munmap', 'kmem_cache_alloc', 'finish_task_switch']);
  });

  it('knows what has no name by its file, the same in every process', () => {
    const names = [
      frame('[unknown]', LIBC),
      frame('0x7f00', '/tmp/perf-12.map'),
      frame('[unknown]', '/tmp/perf-13.map'),
      frame('[unknown]', null),
      frame('', KERNEL),
      frame('@plt', LIBC),
    ];
    expect(names.map(canonicalName)).toEqual(['[libc.so.6]', '[JIT]', '[JIT]', '[unknown]', '[kernel]', '[libc.so.6]']);
  });
});

describe('groups', () => {
  it.each(GROUPED)('%s: %s of %s', (group, name, library, callers) => {
    expect(
      groupOf(
        frame(name, library),
        callers.map((of) => frame(of, KERNEL)),
      ),
    ).toBe(group);
  });

  it('does not blame a caller in the program for what the kernel does', () => {
    expect(groupOf(frame('_raw_spin_lock', KERNEL), [frame('memcpy'), frame('do_syscall_64', KERNEL)])).toBe('kernel');
  });
});

it('tells what was waited for under one name, whatever call of the kernel a C library takes for it', () => {
  expect(['epoll_pwait', 'epoll_wait', 'ppoll (pipe)', 'futex', 'constructor'].map(waitName)).toEqual([
    ...['epoll_wait', 'epoll_wait', 'poll (pipe)', 'futex', 'constructor'],
  ]);
});
