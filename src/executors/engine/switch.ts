import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Docker from 'dockerode';
import * as z from 'zod';
import type { Command } from '../../contracts/variant.ts';
import { getErrorCode, InputError, MeasureError, messageOf } from '../../errors.ts';
import { askProgram } from '../../processes/ask-program.ts';
import { Helper } from '../../processes/helper.ts';
import { HELPER_LIMITS } from '../../processes/helper-limits.ts';
import { leftNotes, makeNote, removeFolder } from '../../processes/left-folders.ts';
import { signalProcess } from '../../processes/left-processes.ts';
import type { Limits } from '../../processes/limits.ts';
import type { IsAbandoned } from '../../processes/owner.ts';
import { withDeadline } from '../../system/deadline.ts';
import { asOrdinary } from '../../system/priority.ts';
import { stateFolder } from '../../system/state.ts';
import { listed } from '../../text/plain.ts';
import { engineSocket } from '../container/docker.ts';
import { NO_PIN, pinWords } from '../pins.ts';
import { argvOf } from '../repeat.ts';

const PREFIX = 'joulediff-engine-';
const ANSWER_MS = 2000;
const POLL_MS = 100;
/** Time limits for the command that stops or starts the engine, and for the engine's change of state after it. */
const COMMAND_MS = 60_000;
const CHANGE_MS = 30_000;
/** Time limit for the engine's change after a command that failed. */
const HOPELESS_MS = 3000;
const MAX_NAMES = 5;
const [WHAT_STOPS, WHAT_STARTS] = ["what stops Docker's engine", "what starts Docker's engine"];
const UNITS = ['docker.socket', 'docker.service'] as const;

/** What stops Docker's engine, and what starts it again. */
export interface EngineCommands {
  readonly stop: Command;
  readonly start: Command;
}

const OWN_COMMAND = z.union([z.string(), z.array(z.string()).min(1).readonly()]);
/**
 * How the engine is started again: by a service manager, or by the experiment's own commands, which are recorded nowhere else. This is the form in
 * notes, whose seal only this user's key makes.
 */
const WAY = z.union([
  z.object({ manager: z.literal('systemd'), units: z.array(z.enum(UNITS)).min(1) }),
  z.object({ manager: z.literal('init') }),
  z.object({ own: z.object({ stop: OWN_COMMAND, start: OWN_COMMAND }) }),
]);
type Way = z.output<typeof WAY>;
const NOTE = z.object({ socket: z.string(), way: WAY });

/** Docker's engine of this machine, which an experiment may stop for a while and that is started again in any case. */
export class EngineSwitch {
  readonly #way: Way;
  readonly #socket: string;
  readonly #experimentId: string;
  /** Folder with the note by which a later start knows that it has to start the engine; null: the engine runs. */
  #mark: string | null = null;
  readonly #most: Limits;

  /** `given`: the user's own commands, which may have no more than `most`. Throws InputError where nothing is known that stops and starts the engine. */
  constructor(given: EngineCommands | null, experimentId: string, most = HELPER_LIMITS) {
    const socket = engineSocket();
    if (socket === null) {
      throw new InputError(
        `The engine at DOCKER_HOST=${process.env.DOCKER_HOST} can't be stopped: only one on this machine can, at a socket of its own.`,
      );
    }
    this.#socket = socket;
    this.#way = given === null ? serviceWay() : { own: given };
    this.#experimentId = experimentId;
    this.#most = most;
  }

