// Builds that go on beside the tests.
import { run } from '../../runner-setup/command.mjs';

/**
 * Runs a command with the time that nothing else wants: `chrt --idle` gives it up to any process of the same session, the lowest autogroup to those
 * of other sessions, which the scheduler weighs as wholes where it groups by session. So neither a meter's reading nor a test that computes
 * waits for a compiler. Options and errors are those of `run`.
 */
export const runBeside = (words, options) =>
  run('sh', ['-c', 'echo 19 > /proc/self/autogroup; exec chrt --idle 0 "$@"', 'sh', ...words], options);
