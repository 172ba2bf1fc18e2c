/** Something took longer than it may. */
export class LateError extends Error {}

/** How long is waited for something, milliseconds; once `stop` is aborted, `stopMs` from then on at most. */
export interface Patience {
  readonly ms: number;
  readonly stop: AbortSignal;
  readonly stopMs: number;
}

/**
 * The work's outcome, or after the deadline the value of `late()`, which may throw; without it, a LateError that tells the time.
 * Work that is given as a function gets a signal, aborted at the deadline: a request that is given up must not keep the process from ending.
 * What the work does after that is ignored: an operation on a vanished port never calls back.
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
