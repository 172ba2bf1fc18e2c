import { execFileSync } from 'node:child_process';
import { perfTree } from '../../src/observers/group.ts';

/** Whether this machine lets anybody look. */
export function canLook(): boolean {
  try {
    execFileSync('perf', ['stat', '-a', '-e', 'raw_syscalls:sys_enter', '--', 'true'], { stdio: 'ignore' });
    return perfTree() !== null;
  } catch {
    return false;
  }
}
