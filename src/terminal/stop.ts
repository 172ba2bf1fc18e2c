import { Stopped, type StopSignal } from '../errors.ts';

/** Longest time that ending tidily may take after a signal; containers and children are gone within 5 s. */
const LAST_MOMENT_MS = 60_000;

/**
 * An AbortSignal that the first SIGINT or SIGTERM aborts, with `Stopped` as its reason. A second signal changes nothing:
 * what is cleaned up then must not be interrupted.
 */
export function stopOnSignals(tell: (line: string) => void): AbortSignal {
  const controller = new AbortController();
  const stop = (name: StopSignal): void => {
    if (controller.signal.aborted) return;
    tell(
      `Got ${name}: ending the run in progress and cleaning up. What is finished is kept; --resume goes on with it.`,
    );
    const stopped = new Stopped(name);
    controller.abort(stopped);
    setTimeout(() => process.exit(stopped.exitCode), LAST_MOMENT_MS).unref();
  };
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('SIGTERM', () => stop('SIGTERM'));
  return controller.signal;
}
