// Class: system.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exactly } from '../../src/harnesses/harness.ts';
import { harnesses } from '../../src/harnesses/registry.ts';

// Each harness as it is installed here; what isn't is skipped by its name. `npm run test:all` has pytest and Go.

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-harness-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const shell = (command: string) => spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
const works = (command: string): boolean => spawnSync('sh', ['-c', command]).status === 0;
const of = (name: string) => harnesses.find((one) => one.name === name)!;

/** The names that a harness lists, and what a run of one of them with so many executions ended with. */
function listed(name: string, target: string): readonly string[] {
  const { status, stdout, stderr } = shell(of(name).list(target));
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  return of(name).namesIn(stdout);
}

function run(name: string, target: string, benchmark: string, executions: number) {
  const prepared = shell(of(name).prepare(target, benchmark) ?? ':');
  expect(prepared.status).toBe(0);
  return shell(of(name).run(target, benchmark).replaceAll('{executions}', String(executions)));
}

const PYTHON = `
import pytest, os
def work(): open("calls", "a").write("x")
def test_one(benchmark): benchmark(work)
@pytest.mark.parametrize("n", ["a-1", "b c"])
def test_many(benchmark, n): benchmark.pedantic(work, rounds=7)
def test_plain(): assert True
def test_broken(benchmark): raise ValueError("no")
`;

(works('python3 -c "import pytest"') ? describe : describe.skip)('pytest-benchmark (Python with pytest)', () => {
  beforeAll(() => write('tests/test_speed.py', PYTHON));

  it('lists what takes its fixture, with its parameters', () => {
    expect(listed('pytest-benchmark', 'tests')).toEqual([
      'tests/test_speed.py::test_one',
      'tests/test_speed.py::test_many[a-1]',
      'tests/test_speed.py::test_many[b c]',
      'tests/test_speed.py::test_broken',
    ]);
  });

  it.each(['test_one', 'test_many[b c]'])('runs %s as often as it is told, without calibration', (name) => {
    rmSync(join(folder, 'calls'), { force: true });
    expect(run('pytest-benchmark', 'tests', `tests/test_speed.py::${name}`, 23).status).toBe(0);
    expect(shell('cat calls').stdout).toHaveLength(23);
  });

  it('fails where the benchmark does', () => {
    expect(run('pytest-benchmark', 'tests', 'tests/test_speed.py::test_broken', 1).status).toBe(1);
  });
});

(works('go version') ? describe : describe.skip)('go (Go)', () => {
  beforeAll(() => {
    write('go.mod', 'module example.com/h\ngo 1.18\n');
    write(
      'parse/parse_test.go',
      [
        'package parse',
        'import ("os"; "testing")',
        'func BenchmarkOne(b *testing.B) { for i := 0; i < b.N; i++ { f, _ := os.OpenFile("calls", 1089, 0644); f.WriteString("x"); f.Close() } }',
        'func BenchmarkOneMore(b *testing.B) {}',
        'func TestX(t *testing.T) {}',
      ].join('\n'),
    );
  });

  it('lists the benchmarks of every package, and runs one of them alone, as often as it is told', () => {
    const names = listed('go', './...');
    expect(names).toEqual(['./parse.BenchmarkOne', './parse.BenchmarkOneMore']);
    expect(run('go', './...', names[0]!, 23).status).toBe(0);
    expect(shell('cat parse/calls').stdout).toMatch(/^x{23,24}$/);
  }, 300_000);
});

const BENCHMARK = `#include <benchmark/benchmark.h>
#include <cstdio>
static void One(benchmark::State& s) { for (auto _ : s) { FILE* f = fopen("calls", "a"); fputs("x", f); fclose(f); } }
BENCHMARK(One); BENCHMARK(One)->Name("One/more<int>")->Arg(8);
BENCHMARK_MAIN();
`;
const hasGoogle = works('echo "#include <benchmark/benchmark.h>" | g++ -E -x c++ - > /dev/null 2>&1');
(hasGoogle ? describe : describe.skip)('google-benchmark (libbenchmark-dev)', () => {
  it('lists the benchmarks of a program, and runs one of them alone, as often as it is told', () => {
    write('bench.cpp', BENCHMARK);
    expect(shell('g++ -o bench bench.cpp -lbenchmark -lpthread').status).toBe(0);
    const names = listed('google-benchmark', 'bench');
    expect(names).toEqual(['One', 'One/more<int>/8']);
    rmSync(join(folder, 'calls'), { force: true });
    expect(run('google-benchmark', 'bench', names[1]!, 23).status).toBe(0);
    expect(shell('cat calls').stdout).toHaveLength(23);
  }, 300_000);
});

describe('the others, by what they print', () => {
  it.each([
    [
      'criterion',
      'parse: benchmark\nparse/big input: benchmark\n\n2 tests, 2 benchmarks\n',
      ['parse', 'parse/big input'],
    ],
    [
      'jmh',
      'Benchmarks: \norg.sample.Bench.measure\norg.sample.Bench$In.other\n',
      ['org.sample.Bench.measure', 'org.sample.Bench$In.other'],
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

  it('select a benchmark by its whole name', () => {
    expect(exactly('a.b[1]|(c)')).toBe(String.raw`^a\.b\[1\]\|\(c\)$`);
    expect(of('jmh').run('b.jar', 'o.B.m')).toContain(String.raw`'^o\.B\.m$'`);
    expect(of('criterion').run('it', "a 'b'")).toContain(String.raw`--exact 'a '\''b'\'''`);
    expect(of('google-benchmark').list('/opt/b')).toBe(`'/opt/b' --benchmark_list_tests`);
  });
});
