import { shellWord } from '../../text/shell.ts';
import { exactly, type Harness, sumOfTimes } from '../harness.ts';

const program = (target: string): string => shellWord(target.includes('/') ? target : `./${target}`);

/** In the name of a benchmark that has its own number of iterations, and ignores any other: each of its executions is a start. */
const OWN = '/iterations:';

/** https://github.com/google/benchmark: a program that was linked with it. */
export const googleBenchmark: Harness = {
  name: 'google-benchmark',
  target: 'the program, such as build/bench',
  defaultTarget: null,
  needs: 'Google Benchmark 1.8 or newer: older ones take no number of iterations',
  // Older versions refuse this option here, before anything is measured.
  list: (target) => `${program(target)} --benchmark_min_time=1x --benchmark_list_tests`,
  namesIn: (output) => output.split('\n').filter((line) => line.trim() !== ''),
  run: (target, name) =>
    `exec ${program(target)} --benchmark_filter=${shellWord(exactly(name))} --benchmark_min_time=${name.includes(OWN) ? '1' : '{executions}'}x`,
  // Rows of an aggregate have the number of repetitions in the last column, and a name that says so. The expressions take no more than linear time.
  timeIn(output, executions) {
    const sum = sumOfTimes(
      output,
      /^(?!.*_(?:mean|median|stddev|cv)\s+[\d.e+-]+ )\S.*?(?<=\S)\s+(?<time>[\d.e+-]+) (?<unit>[num]?s)\s+[\d.e+-]+ [num]?s\s+\d+/gm,
    );
    const own = /^\S.*\/iterations:\d\S{0,99}\s+[\d.e+-]+ [num]?s\s+\S+ [num]?s\s+(\d+)/m.exec(output)?.[1];
    return sum === null || own === undefined ? sum : (sum * Number(own)) / executions;
  },
};
