/**
 * Reports an unsettled promise at the end of the process. Node.js exits with 0 when nothing is left to wait for, even while a promise is pending.
 * Until the returned function is called, that exit calls `tell` (which must be synchronous) and uses `exitCode` instead of 0.
 */
export function expectEnd(exitCode: number, tell: () => void): () => void {
  const onExit = (code: number): void => {
    if (code !== 0) return;
    process.exitCode = exitCode;
    tell();
  };
  process.once('exit', onExit);
  return () => process.off('exit', onExit);
}

/** Message for the user; the cause can't be known. */
export const UNFINISHED = 'joulediff ended before it was done, since what it waited for can no longer happen.';
