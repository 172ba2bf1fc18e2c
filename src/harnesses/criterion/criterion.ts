import { shellWord } from '../../text/shell.ts';
import type { Harness } from '../harness.ts';

/**
 * Criterion.rs (https://bheisler.github.io/criterion.rs): targets of `cargo bench`. It has no option for a fixed number of iterations, so each execution is a start
 * that runs the benchmark once (`--test`).
 */
export const criterion: Harness = {
  name: 'criterion',
  target: 'the bench target of Cargo.toml',
  defaultTarget: null,
  list: (target) => `cargo bench --quiet --bench ${shellWord(target)} -- --list`,
  namesIn: (output) => output.split('\n').flatMap((line) => /^(.+): benchmark$/.exec(line)?.[1] ?? []),
  prepare: (target) => `cargo bench --quiet --no-run --bench ${shellWord(target)}`,
  run: (target, name) =>
    `exec cargo bench --quiet --offline --bench ${shellWord(target)} -- --test --exact ${shellWord(name)}`,
};
