import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The real perf for functions alone, as on a machine whose tracepoints nobody may read: a kernel takes seconds to switch those on and off around each run.
 * `folder` is made. Gives the PATH that finds it.
 */
export function perfForFunctions(folder: string): string {
  const real = execFileSync('sh', ['-c', 'command -v perf || echo false'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh
case " $* " in *" stat "* | *sched:* | *syscalls:* | *block:* | *sock:*) exit 1 ;; esac
exec ${real} "$@"
`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'perf'), script, { mode: 0o755 });
  return `${folder}${delimiter}${process.env.PATH}`;
}
