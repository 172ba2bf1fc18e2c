import { shellWord } from '../../text/shell.ts';
import type { Harness } from '../harness.ts';

/** A link to the built program in cargo's own folder, which repositories usually ignore. */
const BINARY = 'target/joulediff-criterion';

/**
 * Criterion.rs (https://bheisler.github.io/criterion.rs): targets of `cargo bench`. It has no option for a fixed number of iterations, so each
 * execution is a start of the built program that runs the benchmark once (`--test`).
 */
export const criterion: Harness = {
  name: 'criterion',
  target: 'the bench target of Cargo.toml',
  defaultTarget: null,
  needs: 'cargo, and Criterion in Cargo.toml with harness = false for the target',
  list: (target) => `cargo bench --quiet --bench ${shellWord(target)} -- --list`,
  namesIn: (output) => output.split('\n').flatMap((line) => /^(.+): benchmark$/.exec(line)?.[1] ?? []),
  prepare: (target) =>
    `mkdir -p target && cargo bench --quiet --no-run --message-format=json --bench ${shellWord(target)} > ${BINARY}.json && ` +
    `ln -sfn "$(sed -n 's/.*"executable":"\\([^"]*\\)".*/\\1/p' ${BINARY}.json | tail -n 1)" ${BINARY}`,
  cleanup: () => `rm -f ${BINARY} ${BINARY}.json`,
  run: (_, name) => `exec ${BINARY} --bench --test --exact ${shellWord(name)}`,
};
