import { BROKEN, STOP_SIGNALS, Stopped } from '../errors.ts';

/** Longest time that ending tidily may take; containers and children are gone within 5 s. */
const LAST_MOMENT_MS = 60_000;

/**
 * An AbortSignal that the first signal of STOP_SIGNALS aborts, with `Stopped` as its reason, and an error that nobody caught, with that error:
 * either way what runs is ended and removed. A second one changes nothing: what is cleaned up then must not be interrupted.
 * `tell` hears of the reason, once.
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
      // Whatever the command comes to, it did not go well.
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
