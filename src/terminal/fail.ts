import { JoulediffError, Stopped } from '../errors.ts';

/** Exit code of something in joulediff that is broken. */
const BROKEN = 4;

/** Tells an error to the person at the terminal and gives the exit code. */
export function tellError(error: unknown, write: (text: string) => unknown): number {
  if (error instanceof Stopped) {
    write(`joulediff was ${error.message}.\n`);
    return error.exitCode;
  }
  if (error instanceof JoulediffError) {
    write(`${error.message}\n${error.advice === null ? '' : `${error.advice}\n`}`);
    return error.exitCode;
  }
  write(
    `Something in joulediff is broken; please report it.\n${error instanceof Error ? error.stack : String(error)}\n`,
  );
  return BROKEN;
}