  /** `systemctl stop docker.socket docker.service`. */
  get stopText(): string {
    return textOf(commandsOf(this.#way).stop);
  }

  /** Throws MeasureError where the engine doesn't run, or has running containers. */
  async check(): Promise<void> {
    const docker = new Docker({ socketPath: this.#socket });
    const containers = await withDeadline((abortSignal) => docker.listContainers({ abortSignal }), ANSWER_MS).catch(
      (cause) => {
        throw new MeasureError(`Docker's engine at ${this.#socket} doesn't answer: ${messageOf(cause)}.`, {
          advice: 'Start it: an engine that is stopped for runs has to be running before them.',
          cause,
        });
      },
    );
    if (containers.length === 0) return;
    const names = containers.slice(0, MAX_NAMES).map(({ Id, Names }) => Names[0]?.slice(1) ?? Id.slice(0, 12));
    const more = containers.length > MAX_NAMES ? ` and ${containers.length - MAX_NAMES} more` : '';
    throw new MeasureError(`Docker's engine is not stopped, because containers are running: ${listed(names)}${more}.`, {
      advice: 'They would end with it. Stop them, or leave engine: stopped out.',
    });
  }

  /** Stops the engine. Throws MeasureError where that fails; then it runs, as far as joulediff can make it. */
  async stop(): Promise<void> {
    await this.check();
    const { stop } = commandsOf(this.#way);
    this.#mark = rememberStopped(this.#experimentId, { socket: this.#socket, way: this.#way });
    try {
      await execute(stop, new Helper(WHAT_STOPS, this.#most));
      if (!(await within(CHANGE_MS, () => isGone(this.#socket)))) {
        throw new MeasureError(`Docker's engine still answers at ${this.#socket} after "${textOf(stop)}".`);
      }
    } catch (thrown) {
      await this.start();
      throw thrown;
    }
  }

  /** Starts the engine again. Throws MeasureError where it doesn't come back; a later start of joulediff then tries again. */
  async start(): Promise<void> {
    if (this.#mark === null) return;
    await startAgain(this.#socket, this.#way, this.#most);
    removeFolder(this.#mark);
    this.#mark = null;
  }
}

/** Starts engines that killed processes had stopped. Gives a line for the log for each. */
export async function startLeftEngines(isAbandoned: IsAbandoned): Promise<string[]> {
  const lines: string[] = [];
  for (const { path, mark } of leftNotes(PREFIX, isAbandoned)) {
    const note = NOTE.safeParse(mark);
    if (!note.success) continue;
    const { socket, way } = note.data;
    try {
      if (!(await answers(socket))) {
        await startAgain(socket, way);
        lines.push("Started Docker's engine again, which an earlier experiment had stopped.");
      }
      removeFolder(path);
    } catch (thrown) {
      lines.push(`An earlier experiment had stopped Docker's engine. ${messageOf(thrown)}`);
    }
  }
  return lines;
}

/** The service manager that runs the engine. */
function serviceWay(): Way {
  if (existsSync('/run/systemd/system')) {
    const active = UNITS.filter((unit) => isSuccess('systemctl', ['is-active', '--quiet', unit]));
    // The socket is stopped first: a question to it would start the service again.
    if (active.includes('docker.service')) {
      return { manager: 'systemd', units: active };
    }
  } else if (existsSync('/etc/init.d/docker') && isSuccess('service', ['docker', 'status'])) {
    return { manager: 'init' };
  }
  throw new InputError(
    "What stops and starts Docker's engine here is not known: it is no running service of systemd or init.",
    {
      advice: 'Give both commands: engine: { state: stopped, stop: COMMAND, start: COMMAND }.',
    },
  );
}

function commandsOf(way: Way): EngineCommands {
  if ('own' in way) return way.own;
  const words = (verb: string) =>
    way.manager === 'systemd' ? ['systemctl', verb, ...way.units] : ['service', 'docker', verb];
  return { stop: words('stop'), start: words('start') };
}

const isSuccess = (program: string, words: readonly string[]): boolean => askProgram(program, words).status === 0;

/** Writes the note that the engine is stopped. Without it, the engine is not stopped: after a kill, nothing would start it again. */
function rememberStopped(experimentId: string, note: z.output<typeof NOTE>): string {
  try {
    return makeNote(PREFIX, experimentId, note);
  } catch (cause) {
    throw new MeasureError(
      `Docker's engine is not stopped: the note that it has to be started again could not be written to ${stateFolder()} (${messageOf(cause)}).`,
      { cause },
    );
  }
}

async function startAgain(socket: string, way: Way, most = HELPER_LIMITS): Promise<void> {
  const { start } = commandsOf(way);
  let problem = '';
  // The engine may be a child of this command, and must outlive joulediff.
  await execute(start, new Helper(WHAT_STARTS, most, false)).catch((thrown: unknown) => {
    problem = ` ${messageOf(thrown)}`;
  });
  if (await within(problem === '' ? CHANGE_MS : HOPELESS_MS, () => answers(socket))) return;
  throw new MeasureError(`Docker's engine could not be started again.${problem}`, {
    advice: `Start it: ${textOf(start)}. joulediff also tries again the next time it starts, and with joulediff clean.`,
  });
}

/** Runs a command so that an engine which it starts inherits nothing: no priority, folder or output, and no mark by which a runner would end it. */
async function execute(command: Command, helper: Helper): Promise<void> {
  const [program = '', ...words] = [...pinWords(NO_PIN), ...argvOf(command)];
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:JOULEDIFF_|(?:RUNNER_TRACKING_ID|(?:OLD)?PWD)$)/.test(name),
  );
  const options = { cwd: '/', env: Object.fromEntries(kept), detached: true, stdio: 'ignore' } as const;
  const child = helper.born(
    () => asOrdinary(() => spawn(program, words, options)),
    ({ pid }) => pid !== undefined && signalProcess(-pid, 'SIGKILL'),
  );
  const ended = new Promise<string | null>((resolve) => {
    child.once('error', (cause) => resolve(`could not be started (${getErrorCode(cause) || messageOf(cause)})`));
    child.once('exit', (code, signal) => resolve(code === 0 ? null : `ended with ${signal ?? `exit code ${code}`}`));
  });
  const waiting = new AbortController();
  const late = sleep(COMMAND_MS, `did not end within ${COMMAND_MS / 1000} s`, { signal: waiting.signal });
  late.catch(() => {});
  const problem = await Promise.race([ended, late]);
  waiting.abort();
  const limit = helper.reached();
  // Processes that it left may be meant to stay, but not if it met a limit.
  await (limit === null ? helper.release() : helper.end());
  if (problem === null) return;
  throw new MeasureError(`"${textOf(command)}" ${problem}.${limit === null ? '' : ` ${limit}`}`, {
    advice: 'Run it as the same user to see why: it usually needs root.',
  });
}

async function within(ms: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > until) return false;
    await sleep(POLL_MS);
  }
  return true;
}

const answers = (socket: string): Promise<boolean> =>
  ping(socket).then(
    () => true,
    () => false,
  );

/** Whether nothing listens on the socket: an engine that only gives no answer is still there. */
const isGone = (socket: string): Promise<boolean> =>
  ping(socket).then(
    () => false,
    (cause: unknown) => ['ENOENT', 'ECONNREFUSED'].includes(getErrorCode(cause)),
  );

// The options of this request are newer than the library's types.
const ping = (socketPath: string): Promise<unknown> =>
  withDeadline(
    (abortSignal) => new Docker({ socketPath }).ping({ abortSignal } as never) as unknown as Promise<unknown>,
    ANSWER_MS,
  );

const textOf = (command: Command): string => (typeof command === 'string' ? command : command.join(' '));
