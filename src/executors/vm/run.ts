import { join, resolve } from 'node:path';
import type { Execution, RunTelemetry, Usage } from '../../contracts/execution.ts';
import type { Command, PlaceFacts } from '../../contracts/variant.ts';
import { InputError, MeasureError, messageOf, withoutFullStop } from '../../errors.ts';
import { counted } from '../../findings/resources.ts';
import { type ClockPoint, windowHere } from '../../hosts/clock.ts';
import { folderBases, makeMarkedFolder, removeFolder } from '../../processes/left-folders.ts';
import { nowNs } from '../../system/clock.ts';
import { makeFolder } from '../../system/make-folder.ts';
import { appendRegular } from '../../system/open-regular.ts';
import { plain } from '../../text/plain.ts';
import { shellWord } from '../../text/shell.ts';
import { runMarks, type Stage } from '../environment.ts';
import type { ExecutorEnvironment, PreparedRun, RunContext, RunHooks } from '../executor.ts';
import { isGood, PlaceLostError, stageFailure, subjectOf } from '../failures.ts';
import { leftOutNote } from '../output-limit.ts';
import { argvOf, repeated, startsOf } from '../repeat.ts';
import { INSPECT, NO_DRIVE, UNPACK } from './agent.ts';
import { makeDrive, pathInGuest } from './drive.ts';
import { Guest, type GuestAccount, type GuestEnd } from './guest.ts';
import type { VmVariant } from './variant.ts';

/** Upper bound on the output that is fetched from a guest, half from each end: a serial port is slow. */
const MAX_OUTPUT_BYTES = 2 ** 20;
const TAIL_CHARACTERS = 4000;
const FILES_MS = 600_000;
const INSPECT_MS = 30_000;
/** Longest timer, below the 2^31 - 1 ms of Node.js: a longer one fires at once. */
const LONGEST_MS = 2_000_000_000;
/** Text in place of output that was only in the guest. */
const OUTPUT_GONE = '[The guest was ended while this ran, and what it printed went with it.]';

/** One guest, from its boot to its end. */
export class GuestRun implements PreparedRun {
  readonly #variant: VmVariant;
  readonly #environment: ExecutorEnvironment;
  readonly #context: RunContext;
  readonly #guest: Guest;
  readonly #folder: string;
  #left: readonly string[] = [];
  #before: ClockPoint | null = null;
  #ran: { readonly end: GuestEnd; readonly account: GuestAccount; readonly hostCpuS: number } | null = null;
  #isSaved = false;
  #isOver = false;

  static async boot(variant: VmVariant, environment: ExecutorEnvironment, context: RunContext): Promise<GuestRun> {
    const { experimentId, runId, signal } = context;
    const [base = '/var/tmp'] = folderBases();
    makeFolder(base);
    const folder = makeMarkedFolder(base, 'joulediff-guest-', experimentId);
    try {
      const drive = join(folder, 'files.tar');
      await makeDrive(drive, { directory: environment.directory, variant, signal });
      const identity = { experimentId, runId, variant: variant.name };
      const guest = await Guest.boot({ variant, identity, folder, drive, signal });
      return new GuestRun(variant, environment, { context, guest, folder });
    } catch (thrown) {
      removeFolder(folder);
      throw thrown;
    }
  }

  private constructor(
    variant: VmVariant,
    environment: ExecutorEnvironment,
    { context, guest, folder }: { context: RunContext; guest: Guest; folder: string },
  ) {
    this.#variant = variant;
    this.#environment = environment;
    this.#context = context;
    this.#guest = guest;
    this.#folder = folder;
  }

  get leftByPrepare(): PreparedRun['leftByPrepare'] {
    return this.#left.length === 0 ? null : { names: this.#left, runOn: true };
  }

  /** Facts of the guest, by its own account. */
  async inspect(): Promise<PlaceFacts> {
    const { bytes } = await this.#inside('look', INSPECT, INSPECT_MS);
    const text = bytes.toString();
    const told = (pattern: RegExp): string | null => pattern.exec(text)?.[1] ?? null;
    const memory = told(/^MemTotal:\s+(\d+) kB$/m);
    await this.#unpack();
    return {
      vm_guest_kernel: told(/^kernel (\S+)$/m),
      vm_guest_cpus: Number(told(/^cpus (\d+)$/m) ?? 0),
      vm_guest_memory_bytes: 1024 * Number(memory ?? 0),
    };
  }

