import { shellWord } from '../../text/shell.ts';
import { exactly, type Harness, sumOfTimes } from '../harness.ts';

const BINARY = '.joulediff.test';

/** Lists one package at a time, so that each name contains its folder: `./parse.BenchmarkLines`. */
const LIST = `dirs=$(go list -f '{{.Dir}}' "$1") || exit
printf '%s\\n' "$dirs" | while IFS= read -r d; do
  case "$d" in "$PWD") r=.;; *) r="./\${d#"$PWD"/}";; esac
  names=$(cd "$d" && go test -run '^$' -list '^Benchmark' .) || exit
  printf '%s\\n' "$names" | sed -n "s|^\\(Benchmark.*\\)|$r.\\1|p"
done`;

/** Go exits with 0 even if a benchmark is skipped; one that ran prints a line with its name and tabs. */
const HAS_RUN = `code=$?; printf '%s\\n' "$out"; [ $code -eq 0 ] || exit $code
case "$out" in *Benchmark*"$(printf '\\t')"*) ;; *) echo "The benchmark was skipped." >&2; exit 1;; esac`;

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
  namesIn: (output) => output.split('\n').filter((line) => /^\..*\.Benchmark\S*$/.test(line)),
  prepare: (_, name) => `cd ${shellWord(partsOf(name).folder)} && go test -c -o ${BINARY} .`,
  cleanup: (_, name) => `rm -f ${shellWord(`${partsOf(name).folder}/${BINARY}`)}`,
  run(_, name) {
    const { folder, benchmark } = partsOf(name);
    const bench = shellWord(exactly(benchmark));
    const words = `-test.run '^$' -test.bench ${bench} -test.benchtime {executions}x`;
    return `cd ${shellWord(folder)} && out=$(./${BINARY} ${words} 2>&1); ${HAS_RUN}`;
  },
  timeIn: (output) => sumOfTimes(output, /^Benchmark\S*\s+\d+\s+(?<time>[\d.]+) (?<unit>ns)\/op/gm),
};
