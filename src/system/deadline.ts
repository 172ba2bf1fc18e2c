/** Error of an operation that exceeded its deadline. */
export class LateError extends Error {}

/** Deadline of an operation, milliseconds; after `stop` is aborted, at most another `stopMs`. */
export interface Patience {
  readonly ms: number;
  readonly stop: AbortSignal;
  readonly stopMs: number;
}

/**
 * The result of `work`, or at the deadline the value of `late()`, which may throw; without `late`, a LateError that gives the time.
 * Work that is a function gets a signal, aborted at the deadline: an abandoned request must not keep the process from ending.
 * A later result of the work is ignored, because an operation on a vanished port never calls back.
 */
export async function withDeadline<T>(
  work: Promise<T> | ((signal: AbortSignal) => Promise<T>),
  limit: number | Patience,
  late?: () => T,
): Promise<T> {
  const { ms, stop, stopMs } = typeof limit === 'number' ? { ms: limit, stop: null, stopMs: 0 } : limit;
  const { promise: end, resolve, reject } = Promise.withResolvers<T>();
  const given = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const endAfter = (afterMs: number) => {
    const expire = () => {
      try {
        if (late === undefined) reject(new LateError(`no answer within ${afterMs / 1000} s`));
        else resolve(late());
      } catch (error) {
        reject(error);
      }
      given.abort();
    };
    timers.push(setTimeout(expire, afterMs));
  };
  const hurry = () => endAfter(stopMs);
  endAfter(ms);
  if (stop?.aborted) hurry();
  stop?.addEventListener('abort', hurry, { once: true });
  try {
    return await Promise.race([typeof work === 'function' ? work(given.signal) : work, end]);
  } finally {
    stop?.removeEventListener('abort', hurry);
    for (const timer of timers) clearTimeout(timer);
  }
}
