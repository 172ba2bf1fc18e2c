import { constants } from 'node:os';
import type { StretchCount, Window } from '../../../../contracts/observation.ts';
import { callName } from './calls.ts';

/** Interval over which short waits, and failures, are summed. */
const BIN_NS = 10_000_000n;

/** State of a thread in a switch event, as the kernel prints it, or plug-ins of libtraceevent: `a:7 [120] S ==> b:8 [120]`. */
const STATE = / prev_prio=-?\d+ prev_state=(\S+) ==> |:\d+ \[-?\d+\] (\S+) ==> /;

/** Registers after an event or its stack, with the program's ABI (PERF_SAMPLE_REGS_ABI_32), which determines call numbers. */
const REGISTERS = /(?:^| )ABI:\d/;
const PROGRAM_32 = /(?:^| )ABI:1(?: |$)/;

/** A wait in progress. */
interface Pending {
  readonly thread: string;
  readonly fromNs: bigint;
  /** Whether the thread was still runnable; null: it has exited and never returns. */
  readonly isReady: boolean | null;
  /** Stack frames, the innermost first. */
  readonly frames: string[];
}

interface Bin {
  fromNs: bigint;
  toNs: bigint;
  value: number;
}

/**
 * Takes the lines of `perf script --show-switch-events --show-lost-events -F tid,time,event,trace,ip,sym,uregs` apart: where a thread left its processor, with
 * what the kernel did there; when it came back; and calls that failed. Time off a processor is told by what was waited for, failures by call and error.
 */
export class WaitReader {
  readonly #window: Window;
  readonly #pending = new Map<string, Pending>();
  readonly #bins = new Map<string, Bin>();
  readonly #long: StretchCount[] = [];
  #open: Pending | null = null;
  #failure: { readonly tNs: bigint; readonly reported: string } | null = null;
  #lost = 0;
  #unread = 0;

  constructor(window: Window) {
    this.#window = window;
  }

  /** Whether events were lost, because perf wrote them faster than they could be stored. */
  get isIncomplete(): boolean {
    return this.#lost > 0;
  }

  /** Whether perf's output has an unknown format. */
  get isUnreadable(): boolean {
    return this.#unread > 0;
  }

  take(line: string): void {
    const frame = /^\t\s*[0-9a-f]+ (.*)$/.exec(line)?.[1];
    if (frame !== undefined) {
      this.#open?.frames.push(frame.replace(/\+0x[0-9a-f]+$/, ''));
      return;
    }
    if (/^ *ABI:\d/.test(line)) {
      this.#endFailure(line);
      return;
    }
    const [, thread = '', s = '', ns = '', what = '', rest = ''] =
      /^\s*(-?\d+)\s+(\d+)\.(\d{9}):\s+(?:\d+\s+)?(PERF_RECORD_\w+|[\w-]+:\w+):?\s*(.*)$/.exec(line) ?? [];
    if (what === '') return;
    this.#open = null;
    this.#endFailure('');
    if (what.startsWith('PERF_RECORD_LOST')) this.#lost++;
    const tNs = BigInt(s) * 1_000_000_000n + BigInt(ns);
    if (what === 'sched:sched_switch') this.#leave(thread, tNs, STATE.exec(rest)?.slice(1).find(Boolean));
    else if (what.startsWith('PERF_RECORD_SWITCH') && rest.startsWith('IN')) this.#return(thread, tNs);
    else if (what === 'raw_syscalls:sys_exit') {
      this.#failure = { tNs, reported: rest };
      if (REGISTERS.test(rest)) this.#endFailure(rest);
    }
  }

