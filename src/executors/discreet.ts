import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Execution, RunTelemetry } from '../contracts/execution.ts';
import { getErrorCode } from '../errors.ts';
import { clearPlace } from '../system/open-regular.ts';
import { isSecretName, maskSecrets } from '../text/credentials.ts';
import { rememberedSecrets } from '../text/known-secrets.ts';
import { screenText } from '../text/screen.ts';
import { decorate } from './decorate.ts';
import type { Executor, PreparedRun, RunContext } from './executor.ts';
import type { ServiceRunner } from './service.ts';

/**
 * An executor that shows no secrets: output and messages of a workload, a build or an engine are masked before they are shown or stored, and
 * credentials in the log of a run are masked when the run is over. All kinds of places use this one; it does nothing in a window.
 */
export function discreet(executor: Executor, secrets: readonly string[]): Executor {
  const shown = (text: string): string => screenText(text, secrets);
  const telling = <T>(action: () => Promise<T>): Promise<T> => tellingWithout(secrets, action);
  const execution = (given: Execution): Execution => ({ ...given, outputTail: shown(given.outputTail) });
  const telemetry = ({ marks, phaseProblem, usage }: RunTelemetry): RunTelemetry => ({
    marks: marks.map((mark) => ({ ...mark, phase: mark.phase && shown(mark.phase) })),
    phaseProblem: phaseProblem && shown(phaseProblem),
    usage,
  });
  const prepared = (run: PreparedRun, { logFile }: RunContext): PreparedRun => ({
    leftByPrepare: run.leftByPrepare ? { ...run.leftByPrepare, names: run.leftByPrepare.names.map(shown) } : null,
    execute: (hooks) => telling(async () => execution(await run.execute(hooks))),
    ...(run.settle && {
      settle: (given) => telling(() => (run as Required<PreparedRun>).settle(given)),
    }),
    ...(run.telemetry && { telemetry: async () => telemetry(await (run as Required<PreparedRun>).telemetry()) }),
    dispose: () => telling(() => run.dispose().finally(() => maskInSlices(logFile, secrets))),
  });
  const recover = executor.recover?.bind(executor);
  const filesOf = executor.filesOf?.bind(executor);
  const repeatProblem = executor.repeatProblem?.bind(executor);
  return decorate(executor, {
    ...(repeatProblem && { repeatProblem: (signal: AbortSignal) => telling(() => repeatProblem(signal)) }),
    ...(filesOf && { filesOf: (paths: readonly string[], into: string) => telling(() => filesOf(paths, into)) }),
    ...(recover && { recover: (signal: AbortSignal) => telling(() => recover(signal)) }),
    ...discreetRunner(executor, secrets),
    prepare: (context) =>
      telling(async () => {
        // An earlier workload may have put something there on purpose.
        clearPlace(context.logFile);
        try {
          return prepared(await executor.prepare(context), context);
        } catch (thrown) {
          await maskInSlices(context.logFile, secrets);
          throw thrown;
        }
      }),
  });
}

/** Does the same for what runs services. */
export function discreetRunner(runner: ServiceRunner, secrets: readonly string[]): ServiceRunner {
  const shown = (text: string): string => screenText(text, secrets);
  const telling = <T>(action: () => Promise<T>): Promise<T> => tellingWithout(secrets, action);
  return {
    setup: (signal, recorded) => telling(() => runner.setup(signal, recorded)),
    makeService: (service, context) =>
      telling(async () => {
        const all = [...secrets, ...secretsIn(service.env)];
        clearPlace(context.logFile);
        const made = await runner.makeService(service, context);
        return {
          ...made,
          start: () => telling(() => made.start()),
          output: () => screenText(made.output(), all),
          left: () => made.left().map(shown),
          stop: (withinS: number) =>
            telling(() => made.stop(withinS).finally(() => maskInSlices(context.logFile, all))),
        };
      }),
  };
}

/** The values of those environment variables whose names say that they are credentials, such as `DB_PASSWORD`. */
export const secretsIn = (env: Readonly<Record<string, string>>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (isSecretName(name) ? [value] : []));

/** Runs an action, and masks the secrets in the error that it throws. */
async function tellingWithout<T>(secrets: readonly string[], action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    // Errors of Node.js itself (a stop, a deadline) can't be changed, and quote nothing.
    if (thrown instanceof Error && !(thrown instanceof DOMException)) {
      thrown.message = screenText(thrown.message, secrets);
    }
    throw thrown;
  }
}

const PART_BYTES = 2 ** 20;
/** Bytes by which parts of a file overlap, so that a credential across an edge is found. */
const OVERLAP_BYTES = 32 * 2 ** 10;

/**
 * Masks credentials in a file, each with as many asterisks as it has bytes; nothing else changes. A file that is missing, or that can't be written,
 * is left as it is.
 */
export function maskFile(path: string, secrets: readonly string[] = []): void {
  for (const _part of maskParts(path, secrets));
}

/** The same from a byte on, with signals heard between the parts of a long file. */
export async function maskInSlices(path: string, secrets: readonly string[], fromByte = 0): Promise<void> {
  for (const _part of maskParts(path, secrets, fromByte)) await setImmediate();
}

function* maskParts(path: string, secrets: readonly string[], fromByte = 0): Generator<void> {
  let file: number;
  try {
    file = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    if (['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ELOOP'].includes(getErrorCode(cause))) return;
    throw cause;
  }
  try {
    if (!fstatSync(file).isFile()) return;
    // Each byte becomes one character, so that positions are those in the file.
    const known = [...secrets, ...rememberedSecrets()].flatMap((each) => [each, Buffer.from(each).toString('latin1')]);
    const part = Buffer.alloc(PART_BYTES + OVERLAP_BYTES);
    for (let at = fromByte; ; at += PART_BYTES) {
      const length = readSync(file, part, 0, part.length, at);
      const text = part.toString('latin1', 0, length);
      const masked = maskSecrets(text, known, (secret) => secret.replace(/[^\r\n]/g, '*'));
      if (masked !== text) writeSync(file, Buffer.from(masked, 'latin1'), 0, length, at);
      if (length <= PART_BYTES) return;
      yield;
    }
  } finally {
    closeSync(file);
  }
}
