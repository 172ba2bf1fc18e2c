import type { Execution, RunHooks } from './executor.ts';
import { isGood } from './failures.ts';

/**
 * Executes so many times, one after the other, inside one window: from the first start to the last end. Ends with the first execution
 * that is not good, as it came out.
 */
export async function repeatInWindow<T extends Execution>(
  times: number,
  hooks: RunHooks,
  executeOnce: (hooks: RunHooks) => Promise<T>,
): Promise<T> {
  let startNs: bigint | null = null;
  for (let i = 1; ; i++) {
    const execution = await executeOnce({
      onEdge(edge) {
        if (edge === 'start' ? i === 1 : i === times) hooks.onEdge(edge);
      },
    });
    startNs ??= execution.startNs;
    if (i === times) return { ...execution, startNs };
    if (isGood(execution)) continue;
    hooks.onEdge('end');
    return { ...execution, startNs };
  }
}
