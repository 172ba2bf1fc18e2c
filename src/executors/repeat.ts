import type { Execution } from '../contracts/execution.ts';
import type { Command } from '../contracts/variant.ts';
import type { RunHooks } from './executor.ts';
import { isGood } from './failures.ts';

/** The program and its arguments that a command stands for. */
export function argvOf(command: Command): readonly string[] {
  return typeof command === 'string' ? ['sh', '-c', command] : command;
}

/** Shell loop that executes a program. `exec` makes sure that it is no built-in of the shell; the first failure ends the loop, with its exit code. */
const LOOP = 'n=$1; shift; while [ "$n" -gt 0 ]; do n=$((n - 1)); (exec "$@") || exit; done';

/** Placeholder in a command for the number of executions: such a command is started once, and repeats itself. */
const OWN_LOOP = '{executions}';

export const loopsItself = (command: Command): boolean =>
  (typeof command === 'string' ? [command] : command).some((word) => word.includes(OWN_LOOP));

/** How often a window starts a command. The time limit of a command holds for each start. */
export const startsOf = (command: Command, executions: number): number => (loopsItself(command) ? 1 : executions);

/**
 * A command that executes a program so many times in one start. All places use the same small shell loop, so that its cost is the same everywhere:
 * two milliseconds per execution on the machine where it was measured. A single execution is the program itself.
 */
export function repeated(argv: readonly string[], executions: number): readonly string[] {
  if (loopsItself(argv)) return argv.map((word) => word.replaceAll(OWN_LOOP, String(executions)));
  return executions === 1 ? argv : ['sh', '-c', LOOP, 'sh', String(executions), ...argv];
}

/**
 * Starts something so many times, one after the other, in one window: from the first start to the last end. Ends with the first execution that is not
 * good, and gives that one's outcome.
 */
export async function repeatInWindow<T extends Execution>(
  starts: number,
  hooks: RunHooks,
  startOnce: (hooks: RunHooks) => Promise<T>,
): Promise<T> {
  let startNs: bigint | null = null;
  let startUpS: number | null = null;
  for (let i = 1; ; i++) {
    const execution = await startOnce({
      onEdge(edge) {
        if (edge === 'start' ? i === 1 : i === starts) hooks.onEdge(edge);
      },
    });
    startNs ??= execution.startNs;
    if (execution.startUpS !== null) startUpS = (startUpS ?? 0) + execution.startUpS;
    if (i === starts) return { ...execution, startNs, startUpS };
    if (isGood(execution)) continue;
    hooks.onEdge('end');
    return { ...execution, startNs, startUpS };
  }
}
