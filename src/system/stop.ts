import { BROKEN, STOP_SIGNALS, Stopped } from '../errors.ts';

/** Maximum time for cleaning up after a signal; containers and children are gone within 5 s. */
const LAST_MOMENT_MS = 60_000;

/**
 * An AbortSignal that is aborted by the first signal of STOP_SIGNALS, with `Stopped` as reason, or by an uncaught error, with that error:
 * in both cases, everything that runs is ended and removed. A second signal is ignored, so that it does not interrupt the cleanup.
 * `tell` is called with the reason, once.
 */
export function stopOnSignals(tell: (reason: unknown) => void = () => {}): Disposable & {
  readonly signal: AbortSignal;
} {
  const controller = new AbortController();
  const stop = (reason: unknown, exitCode: number): void => {
    if (controller.signal.aborted) return;
    controller.abort(reason);
    setTimeout(() => process.exit(exitCode), LAST_MOMENT_MS).unref();
    tell(reason);
  };
  const onError = (error: unknown): void => {
    if (!controller.signal.aborted) {
      // The exit code reports the failure even if the command ends well afterwards.
      process.once('exit', () => {
        process.exitCode = BROKEN;
      });
    }
    stop(error, BROKEN);
  };
  const listeners = STOP_SIGNALS.map((name) => {
    const stopped = new Stopped(name);
    return [name, () => stop(stopped, stopped.exitCode)] as const;
  });
  for (const [name, listener] of listeners) process.on(name, listener);
  process.on('uncaughtException', onError);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const [name, listener] of listeners) process.off(name, listener);
      process.off('uncaughtException', onError);
    },
  };
}
