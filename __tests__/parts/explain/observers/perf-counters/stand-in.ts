import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const TRACING = ['/sys/kernel/tracing', '/sys/kernel/debug/tracing'];

/** The number by which perf knows a tracepoint, as in `raw_syscalls/sys_enter`. */
function tracepoint(name: string): string {
  const folder = TRACING.find((path) => existsSync(`${path}/events/${name}/id`));
  return readFileSync(`${folder}/events/${name}/id`, 'latin1').trim();
}

/**
 * A stand-in for a processor with counters, which virtual machines as those that tests run on lack: a `perf` that is the real one in everything, but counts
 * a tracepoint where it is asked for a counter, under that counter's name and so in its own form of lines. Counters without one stay what they are here.
 * Puts it first on the PATH of this process.
 */
export function countersStandIn(folder: string, counters: Readonly<Record<string, string>>): void {
  const perf = execFileSync('sh', ['-c', 'command -v perf'], { encoding: 'utf8' }).trim();
  const words = Object.entries(counters).map(
    ([name, event]) => `-e 's|(^\\|,)${name}(,\\|$)|\\1tracepoint/config=${tracepoint(event)},name=${name}/\\2|'`,
  );
  const script = `#!/bin/sh
left=$#
before=
while [ $left -gt 0 ]; do
  word=$1
  shift
  [ "$before" = -e ] && word=$(printf %s "$word" | sed -E ${words.join(' ')})
  set -- "$@" "$word"
  before=$word
  left=$((left - 1))
done
exec ${perf} "$@"
`;
  writeFileSync(join(folder, 'perf'), script, { mode: 0o755 });
  process.env.PATH = `${folder}${delimiter}${process.env.PATH}`;
}
