import { shellWord } from '../../text/shell.ts';
import type { Harness } from '../harness.ts';

/** Benchmarks are the commands in a result that hyperfine exported (`--export-json`). A benchmark's name is its command. */
export const hyperfine: Harness = {
  name: 'hyperfine',
  target: 'a file of --export-json',
  defaultTarget: null,
  needs: 'a file that hyperfine --export-json wrote',
  list: (target) => `cat ${shellWord(target)}`,
  namesIn(output) {
    try {
      const { results } = JSON.parse(output) as { results?: readonly { command?: unknown }[] };
      return (results ?? []).flatMap(({ command }) => (typeof command === 'string' ? [command] : []));
    } catch {
      return [];
    }
  },
  run: (_, name) => name,
};
