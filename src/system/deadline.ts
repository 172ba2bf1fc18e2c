/**
 * The promise's outcome, or after `ms` milliseconds the value of `late()`, which may throw.
 * What the promise does after that is ignored: an operation on a vanished port never calls back.
 */
export function withDeadline<T>(promise: Promise<T>, ms: number, late: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    }, ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
