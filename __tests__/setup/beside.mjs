// Builds that go on beside the tests.
import { run } from '../../runner-setup/command.mjs';

/** For /proc/PID/autogroup and a program that starts others. Between sessions the scheduler weighs the first, within one the second. */
const PRIORITIES = {
  /** With the time that nothing else wants: neither a meter's reading nor a test that computes waits for it. */
  idle: ['19', 'chrt', '--idle', '0'],
  /** As the tests that only compute: what waits for a processor comes first, but not to the exclusion of all else. */
  low: ['10', 'nice', '-n', '10'],
};

/** Runs a command with little of a busy machine. Options and errors are those of `run`. */
export const runBeside = (priority, words, options) =>
  run(
    'sh',
    ['-c', 'echo "$1" > /proc/self/autogroup; shift; exec "$@"', 'sh', ...PRIORITIES[priority], ...words],
    options,
  );