  async prepare(): Promise<void> {
    await this.#unpack();
    const { prepare } = this.#variant.workload;
    if (prepare !== null) {
      const { execution, account } = await this.#stage('prepare', prepare);
      await this.#saveOutput('prepare');
      if (!isGood(execution)) throw stageFailure(this.#variant, 'prepare', execution);
      this.#left = account?.left ?? [];
    }
    this.#before = await this.#guest.clock();
  }

  async execute(hooks: RunHooks): Promise<Execution> {
    const { executions = 1 } = this.#context;
    const { execution } = await this.#stage('run', this.#variant.workload.run, executions, hooks);
    return execution;
  }

  async settle(execution: Execution): Promise<Execution> {
    if (this.#ran === null || this.#before === null) return execution;
    const { startNs, endNs, stepNs } = this.#ran.end;
    const half = stepNs / 2n;
    const after = await this.#guest.clock();
    const window = windowHere({ startNs: startNs + half, endNs: endNs + half }, this.#before, after);
    if (window === null) {
      throw new PlaceLostError(
        `The clock of the guest of variant ${JSON.stringify(this.#variant.name)} did not run on evenly.`,
      );
    }
    const { edgeS, lengthS, ...edges } = window;
    const stepS = Number(half) / 1e9;
    return { ...execution, ...edges, clock: { edgeS: edgeS + stepS, lengthS: lengthS + 2 * stepS } };
  }

  async telemetry(): Promise<RunTelemetry> {
    if (this.#ran === null) return { marks: [], phaseProblem: null, usage: null };
    const { account, hostCpuS } = this.#ran;
    const usage: Usage = {
      cpuS: hostCpuS,
      peakMemoryBytes: null,
      readBytes: null,
      writtenBytes: null,
      unread: ['Memory and disk use are not read in a virtual machine.'],
      counters: [counted('guest_cpu_s', account.guestCpuS, 'not-counted')],
    };
    try {
      const output = await this.#saveOutput('run');
      const isMarked = /^::joulediff (?:phase|end)\b/m.test(output);
      return { marks: [], phaseProblem: isMarked ? 'lines that are printed in a guest have no times' : null, usage };
    } catch (thrown) {
      const why = withoutFullStop(messageOf(thrown));
      return { marks: [], phaseProblem: `its output could not be brought here: ${why}`, usage };
    }
  }

  async dispose(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const { workload } = this.#variant;
    const { signal, onPrinted } = this.#context;
    try {
      if (this.#ran !== null) await this.#saveOutput('run').catch(() => {});
      onPrinted?.();
      // A `cleanup` inside the guest would have no effect, because it is thrown away; and a stop leaves no time for one.
      if (workload.cleanup === null || signal.aborted || this.#guest.isGone) return;
      const { execution } = await this.#stage('cleanup', workload.cleanup);
      await this.#saveOutput('cleanup');
      if (!isGood(execution) && !signal.aborted) throw stageFailure(this.#variant, 'cleanup', execution);
    } finally {
      await this.end();
    }
  }

  /** Ends the guest, with all that it has written. */
  async end(): Promise<void> {
    await this.#guest.end();
    const left = removeFolder(this.#folder);
    if (left !== null) this.#environment.log(left);
  }

  async #unpack(): Promise<void> {
    const { end, bytes } = await this.#inside('files', UNPACK, FILES_MS);
    if (end.exitCode === 0) return;
    const who = `The guest of variant ${JSON.stringify(this.#variant.name)}`;
    if (end.exitCode === NO_DRIVE) {
      throw new InputError(`${who} does not see the drive that its files come on.`, {
        advice:
          'Its kernel needs the drivers virtio_pci and virtio_blk, loaded when the shell at ttyS1 opens, and /sys and /dev have to be mounted.',
      });
    }
    throw new InputError(
      `${who} could not unpack its files: ${withoutFullStop(plain(bytes.toString().trim(), 300)) || `tar ended with exit code ${end.exitCode}`}.`,
    );
  }

  /** Runs a command of joulediff's own in the guest, and gives its output. */
  async #inside(stage: string, text: string, withinMs: number): Promise<{ end: GuestEnd; bytes: Buffer }> {
    const late = () =>
      new MeasureError(
        `The guest of variant ${JSON.stringify(this.#variant.name)} took too long to get ready (${stage}).`,
      );
    const end = await this.#guest.run(stage, text, { withinMs, late });
    await this.#guest.account();
    const { bytes } = await this.#guest.output(stage, TAIL_CHARACTERS);
    return { end, bytes };
  }

  async #stage(
    stage: Stage,
    command: Command,
    executions = 1,
    hooks: RunHooks = { onEdge() {} },
  ): Promise<{ readonly execution: Execution; readonly account: GuestAccount | null }> {
    const { signal } = this.#context;
    signal.throwIfAborted();
    const { timeoutS } = this.#variant.workload;
    const limitMs = timeoutS === null ? Infinity : 1000 * timeoutS * startsOf(command, executions);
    const nothing = { leftRunning: null, limit: null, startUpS: null };
    let startNs = nowNs();
    let cpuS = 0;
    let timedOut = false;
    const onStart = (): void => {
      cpuS = this.#guest.hostCpuS();
      hooks.onEdge('start');
      startNs = nowNs();
    };
    try {
      const late = (): Error => {
        timedOut = true;
        return new MeasureError(`${subjectOf(this.#variant, stage)} took longer than its timeout.`);
      };
      const withinMs = limitMs > LONGEST_MS ? null : limitMs;
      const end = await this.#guest.run(stage, this.#textOf(stage, command, executions), { withinMs, late, onStart });
      hooks.onEdge('end');
      const hostCpuS = Math.round(100 * (this.#guest.hostCpuS() - cpuS)) / 100;
      const account = await this.#guest.account();
      if (stage === 'run') this.#ran = { end, account, hostCpuS };
      const isOutOfMemory = account.outOfMemory > 0;
      const execution: Execution = {
        ...nothing,
        startNs,
        endNs: end.arrivedNs,
        exitCode: end.exitCode,
        signal: null,
        timedOut: false,
        outputTail: end.exitCode === 0 ? '' : await this.#tail(stage),
        leftRunning: stage === 'run' && account.left.length > 0 ? { ended: account.left, remaining: [] } : null,
        limit: isOutOfMemory ? 'memory' : null,
      };
      return { execution, account };
    } catch (thrown) {
      if (!signal.aborted && !timedOut) throw thrown;
      // Nothing but the end of the guest can end what runs in it.
      this.#guest.kill();
      hooks.onEdge('end');
      const execution = {
        ...nothing,
        startNs,
        endNs: nowNs(),
        exitCode: null,
        signal: 'SIGKILL',
        timedOut,
        outputTail: OUTPUT_GONE,
      };
      return { execution, account: null };
    }
  }

  /** Text for the guest's shell, by which nothing of joulediff's stays between it and the command. */
  #textOf(stage: Stage, command: Command, executions: number): string {
    const { name, workload } = this.#variant;
    const { directory, passedEnv } = this.#environment;
    const { experimentId, runId } = this.#context;
    const marks = runMarks({ experimentId, runId, variant: name }, stage);
    const variables = Object.entries({ ...passedEnv, ...workload.env, ...marks });
    const workdir = pathInGuest(resolve(directory, workload.workdir ?? '.'), directory);
    const [own, foreign] = [true, false].map((of) => variables.filter(([key]) => isShellName(key) === of));
    const env = (foreign ?? []).map(([key, value]) => `${key}=${value}`);
    const words = [...(env.length === 0 ? [] : ['env', ...env]), ...repeated(argvOf(command), executions)];
    return [
      `cd ${shellWord(workdir)} || exit`,
      ...(own ?? []).map(([key, value]) => `export ${key}=${shellWord(value)}`),
      `exec ${words.map(shellWord).join(' ')}`,
    ].join('\n');
  }

  async #tail(stage: Stage): Promise<string> {
    const { bytes } = await this.#guest.output(stage, 2 * TAIL_CHARACTERS);
    return bytes.toString().slice(-TAIL_CHARACTERS);
  }

  /** Appends a stage's output to the log, once, and gives it. */
  async #saveOutput(stage: Stage): Promise<string> {
    if (stage === 'run' && this.#isSaved) return '';
    if (stage === 'run') this.#isSaved = true;
    const { bytes, leftOut } = await this.#guest.output(stage, MAX_OUTPUT_BYTES);
    const half = bytes.length / 2;
    const text =
      leftOut === 0
        ? bytes.toString()
        : `${bytes.subarray(0, half).toString()}${leftOutNote(leftOut)}${bytes.subarray(half).toString()}`;
    appendRegular(this.#context.logFile, text);
    return text;
  }
}

/** Whether a shell can have a variable with this name, and lets it be set; others have to be set by env. */
const isShellName = (name: string): boolean => /^(?!(?:E?UID|GROUPS|PPID|BASHOPTS|SHELLOPTS)$)[A-Za-z_]\w*$/.test(name);
