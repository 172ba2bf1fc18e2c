import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { totalmem } from 'node:os';
import type { Duplex } from 'node:stream';
import { MeasureError, messageOf } from '../../errors.ts';
import { bestPoint, type ClockPoint, type ClockSample } from '../../hosts/clock.ts';
import { askProgram } from '../../processes/ask-program.ts';
import { type Limits, usableMemory } from '../../processes/limits.ts';
import { RunGroup } from '../../processes/run-group.ts';
import { nowNs } from '../../system/clock.ts';
import { asWorkload } from '../../system/priority.ts';
import { plain } from '../../text/plain.ts';
import { hostMarks, type RunIdentity } from '../environment.ts';
import { PlaceLostError } from '../failures.ts';
import { processesCpuS } from '../native/usage.ts';
import { quoteTail } from '../output-tail.ts';
import type { ServiceEnd } from '../service.ts';
import { processesIo, type ServiceUse } from '../service-use.ts';
import { AGENT, BOOTED, LINE_END, START } from './agent.ts';
import { GuestLink } from './link.ts';
import { AGENT_FD, CONSOLE_FD, qemuWords } from './qemu.ts';
import { QEMU } from './qemu-program.ts';
import type { VmVariant } from './variant.ts';

/** Pause between two lines that are typed until a shell answers. */
const KNOCK_MS = 300;
/** Length of a typed line: a shell that edits its input may take a thousand characters, and half of that is safe. */
const PIECE = 400;
/** Time limit for an answer of a guest that has nothing else to do. */
const ANSWER_MS = 30_000;
/** Upper bounds on the samples of a guest's clock, and on the time for them. */
const MAX_SAMPLES = 30;
const SAMPLING_MS = 1000;
/** Time limit for the end of a killed QEMU, which is up to the kernel. */
const KILL_MS = 4000;
/** Signals that end a program with a fault of its own. */
const OWN_FAULTS = new Set<string>(['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP']);
const CONSOLE_BYTES = 64 * 1024;
const CONSOLE_LINES = 40;
/** Text before the reason in a panic of the kernel (kernel/panic.c). */
const PANIC = /Kernel panic - not syncing/;

/** End of a command in a guest, with times on the guest's own clock. */
export interface GuestEnd {
  readonly exitCode: number;
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** Resolution of the guest's clock, nanoseconds; 0: it shows every nanosecond. */
  readonly stepNs: bigint;
  /** When the report of its end arrived, on this machine's clock. */
  readonly arrivedNs: bigint;
}

/** What a command used and left, read when it has ended. */
export interface GuestAccount {
  /** Number of processes that the guest's kernel ended because memory ran out. */
  readonly outOfMemory: number;
  /** Busy time of the guest's processors, by its own account, seconds. */
  readonly guestCpuS: number;
  /** Names of processes that went on; those of a run have been ended. */
  readonly left: readonly string[];
}

export interface GuestSetup {
  readonly variant: VmVariant;
  readonly identity: RunIdentity;
  /** Private folder, in which QEMU keeps what the guest writes to its disk. */
  readonly folder: string;
  readonly drive: string;
  /** Ports that services listen on, which lead there from the same ports of this machine. */
  readonly ports: readonly number[];
  readonly signal: AbortSignal;
}

/** End of a service in a guest; `lost`: of all of them, with the guest. */
export interface GuestServiceEnd extends ServiceEnd {
  readonly left: readonly string[];
  readonly lastOutput: string;
}

/** A booted guest whose agent answers, until it is ended. */
export class Guest {
  readonly #setup: GuestSetup;
  readonly #child: ChildProcess;
  readonly #group: RunGroup;
  readonly #link: GuestLink;
  readonly #stop: () => void;
  #console = Buffer.alloc(0);
  #said = '';
  #isEnding = false;
  #hasAgent = true;
  readonly #services = new Map<string, (end: GuestServiceEnd) => void>();

  /** Boots a guest. Throws MeasureError where it does not come up within the variant's time, or the signal's reason; nothing is left then. */
  static async boot(setup: GuestSetup): Promise<Guest> {
    setup.signal.throwIfAborted();
    const guest = new Guest(setup);
    try {
      await guest.#comeUp();
      return guest;
    } catch (thrown) {
      await guest.end();
      setup.signal.throwIfAborted();
      throw thrown;
    }
  }

