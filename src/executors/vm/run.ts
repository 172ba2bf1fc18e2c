import type { Execution, RunTelemetry, Usage } from '../../contracts/execution.ts';
import type { Command } from '../../contracts/variant.ts';
import { MeasureError, messageOf, withoutFullStop } from '../../errors.ts';
import { counted } from '../../findings/resources.ts';
import { type ClockPoint, windowHere } from '../../hosts/clock.ts';
import { nowNs } from '../../system/clock.ts';
import { runMarks, type Stage, serviceHostMark } from '../environment.ts';
import type { PreparedRun, RunContext, RunHooks } from '../executor.ts';
import { formatSubject, isGood, PlaceLostError, stageFailure } from '../failures.ts';
import { startsOf } from '../repeat.ts';
import type { Guest, GuestAccount, GuestEnd } from './guest.ts';
import type { GuestPlace } from './place.ts';
import type { VmVariant } from './variant.ts';

const TAIL_CHARACTERS = 4000;
/** Longest timer, below the 2^31 - 1 ms of Node.js: a longer one fires at once. */
const LONGEST_MS = 2_000_000_000;
/** Text in place of output that was only in the guest. */
export const OUTPUT_GONE = '[The guest was ended while this ran, and what it printed went with it.]';

/** A run in a guest. */
export class GuestRun implements PreparedRun {
  readonly #variant: VmVariant;
  readonly #context: RunContext;
  readonly #place: GuestPlace;
  readonly #kill = (): void => this.#guest.kill();
  #left: readonly string[] = [];
  #before: ClockPoint | null = null;
  #ran: { readonly end: GuestEnd; readonly account: GuestAccount; readonly hostCpuS: number } | null = null;
  /** Why the output of the run could not be brought: its guest went away. */
  #loss: unknown = null;
  #isSaved = false;
  #isOver = false;

  /** A run in a guest that is held for it, and that it lets go of. */
  constructor(variant: VmVariant, context: RunContext, place: GuestPlace) {
    this.#variant = variant;
    this.#context = context;
    this.#place = place;
    // The death of a service ends its client, which nothing but the end of the guest does.
    context.signal.addEventListener('abort', this.#kill, { once: true });
  }

  get leftByPrepare(): PreparedRun['leftByPrepare'] {
    return this.#left.length === 0 ? null : { names: this.#left, runOn: true };
  }

  async prepare(): Promise<void> {
    const { prepare } = this.#variant.workload;
    if (prepare !== null) {
      const { execution, account } = await this.#stage('prepare', prepare);
      // A guest that was ended at the timeout of its stage tells nothing more.
      if (account !== null) await this.#saveOutput('prepare');
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
      this.#loss = thrown;
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
      try {
        // A stop has ended the guest, and the output went with it.
        if (this.#ran !== null && !signal.aborted) await this.#saveOutput('run');
        if (this.#loss !== null) throw this.#loss;
      } finally {
        onPrinted?.();
      }
      // After a stop, no `cleanup` is run: there is no time for it, and the guest is thrown away anyway. It is gone, too, after a timeout.
      if (workload.cleanup === null || signal.aborted || this.#guest.isGone) return;
      const { execution, account } = await this.#stage('cleanup', workload.cleanup);
      if (account !== null) await this.#saveOutput('cleanup');
      if (!isGood(execution) && !signal.aborted) throw stageFailure(this.#variant, 'cleanup', execution);
    } finally {
      await this.end();
    }
  }

  async end(): Promise<void> {
    this.#context.signal.removeEventListener('abort', this.#kill);
    await this.#place.letGo();
  }

  get #guest(): Guest {
    return this.#place.guest;
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
        return new MeasureError(`${formatSubject(this.#variant, stage)} took longer than its timeout.`);
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

  #textOf(stage: Stage, run: Command, executions: number): string {
    const { experimentId, runId, serviceHost } = this.#context;
    const marks = runMarks({ experimentId, runId, variant: this.#variant.name }, stage);
    return this.#place.textOf({ run, executions, workdir: null, env: { ...marks, ...serviceHostMark(serviceHost) } });
  }

  async #tail(stage: Stage): Promise<string> {
    const { bytes } = await this.#guest.output(stage, 2 * TAIL_CHARACTERS);
    return bytes.toString().slice(-TAIL_CHARACTERS);
  }

  /** Appends a stage's output to the log, once, and gives it. */
  async #saveOutput(stage: Stage): Promise<string> {
    if (stage === 'run' && this.#isSaved) return '';
    if (stage === 'run') this.#isSaved = true;
    return this.#place.saveOutput(stage, this.#context.logFile);
  }
}
