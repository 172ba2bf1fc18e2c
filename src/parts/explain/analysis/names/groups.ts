import type { Group } from '../../../../findings/explain.ts';

/** Kernel functions that show the purpose of kernel time; others are helpers and belong to their callers' groups. The first match counts. */
export const KERNEL: readonly (readonly [Group, RegExp])[] = [
  // Page faults: arch/x86/mm/fault.c, arch/arm64/mm/fault.c, mm/memory.c
  [
    'page-faults',
    /^(?:(?:asm_)?exc_page_fault|do_user_addr_fault|do_(?:translation|page)_fault|do_mem_abort|el0_da|el0_ia|(?:__)?handle_mm_fault|handle_pte_fault|do_(?:anonymous_page|wp_page|fault|read_fault|cow_fault|shared_fault|swap_page|huge_pmd_\w+|set_pmd)|wp_page_copy|do_fault_around|filemap_(?:map_pages|fault)|lock_vma_under_rcu|lock_mm_and_find_vma|vmf_\w+|__vmf_\w+|clear_page\w*|clear_huge_page|folio_zero_user)$/,
  ],
  // Mapping memory, mostly for allocators: mm/mmap.c, mm/vma.c, mm/memory.c, lib/maple_tree.c
  [
    'allocation',
    /^(?:sys_(?:mmap|munmap|mremap|madvise|brk|mprotect)|(?:ksys|vm)_mmap\w*|do_(?:mmap|munmap|brk_flags|madvise|mprotect_pkey)|do_vmi_\w+|_*mmap_region|__vm_munmap|vms_\w+|vma_(?:modify|merge|complete|expand|link)\w*|unmap_(?:vmas|region|page_range|single_vma)|zap_\w+|exit_mmap|__?mmput|free_pgtables|tlb_(?:finish|flush)_mmu\w*|mas_\w+|mprotect_fixup)$/,
  ],
  // net/, drivers/net/
  [
    'network',
    /^_*(?:(?:tcp|udp|udplite|ip6?|ipv[46]|inet6?|sock|skb|sk|net|netif|netdev|nf|nft|xt|ipt|ip6t|iptable|conntrack|br|veth|neigh|napi|unix|loopback|eth|fib|dst|virtnet|tun|macvlan|vxlan|qdisc|xfrm|icmp|arp|dev_(?:queue|hard|direct)|sch|pfifo|fq|e1000|igb|ixgbe|ena|mlx5e?|csum|datagram|bpf_sk|sctp|mptcp|vsock|release_sock|lock_sock)_\w+|process_backlog|validate_xmit\w*|sys_(?:send\w*|recv\w*|accept4?|connect|bind|listen|socket|shutdown)|loopback_xmit|siphash_\w+|nf_hook\w*|release_sock|lock_sock\w*)$/,
  ],
  // kernel/sched/, kernel/futex/, kernel/time/
  [
    'scheduler',
    /^_*(?:schedule\w*|io_schedule\w*|finish_task_switch|context_switch|pick_(?:next_)?\w+|put_prev_\w+|try_to_wake_up|ttwu_\w+|wake_up_\w+|default_wake_function|autoremove_wake_function|sched_\w+|(?:en|de)queue_(?:task|entity|entities)\w*|update_(?:curr|load_avg|rq_clock|cfs_\w+)|task_tick\w*|select_(?:task_rq|idle)\w*|newidle_balance|load_balance|balance_\w+|switch_(?:to|mm|fpu)\w*|prepare_task_switch|(?:sys_|do_)?futex\w*|hrtimer_\w+|do_nanosleep|sys_(?:nanosleep|clock_nanosleep|sched_yield)|preempt_schedule\w*|set_next_\w+|set_task_cpu|asm_sysvec_reschedule_ipi)$/,
  ],
  // fs/pipe.c implements no file system
  ['kernel', /^_*(?:pipe|anon_pipe|eventfd|ep|eventpoll|do_epoll|sys_epoll|sys_poll|do_sys_poll|do_poll)_?\w*$/],
  // fs/, block/, drivers/block/, mm/filemap.c
  [
    'files',
    /^_*(?:(?:vfs|ext[24]|xfs|xlog|btrfs|ovl|fuse|f2fs|nfs|jbd2|zfs|squashfs|erofs|iomap|shmem|tmpfs|proc|sysfs|kernfs|filemap|page_cache|generic_(?:file|perform|write|update)|path|lookup|link_path|inode|iget|ilookup|dentry|d_(?:alloc|lookup|splice|instantiate|lru|walk|path)|blk|bio|submit_(?:bio|bh)|nvme|virtio_queue|virtblk|virtqueue|scsi|sd|loop|dm|block|buffer|mark_buffer|truncate|invalidate|writeback|wb|wbt|dd|elv|bfq|kyber|mpage|dquot|fsnotify|bdev|find_get_block|folio_(?:wait_bit|mark_accessed|alloc_buffers|end_read|end_writeback))_\w+|d_(?:alloc|lookup)\w*|dput|evict|walk_component|path_\w+|read_pages|do_filp_open|do_sys_open\w*|do_dentry_open|ksys_(?:read|write|pread64|pwrite64|readahead|fadvise\w*)|sys_(?:openat2?|open|close|stat|newf?stat\w*|statx|unlink\w*|rename\w*|mkdir\w*|getdents64|fsync|fdatasync|ftruncate|truncate|read|write|readv|writev|pread64|pwrite64|sendfile\w*|copy_file_range)|do_unlinkat|do_(?:iter_)?readv\w*|do_writev|iterate_dir|htree_\w+|create_empty_buffers|alloc_buffer_head|filename_lookup|getname\w*|fput|touch_atime|splice_\w+|do_splice\w*)$/,
  ],
  // net/tls/, crypto/
  [
    'tls',
    /^_*(?:tls_(?:sw|device|push|tx|rx)\w*|crypto_\w+|aesni_\w+|aes_\w+|gcm_\w+|sha(?:1|256|512)_\w+|chacha\w*)$/,
  ],
  // kernel/seccomp.c, and the BPF filters that it runs
  ['system-calls', /^_*(?:seccomp\w*|secure_computing|bpf_prog_\w+|bpf_dispatcher_\w+|audit_\w+|ptrace_\w+)$/],
];