  private constructor(setup: GuestSetup) {
    this.#setup = setup;
    const { variant, identity, folder, drive, ports, signal } = setup;
    this.#group = new RunGroup(`${identity.runId}-guest`, limitsOf(variant));
    const [program = QEMU, ...args] = [...leash(), QEMU, ...qemuWords({ variant, drive, ports })];
    // As a service, it is not ended with what the run of a client on the host leaves.
    const env = { PATH: process.env.PATH ?? '', TMPDIR: folder, ...hostMarks(identity, 'service') };
    this.#group.enter();
    try {
      this.#child = asWorkload(() =>
        spawn(program, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] }),
      );
    } finally {
      this.#group.leave();
    }
    const { stdio } = this.#child;
    this.#link = new GuestLink(
      stdio[AGENT_FD] as Duplex,
      (words) => this.#lost(this.#agentGone(words)),
      (words) => this.#serviceEnded(words),
    );
    const terminal = stdio[CONSOLE_FD] as Duplex;
    terminal.on('error', () => {});
    terminal.on('data', (chunk: Buffer) => {
      this.#console = Buffer.concat([this.#console, chunk]).subarray(-CONSOLE_BYTES);
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#said = (this.#said + chunk.toString()).slice(-4000);
    });
    this.#child.once('error', (cause) => {
      this.#link.end(new MeasureError(`${this.#who} could not be started: ${messageOf(cause)}.`, { cause }));
    });
    this.#child.once('close', (code, by) => this.#link.end(this.#lost(this.#endedError(code, by))));
    this.#stop = () => {
      this.#link.end(signal.reason);
      this.kill();
    };
    signal.addEventListener('abort', this.#stop, { once: true });
  }

  /** Types a line again and again until a shell answers, then types the agent. */
  async #comeUp(): Promise<void> {
    const { variant } = this.#setup;
    const untilMs = performance.now() + 1000 * variant.withinS;
    const leftMs = (): number => Math.max(0, untilMs - performance.now());
    const late = (what: string, advice: string) => (): Error =>
      new MeasureError(`${this.#who} ${what} within ${variant.withinS} s.${this.#lastWords()}`, { advice });
    const never = late(
      'did not answer at its second serial port',
      variant.accel === 'kvm'
        ? 'It has to open a shell with root’s rights at ttyS1 when it has booted. If its console shows nothing, KVM may not work on this machine: try it with accel: tcg.'
        : 'It has to open a shell with root’s rights at ttyS1 when it has booted; emulated, that takes longer: see within.',
    );
    const slow = late(
      'answered, but had not finished its boot',
      'Raise within, or mask a unit that the boot waits for: append: systemd.mask=UNIT.',
    );
    let knocks = 0;
    const knock = (): void => this.#link.send(`\necho @j''d up ${++knocks}\n`);
    knock();
    const knocking = setInterval(knock, KNOCK_MS);
    try {
      await this.#link.line('up ', leftMs(), never);
    } finally {
      clearInterval(knocking);
    }
    // Answers to earlier lines are still on their way, so the last answer is waited for.
    knock();
    while ((await this.#link.line('up ', leftMs(), slow)).words !== String(knocks));
    let typed = 0;
    for (const piece of pieces(AGENT)) {
      this.#link.send(`joulediff=${typed === 0 ? '' : '$joulediff'}'${piece}'; echo @j''d typed ${++typed}\n`);
      while ((await this.#link.line('typed ', leftMs(), slow)).words !== String(typed));
    }
    this.#link.send(`${START}\n`);
    await this.#link.line('ready', leftMs(), slow);
    await this.run('boot', BOOTED, { withinMs: leftMs(), late: slow });
    await this.account();
  }

  get #who(): string {
    return `The guest of variant ${JSON.stringify(this.#setup.variant.name)}`;
  }

  /** Last output of the console and of QEMU, and the reason of a panic, however much came after it. */
  #lastWords(): string {
    const reported = `${this.#said}\n${this.#console}`.split(/\r?\n/).map((line) => plain(line, 300).trimEnd());
    const lines = reported.filter(Boolean);
    const reason = lines.findLastIndex((line) => PANIC.test(line));
    const isCut = reason >= 0 && reason < lines.length - CONSOLE_LINES;
    const last = isCut ? [lines[reason], '…', ...lines.slice(2 - CONSOLE_LINES)] : lines;
    return quoteTail(last.join('\n'), CONSOLE_LINES);
  }

  /** The error for a guest in which the shell that runs commands has ended: nothing more is heard of it. */
  #agentGone(words: string): Error {
    this.#hasAgent = false;
    const [code = '', outOfMemory = '0'] = words.split(' ');
    const why =
      Number(outOfMemory) > 0
        ? `because memory ran out there (its kernel ended ${outOfMemory} of its processes for that)`
        : `by something that ran there (exit code ${plain(code, 10)})`;
    return new MeasureError(`${this.#who} went on without the shell that runs its commands, which was ended ${why}.`, {
      advice: 'Give the guest more memory, or have the workload end nothing but its own processes.',
    });
  }

  /** Tells the services of an end that was not asked for, and gives its reason. */
  #lost(lost: Error): Error {
    const end = { exitCode: null, signal: null, limit: null, left: [], lastOutput: '', lost };
    if (!this.#isEnding) for (const hear of this.#services.values()) hear(end);
    return lost;
  }

  #serviceEnded(words: string): void {
    const [reported = '', ...lines] = words.split(LINE_END);
    const [about = '', ...left] = reported.split('/');
    const [name = '', exitCode, outOfMemory = '0'] = about.split(' ');
    this.#services.get(name)?.({
      exitCode: Number(exitCode),
      signal: null,
      limit: Number(outOfMemory) > 0 ? 'memory' : null,
      left: left.map((one) => plain(one, 40)),
      lastOutput: lines.join('\n'),
    });
  }

  #endedError(code: number | null, by: string | null): Error {
    if (this.#isEnding) return new MeasureError(`${this.#who} was ended.`);
    if (this.#group.reached() === 'memory') {
      return new MeasureError(`${QEMU} needed more memory than its guest and 1 GiB more, and was ended for it.`);
    }
    if (by !== null && !OWN_FAULTS.has(by)) {
      return new PlaceLostError(`${this.#who} was ended from outside: ${QEMU} ended by ${by}.`);
    }
    if (code === 0) {
      return new MeasureError(`${this.#who} ended by itself: it panicked, restarted or shut down.${this.#lastWords()}`);
    }
    const how = by === null ? `ended with exit code ${code}` : `broke down (${by})`;
    const advice = 'QEMU may not work with KVM on this machine, or not with this kernel: try it with accel: tcg.';
    const isKvm = this.#setup.variant.accel === 'kvm';
    return new MeasureError(
      `${QEMU} ${how}, and with it the guest of variant ${JSON.stringify(this.#setup.variant.name)}.${this.#lastWords()}`,
      isKvm ? { advice } : {},
    );
  }

  /** Reads the guest's clock: the best of some samples, each a line there and one back. */
  async clock(): Promise<ClockPoint> {
    const samples: ClockSample[] = [];
    const untilMs = performance.now() + SAMPLING_MS;
    for (let i = 0; i < MAX_SAMPLES && (i === 0 || performance.now() < untilMs); i++) {
      const sentNs = nowNs();
      this.#link.send(`p${i}\n`);
      const { words, arrivedNs } = await this.#answer(`P ${i} `);
      const [there = '0', step = '0'] = words.split(' ');
      // A clock with steps may be up to one step behind, so half a step is added.
      const half = BigInt(step) / 2n;
      samples.push({ sentNs: sentNs - half, arrivedNs: arrivedNs + half, thereNs: BigInt(there) + half });
    }
    return bestPoint(samples);
  }

  /** Runs a shell's text as a stage; `onStart` is called just before it is told to begin. Rejects with `late()` after `withinMs`; null: there is no such time. */
  async run(
    stage: string,
    text: string,
    { withinMs, late, onStart }: { withinMs: number | null; late: () => Error; onStart?: () => void },
  ): Promise<GuestEnd> {
    await this.#type(text);
    onStart?.();
    this.#link.send(`r${stage}\n`);
    const { words, arrivedNs } = await this.#link.line('E ', withinMs, late);
    const [exitCode, start = '0', end = '0', step = '0'] = words.split(' ');
    return { exitCode: Number(exitCode), startNs: BigInt(start), endNs: BigInt(end), stepNs: BigInt(step), arrivedNs };
  }

  /** Starts a service, by a shell's text; `hear` is called at its end, if that was not the guest's own. */
  async serve(name: string, text: string, hear: (end: GuestServiceEnd) => void): Promise<void> {
    await this.#type(text);
    this.#services.set(name, hear);
    await this.#put(`s${name}`);
  }

  /** Sends a signal (0: none) to all processes of a service, and gives their names. */
  async signal(name: string, signal: string): Promise<readonly string[]> {
    this.#link.send(`k${name} ${signal.replace(/^SIG/, '')}\n`);
    return namesIn((await this.#answer('K')).words);
  }

  /** What the last command used and left. To be called once after each. */
  async account(): Promise<GuestAccount> {
    const [outOfMemory = '0', ticks = '0'] = (await this.#answer('S ')).words.split(' ');
    const { words } = await this.#answer('L');
    return {
      outOfMemory: Number(outOfMemory),
      guestCpuS: Number(ticks) / 100,
      left: namesIn(words),
    };
  }

  /** Output of a stage: all of it, or `most` bytes from both ends, with the number of those left out. */
  async output(stage: string, most: number): Promise<{ readonly bytes: Buffer; readonly leftOut: number }> {
    this.#link.send(`o${stage} ${most}\n`);
    const [total = 0, sent = 0] = (await this.#answer('O ')).words.split(' ').map(Number);
    const bytes = await this.#link.bytes(sent, ANSWER_MS + sent, () => this.#silent());
    return { bytes, leftOut: total - sent };
  }

  /** Processor seconds that QEMU's process has used on this machine: for the guest, and for its emulation. */
  hostCpuS(): number {
    return processesCpuS([this.#child.pid ?? 0]);
  }

  /** What QEMU's process has used, as a service of this machine. */
  used(): ServiceUse {
    const peakMemoryBytes = this.#group.peak().peakBytes ?? 'no-memory-group';
    return { cpuS: this.hostCpuS(), peakMemoryBytes, ...processesIo([this.#child.pid ?? 0]), network: 'not-counted' };
  }

  /** Whether nothing can be run in the guest any more. */
  get isGone(): boolean {
    return !this.#hasAgent || this.#hasEnded;
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  kill(): void {
    this.#isEnding = true;
    this.#child.kill('SIGKILL');
  }

  /** Ends the guest, and removes what it had. */
  async end(): Promise<void> {
    if (!this.#hasEnded && this.#child.pid !== undefined) {
      const closed = once(this.#child, 'exit', { signal: AbortSignal.timeout(KILL_MS) });
      this.kill();
      await closed.catch(() => {});
    }
    this.#link.end(new MeasureError(`${this.#who} was ended.`));
    this.#setup.signal.removeEventListener('abort', this.#stop);
    for (const stream of this.#child.stdio) stream?.destroy();
    this.#group.remove();
  }

  async #type(text: string): Promise<void> {
    await this.#put('c');
    for (const [i, line] of text.split('\n').entries()) {
      if (i > 0) await this.#put('n');
      for (const piece of pieces(line)) await this.#put(`+${piece}`);
    }
  }

  async #put(line: string): Promise<void> {
    this.#link.send(`${line}\n`);
    await this.#answer('A');
  }

  readonly #answer = (begin: string) => this.#link.line(begin, ANSWER_MS, () => this.#silent());

  readonly #silent = (): Error => new PlaceLostError(`${this.#who} does not answer any more.${this.#lastWords()}`);
}

const namesIn = (words: string): readonly string[] =>
  words
    .split('/')
    .filter(Boolean)
    .map((name) => plain(name, 40));

/** Limits of QEMU: 1 GiB beside the guest's memory, of which it mostly needs less than a tenth. */
const limitsOf = ({ memoryBytes, cpus }: VmVariant): Limits => ({
  memoryBytes: Math.min(memoryBytes + 2 ** 30, usableMemory(totalmem())),
  pids: 1024 + cpus,
});

/** Words in front of a command that make the kernel end it with this process; empty: there is no such program, and the next start ends it. */
function leash(): readonly string[] {
  const words = ['setpriv', '--pdeathsig', 'KILL', '--'];
  const [program = '', ...args] = [...words, 'true'];
  leashed ??= askProgram(program, args).status === 0 ? words : [];
  return leashed;
}

let leashed: readonly string[] | null = null;

/** Splits a text into pieces of whole characters. */
function pieces(text: string): string[] {
  const characters = [...text];
  const count = Math.ceil(characters.length / PIECE);
  return Array.from({ length: count }, (_, i) => characters.slice(i * PIECE, (i + 1) * PIECE).join(''));
}
