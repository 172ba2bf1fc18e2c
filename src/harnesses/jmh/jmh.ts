import { shellWord } from '../../text/shell.ts';
import { exactly, type Harness } from '../harness.ts';

/** https://github.com/openjdk/jmh: the self-contained archive of benchmarks. An execution is one call in single-shot mode, in the first process. */
export const jmh: Harness = {
  name: 'jmh',
  target: 'the archive, such as target/benchmarks.jar',
  defaultTarget: 'target/benchmarks.jar',
  list: (target) => `java -jar ${shellWord(target)} -l`,
  namesIn: (output) => output.split('\n').filter((line) => /^[\w$]+(?:\.[\w$]+)+$/.test(line)),
  prepare: () => null,
  run: (target, name) =>
    `exec java -jar ${shellWord(target)} ${shellWord(exactly(name))} -f 0 -wi 0 -i 1 -bm ss -bs {executions} -foe true -v SILENT`,
};
