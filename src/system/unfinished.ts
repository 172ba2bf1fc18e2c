/**
 * Node.js ends with success once nothing is left to wait for, even where a promise that everything hangs on was never settled. Until the function that
 * this gives is called, such an end calls `tell` (which can write, but wait for nothing) and has `exitCode` in the place of 0.
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

/** For people; a cause can't be known. */
export const UNFINISHED = 'joulediff ended before it was done, since what it waited for can no longer happen.';
