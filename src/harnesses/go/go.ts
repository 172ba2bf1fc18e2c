import { shellWord } from '../../text/shell.ts';
import { exactly, type Harness, sumOfTimes } from '../harness.ts';

const BINARY = '.joulediff.test';

/** Package by package, so that a name tells its folder: `./parse.BenchmarkLines`. */
const LIST = `for d in $(go list -f '{{.Dir}}' "$1"); do
  case "$d" in "$PWD") r=.;; *) r="./\${d#"$PWD"/}";; esac
  (cd "$d" && go test -run '^$' -list '^Benchmark' .) | sed -n "s|^\\(Benchmark.*\\)|$r.\\1|p" || exit
done`;

const partsOf = (name: string): { readonly folder: string; readonly benchmark: string } => {
  const at = name.lastIndexOf('.Benchmark');
  return { folder: name.slice(0, at), benchmark: name.slice(at + 1) };
};

/** `go test -bench` (https://pkg.go.dev/testing): functions named Benchmark…; those that they start with b.Run belong to them. */
export const go: Harness = {
  name: 'go',
  target: 'packages, such as ./...',
  defaultTarget: './...',
  needs: 'Go',
  list: (target) => `set -- ${shellWord(target)}; ${LIST}`,
  namesIn: (output) => output.split('\n').filter((line) => /^\S*\.Benchmark\S*$/.test(line)),
  prepare: (_, name) => `cd ${shellWord(partsOf(name).folder)} && go test -c -o ${BINARY} .`,
  cleanup: (_, name) => `rm -f ${shellWord(`${partsOf(name).folder}/${BINARY}`)}`,
  run(_, name) {
    const { folder, benchmark } = partsOf(name);
    const bench = shellWord(exactly(benchmark));
    return `cd ${shellWord(folder)} && exec ./${BINARY} -test.run '^$' -test.bench ${bench} -test.benchtime {executions}x`;
  },
  timeIn: (output) => sumOfTimes(output, /^Benchmark\S*\s+\d+\s+(?<time>[\d.]+) (?<unit>ns)\/op/gm),
};
