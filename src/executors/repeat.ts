import type { Execution } from '../contracts/execution.ts';
import type { Command } from '../contracts/variant.ts';
import type { RunHooks } from './executor.ts';
import { isGood } from './failures.ts';

/** The program and its arguments that a command stands for. */
export function argvOf(command: Command): readonly string[] {
  return typeof command === 'string' ? ['sh', '-c', command] : command;
}

/** `exec` so that it is the program, and not what the shell has of the same name; ends with the first execution that fails, as it came out. */
const LOOP = 'n=$1; shift; while [ "$n" -gt 0 ]; do n=$((n - 1)); (exec "$@") || exit; done';

/** Stands in a command for the number of its executions: such a command is started once, and repeats itself. */
const OWN_LOOP = '{executions}';

export const loopsItself = (command: Command): boolean =>
  (typeof command === 'string' ? [command] : command).some((word) => word.includes(OWN_LOOP));

/** How often a window starts a command. The time limit of a command holds for each start. */
export const startsOf = (command: Command, executions: number): number => (loopsItself(command) ? 1 : executions);

/**
 * What executes a program so many times in one start, one after the other: the same small shell loop in every place, so that all of them pay the
 * same for it, two milliseconds an execution on the machine that it was measured on. A single execution is the program itself.
 */
export function repeated(argv: readonly string[], executions: number): readonly string[] {
  if (loopsItself(argv)) return argv.map((word) => word.replaceAll(OWN_LOOP, String(executions)));
  return executions === 1 ? argv : ['sh', '-c', LOOP, 'sh', String(executions), ...argv];
}

/**
 * Starts so many times, one after the other, inside one window: from the first start to the last end. Ends with the first execution
 * that is not good, as it came out.
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
