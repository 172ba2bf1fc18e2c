// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { InputError } from '../../src/errors.ts';
import { exactly } from '../../src/harnesses/harness.ts';
import { harnesses } from '../../src/harnesses/registry.ts';

const of = (name: string) => harnesses.find((one) => one.name === name)!;

describe('harnesses, by what they print', () => {
  it.each([
    [
      'criterion',
      'parse: benchmark\nparse/big input: benchmark\n\n2 tests, 2 benchmarks\n',
      ['parse', 'parse/big input'],
    ],
    [
      'jmh',
      'Benchmarks: \norg.sample.Bench.measure\n  param "size" = {1, 8}\norg.sample.Bench$In.other\n  param "of" = {a,b, c}\n',
      ['org.sample.Bench.measure[size=1]', 'org.sample.Bench.measure[size=8]', 'org.sample.Bench$In.other'],
    ],
    [
      'hyperfine',
      '{"results":[{"command":"sort a"},{"command":"sort b | tail"},{"x":1}]}',
      ['sort a', 'sort b | tail'],
    ],
    ['hyperfine', 'no JSON', []],
    ['hyperfine', '{"results": 7}', []],
  ])('%s names its benchmarks', (name, output, names) => {
    expect(of(name).namesIn(output)).toEqual(names);
  });

  it('hyperfine refuses a command that stands for several benchmarks', () => {
    const results = ['1', '2'].map((n) => ({ command: './bench', parameters: { n } }));
    const list = () => of('hyperfine').namesIn(JSON.stringify({ results }));
    expect(list).toThrow('hyperfine exported the command "./bench" more than once');
    expect(list).toThrow(InputError);
  });

  it('jmh refuses parameters with more combinations than can be listed', () => {
    const parameter = (name: string) => `  param "${name}" = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}\n`;
    const list = () => of('jmh').namesIn(`Benchmarks: \no.B.m\n${[...'abcdefgh'].map(parameter).join('')}`);
    expect(list).toThrow('The parameters of o.B.m make too many benchmarks.');
    expect(list).toThrow(InputError);
  });

  // An expression that takes quadratic time would need hours for these.
  it.each([
    `a${' '.repeat(1e6)}`,
    `a${' '.repeat(1e6)}3 us${' '.repeat(1e6)}`,
    `a${'/iterations:1'.repeat(1e5)}${' '.repeat(1e6)}`,
  ])('google-benchmark finds no time in a very long line', (line) => {
    expect(of('google-benchmark').timeIn!(`${line}\nb   3 us   2 us   10\n`, 1)).toBe(3000);
  });

  it.each([
    [
      'go',
      'goos: linux\nBenchmarkA/x-2 \t     100\t      1234 ns/op\nBenchmarkA/y-2   100   66.5 ns/op   12 B/op\nPASS\n',
      1300.5,
    ],
    ['go', 'PASS\nok p 0.01s\n', null],
    [
      'google-benchmark',
      'T/repeats:2      20 us     41 us    756\nT/repeats:2      30 us   40 us   756\nT/repeats:2_mean  25 us  40 us  2\nT/repeats:2_cv  13.11 %   18.33 %   2\n',
      50_000,
    ],
    ['google-benchmark', 'a 3 us b/8      1.5e+03 ns     1400 ns      50000 items=3/s\n', 1500],
    // As many starts as executions, each of ten iterations.
    ['google-benchmark', `${'a/iterations:10/repeats:1   3 us   2 us   10 items=3/s\n'.repeat(100)}`, 30_000],
    ['google-benchmark', 'Run on (2 X 2300 MHz CPU s)\n', null],
    ['jmh', '# Threads: 1\nIteration   1: 50000.000 ns/op\nB.other ss 50000.000 ns/op\n', 500],
    ['jmh', 'Iteration   1: 50000.000 ±(99.9%) 12.5 ns/op\n', 500],
    ['jmh', '<failure>\n', null],
    ['pytest-benchmark', '1 passed\n::joulediff time 12.5\n', 12.5],
    ['vitest', '::joulediff time 0\n', null],
    ['vitest', '::joulediff time \n', null],
  ])('%s tells the time of an execution in %j', (name, output, ns) => {
    expect(of(name).timeIn!(output, 100)).toBe(ns);
  });

  it('select a benchmark by its whole name', () => {
    expect(exactly('a.b[1]|(c)')).toBe(String.raw`^a\.b\[1\]\|\(c\)$`);
    expect(of('jmh').run('b.jar', 'o.B.m')).toContain(String.raw`'^o\.B\.m$'`);
    expect(of('criterion').run('it', "a 'b'")).toContain(String.raw`--exact 'a '\''b'\'''`);
    expect(of('google-benchmark').list('/opt/b')).toContain(`'/opt/b' --benchmark_`);
  });
});
