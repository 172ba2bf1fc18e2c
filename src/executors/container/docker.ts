import Docker from 'dockerode';
import { getErrorCode, MeasureError, messageOf } from '../../errors.ts';
import { isInstalled } from '../../processes/ask-program.ts';
import { LateError, withDeadline } from '../../system/deadline.ts';
import { userName } from '../../system/user.ts';
import { PlaceLostError } from '../failures.ts';

export const DEFAULT_SOCKET = '/var/run/docker.sock';
// docker-modem reads an address with Node's old parser, and nobody who runs joulediff can do anything about that warning.
process.noDeprecation = true;

const ANSWER_MS = 10_000;
/** Time limit for a short question: an engine that is busy with a disk may take long. */
const QUESTION_MS = 60_000;

/** The socket of an engine on this machine; null: DOCKER_HOST names another way to one. */
export function engineSocket(): string | null {
  const host = process.env.DOCKER_HOST;
  if (!host) return DEFAULT_SOCKET;
  return host.startsWith('unix://') ? host.slice('unix://'.length) : null;
}

/** The engine at DOCKER_HOST, else at its usual socket; asked for nothing yet. Throws MeasureError for a DOCKER_HOST that can't be read. */
export function openDocker(): Docker {
  const host = process.env.DOCKER_HOST;
  try {
    return host ? new Docker() : new Docker({ socketPath: DEFAULT_SOCKET });
  } catch (cause) {
    throw new MeasureError(`DOCKER_HOST is ${JSON.stringify(host)}: ${messageOf(cause)}.`, { cause });
  }
}

/** The engine, after it answered. Throws MeasureError that says why it doesn't, and what to do. */
export async function connectDocker(answerMs = ANSWER_MS): Promise<Docker> {
  const docker = openDocker();
  try {
    await ping(docker, answerMs);
  } catch (cause) {
    throw unreachable(cause, answerMs);
  }
  return docker;
}

/** Asks an engine for a sign of life; the options of this request are newer than the library's types. */
export const ping = (docker: Docker, answerMs = ANSWER_MS): Promise<unknown> =>
  withDeadline((abortSignal) => docker.ping({ abortSignal } as never) as unknown as Promise<unknown>, answerMs);

/** The engine's answer to a short question, asked with the options that end it (newer than the types of the library). Throws what it refuses, and LateError where it says nothing for a minute. */
export function answerTo<T>(ask: (options: object) => Promise<T>): Promise<T> {
  return withDeadline((abortSignal) => ask({ abortSignal }), QUESTION_MS);
}

/** An engine's description of itself. */
export type EngineInfo = Awaited<ReturnType<Docker['info']>>;

/** Asks an engine for its description; the options are newer than the library's types. */
export function infoOf(docker: Docker): Promise<EngineInfo> {
  return answerTo((options) => docker.info(options as never) as unknown as Promise<EngineInfo>);
}

/** Error codes of a connection whose other end is gone. */
const GONE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
]);

/** Name of an engine in sentences. */
export const titleOf = (isPodman: boolean): string => (isPodman ? 'Podman' : "Docker's engine");

/**
 * What was thrown, as a PlaceLostError where its first cause is an engine that is gone or doesn't answer. A refusal of the engine has a status,
 * and stays what it is.
 */
export function lostEngine(thrown: unknown, title = 'The engine'): unknown {
  if (thrown instanceof PlaceLostError) return thrown;
  for (let cause = thrown; typeof cause === 'object' && cause !== null; cause = (cause as { cause?: unknown }).cause) {
    if (cause instanceof LateError || GONE.has(getErrorCode(cause))) {
      return new PlaceLostError(`${title} went away: ${messageOf(cause)}.`, { cause: thrown });
    }
  }
  return thrown;
}

/** HTTP status of the engine's refusal; null for errors of another kind. */
export function statusOf(thrown: unknown): number | null {
  const status = (thrown as { statusCode?: unknown } | null | undefined)?.statusCode;
  return typeof status === 'number' ? status : null;
}

/** The engine's own words, without the library's wrapping of status codes. */
export function engineMessage(thrown: unknown): string {
  return messageOf(thrown)
    .replace(/^\(HTTP code \d+\) [^-]*- /, '')
    .trim();
}

function unreachable(cause: unknown, answerMs: number): MeasureError {
  const code = getErrorCode(cause);
  const host = process.env.DOCKER_HOST;
  const place = host ? `at DOCKER_HOST=${host}` : `at ${DEFAULT_SOCKET}`;
  if (code === 'ENOENT' && !host && !isInstalled('dockerd') && !isInstalled('docker')) {
    return new MeasureError(`Docker isn't installed on this machine: there is nothing ${place}.`, {
      advice:
        'Install the engine (Debian, Ubuntu: sudo apt-get install docker.io), or leave the container variants out.',
      cause,
    });
  }
  if (code === 'ENOENT' || code === 'ECONNREFUSED') {
    return new MeasureError(`Docker's engine isn't running: nothing answers ${place}.`, {
      advice: host
        ? 'Check DOCKER_HOST, or unset it to use the usual socket.'
        : 'Start it: sudo systemctl start docker (or sudo service docker start).',
      cause,
    });
  }
  if (code === 'EACCES' || code === 'EPERM') {
    const user = userName();
    return new MeasureError(`The user ${user} may not talk to Docker's engine ${place}.`, {
      advice:
        `Add the user to the group docker (sudo usermod -aG docker ${user}), then log in again or restart the runner. ` +
        'Membership in that group amounts to root on this machine.',
      cause,
    });
  }
  return new MeasureError(`Docker's engine ${place} can't be used: ${engineMessage(cause) || code}.`, {
    advice: `Check that "docker version" answers within ${answerMs / 1000} s for this user.`,
    cause,
  });
}