/** Kernel entry and exit: they show nothing about the purpose, so they only classify their own time. */
export const KERNEL_ENTRY =
  /^_*(?:entry_\w+|do_syscall_64|do_int80\w*|x64_sys_call|syscall_\w+|invoke_syscall|el0_svc\w*|el0t_64_\w+|do_el0_svc|exit_to_user_mode\w*|irqentry_\w+|ret_from_\w+|srso_\w+|x86_return_thunk|x86_indirect_thunk\w*|retbleed\w*|restore_all\w*|swapgs\w*)$/;

/** Functions of programs, by their `canonicalName`. The first match counts. */
export const USER: readonly (readonly [Group, RegExp])[] = [
  ['memory-copy', /^(?:memcpy|memccpy|wmemcpy|bcopy)$/],
  [
    'allocation',
    // Allocators: C libraries by canonical names (malloc.c of glibc, mallocng of musl), C++, Rust, Go, jemalloc, mimalloc, tcmalloc.
    /^(?:malloc|free|calloc|realloc|memalign|malloc_(?:consolidate|trim|usable_size)|operator (?:new|delete)\b.*|__r(?:ust|dl|g)_(?:alloc|dealloc|realloc)\w*|runtime\.(?:mallocgc\w*|newobject|makeslice|growslice|\(\*mcache\).*|\(\*mcentral\).*|\(\*mheap\).*|\(\*mspan\).*|nextFreeFast|heapSetType\w*)|je_\w+|jemalloc\w*|mi_\w+|tc_(?:malloc|free|new|delete)\w*|tcmalloc::.*|mmap|munmap|mremap|madvise|brk|sbrk)$/,
  ],
  [
    'tls',
    /^(?:(?:SSL|TLS|tls1|tls13|ssl3|EVP|CRYPTO|OPENSSL|OSSL|ossl|BN|RSA|EC|ECDSA|ED25519|X25519|ASN1|X509|HMAC|gnutls|_gnutls|mbedtls|nettle|wolfSSL|br_ssl|aesni|vpaes|ecp|chacha20|poly1305|sha1|sha256|sha512|rsaz)_\w+|ChaCha20_\w+|crypto\/.*|(?:<?rustls|<?ring)(?:::|_core).*)$/,
  ],
  [
    'runtime',
    /^(?:runtime\..*|runtime\/.*|v8::.*|node::.*|uv__?\w+|Builtins_\w+|Bytecode\w*|_?Py[A-Z_]\w*|_PyEval\w*|gc_collect\w*|(?:Shenandoah|G1|ZGC|Parallel)\w*|JVM_\w+|Interpreter|lua[VHDGCSFLBKXYTUZM]?_\w+|ruby_\w+|zend_\w+|execute_ex|mono_\w+|System\.GC.*)$/,
  ],
];

/** Groups of libraries by file name, for all their functions. */
export const LIBRARIES: readonly (readonly [Group, RegExp])[] = [
  ['tls', /^lib(?:ssl|crypto|gnutls|nettle|hogweed|mbedtls|mbedcrypto|wolfssl|nss3|nspr4|freebl\w*|softokn3|gcrypt)\b/],
  ['allocation', /^lib(?:jemalloc|tcmalloc\w*|mimalloc|hoard|rpmalloc|scudo)\b/],
  [
    'runtime',
    /^lib(?:python|jvm|java|node|v8|ruby|perl|lua|mono|coreclr|clrjit|php|julia|uv|luajit)[\d.-]|^JIT$|^(?:node|jdk|python):internal$/,
  ],
  ['c-library', /^(?:lib(?:c|m|pthread|rt|dl|c_nonshared)[.-]|ld-(?:linux|musl)\b|ld-\d|libc\.musl|vdso$)/],
];
