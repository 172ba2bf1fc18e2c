import { readFileSync } from 'node:fs';

/** Bit number of this capability (include/uapi/linux/capability.h). */
const CAP_SYS_PTRACE = 19n;

/** Whether this process and its children may trace processes that they did not start (Documentation/admin-guide/LSM/Yama.rst). */
export function mayTrace(
  status = read('/proc/self/status'),
  scope = read('/proc/sys/kernel/yama/ptrace_scope'),
): boolean {
  // Without Yama this file does not exist.
  const level = Number(scope?.trim() ?? 0);
  if (level === 0) return true;
  return level < 3 && tracesOthers(status);
}

/** Whether this process may trace other users' processes. */
export function tracesOthers(status = read('/proc/self/status')): boolean {
  const bits = /^CapEff:\s*([0-9a-f]{1,16})$/m.exec(status ?? '')?.[1];
  return bits !== undefined && ((BigInt(`0x${bits}`) >> CAP_SYS_PTRACE) & 1n) === 1n;
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