  #leave(thread: string, tNs: bigint, state: string | undefined): void {
    if (state === undefined) {
      this.#unread++;
      return;
    }
    const isReady = /[XZ]/.test(state) ? null : state.startsWith('R');
    this.#open = { thread, fromNs: tNs, isReady, frames: [] };
    this.#pending.set(thread, this.#open);
  }

  #return(thread: string, tNs: bigint): void {
    const pending = this.#pending.get(thread);
    this.#pending.delete(thread);
    if (pending !== undefined) this.#waited(pending, tNs);
  }

  #waited(pending: Pending, untilNs: bigint): void {
    if (pending.isReady === null) return;
    const { startNs, endNs } = this.#window;
    const fromNs = pending.fromNs > startNs ? pending.fromNs : startNs;
    const toNs = untilNs < endNs ? untilNs : endNs;
    if (toNs <= fromNs) return;
    const name = pending.isReady ? 'a processor' : waitName(pending.frames);
    const value = Number(toNs - fromNs) / 1e9;
    if (toNs - fromNs < BIN_NS) this.#add('off-cpu', name, { fromNs, toNs, value });
    else this.#long.push({ fromNs, toNs, kind: 'off-cpu', name, value, errors: null });
  }

  /** `registers`: the sampled registers. */
  #endFailure(registers: string): void {
    if (this.#failure === null) return;
    const { tNs, reported } = this.#failure;
    this.#failure = null;
    const [, number = '', code = ''] = /^NR (-?\d+) = (-\d+)/.exec(reported) ?? [];
    if (code === '' || tNs < this.#window.startNs || tNs > this.#window.endNs) return;
    const bits = PROGRAM_32.test(registers) ? 32 : 64;
    const name = `${callName(Number(number), process.arch, bits)} ${errorName(-Number(code))}`;
    this.#add('error', name, { fromNs: tNs, toNs: tNs + 1n, value: 1 });
  }

  #add(kind: StretchCount['kind'], name: string, { fromNs, toNs, value }: Bin): void {
    const key = `${fromNs / BIN_NS} ${kind} ${name}`;
    const bin = this.#bins.get(key);
    if (bin === undefined) {
      this.#bins.set(key, { fromNs, toNs, value });
      return;
    }
    if (fromNs < bin.fromNs) bin.fromNs = fromNs;
    if (toNs > bin.toNs) bin.toNs = toNs;
    bin.value += value;
  }

  /** Returns all counts of the window. Waits in progress last until its end. */
  end(): StretchCount[] {
    this.#endFailure('');
    for (const pending of this.#pending.values()) this.#waited(pending, this.#window.endNs);
    this.#pending.clear();
    const short = [...this.#bins].map(([key, bin]): StretchCount => {
      const [, kind = '', ...name] = key.split(' ');
      return { ...bin, kind: kind as StretchCount['kind'], name: name.join(' '), errors: null };
    });
    return [...this.#long, ...short];
  }
}

const ERRORS = Object.entries(constants.errno);
/** Name of an error, such as `ENOENT`; the first of several. */
const errorName = (code: number): string => ERRORS.find(([, number]) => number === code)?.[0] ?? `error ${code}`;

/** Functions at the entry of system calls, on x86 and arm64. */
const ENTRY = /^(?:do_syscall_64|x64_sys_call|do_(?:int80|fast)_syscall\w*|invoke_syscall|el0_svc\w*|do_el0_svc)$/;
const FAULT = /^(?:asm_)?exc_page_fault$|^(?:do_page_fault|do_mem_abort|do_translation_fault|handle_mm_fault)$/;
const PREFIX = /^(?:__(?:x64|ia32|arm64|se|do)_(?:compat_)?sys_|ksys_|_{2,3}sys_|kernel_|do_compat_|do_sys_|do_)/;
/** Reasons of waits; the first match counts, so a disk access in a page fault is a disk access. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:io_schedule|submit_bio_wait|blk_|folio_wait_|wait_on_buffer|jbd2_)/, 'block I/O'],
  [/^(?:anon_)?pipe_/, 'pipe'],
  [/^(?:tcp|udp|unix|inet|sk|sock|skb|__skb|__unix)_/, 'socket'],
];

/** What a stack of the kernel waits for: `read (pipe)`, `futex`, `page fault (block I/O)`. */
export function waitName(frames: readonly string[]): string {
  const entry = frames.findIndex((frame) => ENTRY.test(frame));
  const call = entry > 0 ? (frames[entry - 1] as string).replace(PREFIX, '') : null;
  const by = call ?? (frames.some((frame) => FAULT.test(frame)) ? 'page fault' : 'the kernel');
  const reason = REASONS.find(([pattern]) => frames.some((frame) => pattern.test(frame)))?.[1];
  return reason === undefined ? by : `${by} (${reason})`;
}
