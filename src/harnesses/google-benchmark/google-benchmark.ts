import { shellWord } from '../../text/shell.ts';
import { exactly, type Harness } from '../harness.ts';

const program = (target: string): string => shellWord(target.includes('/') ? target : `./${target}`);

/** https://github.com/google/benchmark: a program that was linked with it. */
export const googleBenchmark: Harness = {
  name: 'google-benchmark',
  target: 'the program, such as build/bench',
  defaultTarget: null,
  list: (target) => `${program(target)} --benchmark_list_tests`,
  namesIn: (output) => output.split('\n').filter((line) => line.trim() !== ''),
  prepare: () => null,
  run: (target, name) =>
    `exec ${program(target)} --benchmark_filter=${shellWord(exactly(name))} --benchmark_min_time={executions}x`,
};
