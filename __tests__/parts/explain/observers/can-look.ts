import { execFileSync } from 'node:child_process';
import { perfTree } from '../../../../src/processes/observed-group.ts';

/** Whether this machine lets anybody look. */
export const canLook = (): boolean => canCount('raw_syscalls:sys_enter') && perfTree() !== null;

/** Whether perf may count this on the whole machine. The kernel's folder of such events tells less: it may not be mounted before perf asks for one. */
export function canCount(event: string): boolean {
  try {
    execFileSync('perf', ['stat', '-a', '-e', event, '--', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
