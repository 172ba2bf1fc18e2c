import { spawn } from 'node:child_process';
import { getErrorCode, MeasureError } from '../../errors.ts';
import { Helper } from '../../processes/helper.ts';
import { signalProcess } from '../../processes/left-processes.ts';
import type { Limits } from '../../processes/limits.ts';
import { inFolder } from '../environment.ts';

const LARGEST_ANSWER = 64 * 2 ** 20;
const DEFAULT_SOCKET = 'unix:///var/run/docker.sock';
const QUESTION_S = 60;
/** Time between the request to end and SIGKILL. */
const GRACE_MS = 1000;

/** Variables by which the client finds its engine and its plug-ins; otherwise it sees what workloads see. */
const OF_THE_CLIENT = ['DOCKER_CONFIG', 'DOCKER_CERT_PATH', 'DOCKER_TLS_VERIFY', 'DOCKER_API_VERSION'] as const;

export const HOW_TO_INSTALL =
  'Install the plug-in: sudo apt-get install docker-compose-plugin (from the repository of Docker) or docker-compose-v2 (from Ubuntu); https://docs.docker.com/compose/install/linux has other ways.';

/**
 * Oldest usable version: the first whose `config --variables` heeds `--format json` (docker/compose, commit d6e3fa6d7). `--no-env-resolution` came
 * with 2.35, `--environment` with 2.27.2, `--variables` with 2.26 (commits a0d1c3f94, d633c33a1, 25671ae62).
 */
const OLDEST = [2, 36] as const;

export interface ComposeAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ComposeCall {
  readonly words: readonly string[];
  /** Variables of the client and of the interpolation of the file. */
  readonly env: Readonly<Record<string, string>>;
  /** Working directory of the client. */
  readonly directory: string;
  /** Compose file to give on standard input; absent: none. */
  readonly input?: string;
  readonly withinS?: number;
  readonly signal: AbortSignal;
  /** Limits of the client, not of its containers; others for tests. */
  readonly most?: Limits;
}

/** Names that Compose and Docker's client read themselves; any other DOCKER_… is the user's own, for the file. */
const READ_BY_CLIENT =
  /^(?:COMPOSE_.*|DOCKER_(?:API_VERSION|AUTH_CONFIG|BUILDKIT|CERT_PATH|CLI_.*|CONFIG|CONTENT_TRUST.*|CONTEXT|CUSTOM_HEADERS|DEFAULT_PLATFORM|HIDE_LEGACY_COMMANDS|HOST|TLS.*))$/;

/** Variables of a call: they lead to the engine that joulediff uses, and hold no COMPOSE_… of the caller, which would change what the file means. */
export function composeEnvironment(inherited: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(inherited).filter(([name]) => !READ_BY_CLIENT.test(name));
  const own = OF_THE_CLIENT.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries([...kept, ...own]),
    DOCKER_HOST: process.env.DOCKER_HOST || DEFAULT_SOCKET,
    COMPOSE_PROFILES: '',
    COMPOSE_ANSI: 'never',
    COMPOSE_MENU: 'false',
  };
}

/**
 * Runs `docker compose`. Throws MeasureError where there is no client, or it takes longer or needs more than it may, and the signal's reason when it
 * was stopped. What Compose itself says is the answer.
 */
export async function compose(call: ComposeCall): Promise<ComposeAnswer> {
  const { words, env, directory, input, withinS = QUESTION_S, signal, most } = call;
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<ComposeAnswer>();
  // A group of its own: the client starts Compose as a process of its own, and both have to end.
  const helper = new Helper('docker compose', most);
  const child = helper.born(
    () =>
      spawn('docker', ['compose', '--progress', 'quiet', ...words], { ...inFolder(directory, env), detached: true }),
    ({ pid }) => pid !== undefined && signalProcess(-pid, 'SIGKILL'),
  );
  const end = (name: NodeJS.Signals): void => {
    if (child.pid !== undefined) signalProcess(-child.pid, name);
  };
  let late: MeasureError | null = null;
  let killing: NodeJS.Timeout | undefined;
  const stop = (): void => {
    end('SIGTERM');
    killing ??= setTimeout(() => end('SIGKILL'), GRACE_MS);
  };
  const timer = setTimeout(() => {
    late = new MeasureError(`docker compose ${findVerb(words)} did not finish within ${withinS} s and was stopped.`);
    stop();
  }, 1000 * withinS);
  signal.addEventListener('abort', stop, { once: true });
  const [stdout, stderr] = [child.stdout, child.stderr].map(collect) as [() => string, () => string];
  child.once('error', (cause) => reject(startFailure(cause)));
  child.once('close', (code) => resolve({ code: code ?? 1, stdout: stdout(), stderr: stderr() }));
  // A client that ends before it has read everything says why itself.
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  try {
    const answer = await promise;
    signal.throwIfAborted();
    if (late !== null) throw late;
    const why = helper.reached();
    if (why !== null) throw new MeasureError(`docker compose ${findVerb(words)} failed. ${why}`);
    return answer;
  } finally {
    clearTimeout(timer);
    clearTimeout(killing);
    await helper.end();
    signal.removeEventListener('abort', stop);
  }
}

/** The version of the user's `docker compose`. Throws MeasureError where there is none, or it is too old. */
export async function composeVersion(env: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string> {
  const { code, stdout } = await compose({ words: ['version', '--short'], env, directory: '/', signal });
  if (code !== 0) throw new MeasureError('There is no docker compose on this machine.', { advice: HOW_TO_INSTALL });
  const version = stdout.trim().replace(/^v/, '');
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  // A version built from source says "dev".
  if (major === undefined) return version;
  const [oldestMajor, oldestMinor] = OLDEST;
  if (Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor)) return version;
  throw new MeasureError(
    `docker compose is ${version} on this machine, and joulediff needs ${OLDEST.join('.')} or later.`,
    { advice: HOW_TO_INSTALL },
  );
}

function startFailure(cause: unknown): MeasureError {
  if (getErrorCode(cause) !== 'ENOENT') return new MeasureError('docker compose could not be started.', { cause });
  return new MeasureError("Docker's client isn't installed on this machine: there is no program docker in PATH.", {
    advice: `Install it (Debian, Ubuntu: sudo apt-get install docker-cli or docker.io), and docker compose with it. ${HOW_TO_INSTALL}`,
    cause,
  });
}

/** Collects a stream's text; of a flood only the beginning. */
function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= LARGEST_ANSWER) chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

const VERBS = new Set(['version', 'config', 'build', 'create', 'up', 'down']);

const findVerb = (words: readonly string[]): string => words.find((word) => VERBS.has(word)) ?? '';
