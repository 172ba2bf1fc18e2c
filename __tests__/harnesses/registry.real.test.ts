// Class: world.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loopsItself } from '../../src/executors/repeat.ts';
import { harnesses } from '../../src/harnesses/registry.ts';

// Each harness as its registry gives it. A benchmark leaves a mark in the file `calls` each time that it is called. What isn't there is skipped by
// its name.

const made: Readonly<Record<string, string>> = JSON.parse(process.env.JOULEDIFF_TEST_HARNESSES || '{}');

let own: string;
beforeAll(() => {
  own = mkdtempSync(join(tmpdir(), 'joulediff-harness-'));
});
afterAll(() => rmSync(own, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(own, path)), { recursive: true });
  writeFileSync(join(own, path), text);
}

const works = (command: string): boolean => spawnSync('sh', ['-c', command]).status === 0;

/** What a harness does in a folder. */
function harnessIn(name: string, folder: () => string) {
  const harness = harnesses.find((one) => one.name === name)!;
  const env = { ...process.env, NODE_OPTIONS: '', ...(made.python && { PYTHONPATH: made.python }) };
  const shell = (command: string) => spawnSync('sh', ['-c', command], { cwd: folder(), encoding: 'utf8', env });
  return {
    harness,
    list(target: string): readonly string[] {
      const { status, stdout, stderr } = shell(harness.list(target));
      expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
      return harness.namesIn(stdout);
    },
    run(target: string, benchmark: string, executions: number, calls = 'calls') {
      shell(`rm -f ${calls}`);
      expect(shell(harness.prepare?.(target, benchmark) ?? ':').status).toBe(0);
      const { status, stdout, stderr } = shell(
        harness.run(target, benchmark).replaceAll('{executions}', String(executions)),
      );
      const left = shell(harness.cleanup?.(target, benchmark) ?? ':').status;
      const marks = shell(`cat ${calls} 2> /dev/null`).stdout;
      return { status, left, marks, stderr, timeNs: harness.timeIn?.(stdout, executions) ?? null };
    },
  };
}

/** A call takes a system call or three, however slow the machine is. */
function expectTime(timeNs: number | null): void {
  expect(timeNs).toBeGreaterThan(1_000);
  expect(timeNs).toBeLessThan(50_000_000);
}

const PYTEST = `
import pytest, os
def work():
    with open("calls", "a") as calls: calls.write("x")
def test_one(benchmark): benchmark(work)
@pytest.mark.parametrize("n", ["a-1", "b c"])
def test_many(benchmark, n): benchmark.pedantic(work, rounds=7)
def test_plain(): assert True
def test_broken(benchmark): raise ValueError("no")
@pytest.mark.skip
def test_skipped(benchmark): benchmark(work)
`;

const GUARDED = `
import os
def work(mark="x"): open("calls", "a").write(mark)
def test_guarded(benchmark):
    if benchmark.enabled: benchmark.pedantic(work, args=("x",), teardown=lambda mark: work("(" + mark + ")"), rounds=2)
    if benchmark.stats: assert benchmark.stats["mean"] < 1
`;

(works('python3 -c "import pytest"') ? describe : describe.skip)('pytest-benchmark', () => {
  beforeEach(() => write('tests/test_speed.py', PYTEST));
  const { list, run } = harnessIn('pytest-benchmark', () => own);

  it('lists what takes its fixture, with its parameters', () => {
    expect(list('tests')).toEqual([
      'tests/test_speed.py::test_one',
      'tests/test_speed.py::test_many[a-1]',
      'tests/test_speed.py::test_many[b c]',
      'tests/test_speed.py::test_broken',
      'tests/test_speed.py::test_skipped',
    ]);
  });

  it('names them from its folder, wherever the project begins', () => {
    write('project/pyproject.toml', '[tool.pytest.ini_options]\n');
    write('project/part/speed/test_speed.py', PYTEST);
    const part = harnessIn('pytest-benchmark', () => join(own, 'project/part'));
    const [first = ''] = part.list('speed');
    expect(first).toBe('speed/test_speed.py::test_one');
    expect(part.run('speed', first, 5)).toMatchObject({ status: 0, marks: 'xxxxx' });
  });

  it.each(['test_one', 'test_many[b c]'])('runs %s as often as it is told, without calibration', (name) => {
    const { status, marks, timeNs } = run('tests', `tests/test_speed.py::${name}`, 23);
    expect([status, marks]).toEqual([0, 'x'.repeat(23)]);
    expectTime(timeNs);
  });

  it('runs tests that read no statistics, and those with a teardown', () => {
    write('tests/test_guarded.py', GUARDED);
    expect(run('tests', 'tests/test_guarded.py::test_guarded', 3)).toMatchObject({ status: 0, marks: 'x(x)x(x)x(x)' });
  });

  (works(`${made.python ? `PYTHONPATH='${made.python}' ` : ''}python3 -c "import pytest_benchmark"`) ? it : it.skip)(
    'runs in a project that is strict about the plugin, and has hooks for it',
    () => {
      write('strict/conftest.py', 'def pytest_benchmark_update_machine_info(config, machine_info): pass\n');
      write(
        'strict/pytest.ini',
        '[pytest]\nfilterwarnings = error\nrequired_plugins = pytest-benchmark\naddopts = --strict-markers --benchmark-only\n',
      );
      write('strict/test_speed.py', PYTEST.replace('def test_one', '@pytest.mark.benchmark(group="g")\ndef test_one'));
      const strict = harnessIn('pytest-benchmark', () => join(own, 'strict'));
      const [first = ''] = strict.list('.');
      expect(strict.run('.', first, 3)).toMatchObject({ status: 0, marks: 'xxx' });
    },
  );

  it('fails where the benchmark does, and where it runs nothing', () => {
    expect(run('tests', 'tests/test_speed.py::test_broken', 1)).toMatchObject({ status: 1, timeNs: null });
    expect(run('tests', 'tests/test_speed.py::test_skipped', 1)).toMatchObject({ status: 1, timeNs: null });
  });
});

const GO = `package parse
import ("os"; "testing")
func BenchmarkOne(b *testing.B) {
  for i := 0; i < b.N; i++ { f, _ := os.OpenFile("calls", 1089, 0644); f.WriteString("x"); f.Close() }
}
func BenchmarkOneMore(b *testing.B) {}
func BenchmarkSkipped(b *testing.B) { b.Skip("not here 7") }
func TestX(t *testing.T) {}
`;

(works('go version') ? describe : describe.skip)('go', () => {
  const { harness, list, run } = harnessIn('go', () => join(own, 'a module'));

  it('lists the benchmarks of every package, and runs one of them alone, as often as it is told', () => {
    write('a module/go.mod', 'module example.com/h\ngo 1.18\n');
    write('a module/parse/parse_test.go', GO);
    const names = list('./...');
    expect(names).toEqual(['./parse.BenchmarkOne', './parse.BenchmarkOneMore', './parse.BenchmarkSkipped']);
    const { status, left, marks, timeNs } = run('./...', names[0]!, 23, 'parse/calls');
    expect([status, left]).toEqual([0, 0]);
    // Go begins with a call of its own.
    expect(marks).toMatch(/^x{23,24}$/);
    expectTime(timeNs);
    expect(spawnSync('ls', ['-A', join(own, 'a module/parse')], { encoding: 'utf8' }).stdout).toBe(
      'calls\nparse_test.go\n',
    );
    expect(run('./...', './parse.BenchmarkSkipped', 1)).toMatchObject({ status: 1, timeNs: null });
    write('a module/broken/broken_test.go', 'package broken\nfunc BenchmarkX(');
    const broken = spawnSync('sh', ['-c', harness.list('./...')], {
      cwd: join(own, 'a module'),
      encoding: 'utf8',
    });
    expect([broken.status !== 0, broken.stderr]).toEqual([true, expect.stringContaining('broken_test.go')]);
  }, 300_000);
});

// Of the real library; its benchmarks are in Python here.
const GOOGLE = `#!/usr/bin/env python3
import google_benchmark as benchmark
def mark():
    with open("calls", "a") as calls: calls.write("x")
@benchmark.register(name="One")
def one(state):
    while state: mark()
@benchmark.register(name="One/more <int>")
@benchmark.option.unit(benchmark.kMillisecond)
@benchmark.option.arg(8)
@benchmark.option.repetitions(2)
def more(state):
    while state: mark()
@benchmark.register(name="Own")
@benchmark.option.iterations(20)
def own(state):
    while state: mark()
benchmark.main()
`;

(made.python ? describe : describe.skip)('google-benchmark', () => {
  const { harness, list, run } = harnessIn('google-benchmark', () => own);

  it('lists the benchmarks of a program, and runs one of them alone, as often as it is told', () => {
    write('bench.py', GOOGLE);
    chmodSync(join(own, 'bench.py'), 0o755);
    expect(list('bench.py')).toEqual(['One', 'One/more <int>/8/repeats:2', 'Own/iterations:20']);
    const one = run('bench.py', 'One', 2000);
    expect([one.status, one.marks.length]).toEqual([0, 2000]);
    expectTime(one.timeNs);
    const more = run('bench.py', 'One/more <int>/8/repeats:2', 2000);
    expect([more.status, more.marks.length]).toEqual([0, 4000]);
    // The times of both repetitions, and none of the lines about them.
    expect(more.timeNs! / one.timeNs!).toBeGreaterThan(0.4);
    expect(more.timeNs! / one.timeNs!).toBeLessThan(100);
    // It does its own number of iterations, whatever it is told, so it has to be started for each execution.
    expect(loopsItself(harness.run('bench.py', 'Own/iterations:20'))).toBe(false);
    expect(run('bench.py', 'Own/iterations:20', 1)).toMatchObject({ status: 0, marks: 'x'.repeat(20) });
  });
});

(made.jmh ? describe : describe.skip)('jmh', () => {
  const { list, run } = harnessIn('jmh', () => made.jmh!);

  it('lists the benchmarks of an archive, each with its parameters', () => {
    expect(list('calls.jar')).toEqual([
      'sample.Calls.Sized.many[size=1,kind=a]',
      'sample.Calls.Sized.many[size=1,kind=b c]',
      'sample.Calls.Sized.many[size=8,kind=a]',
      'sample.Calls.Sized.many[size=8,kind=b c]',
      'sample.Calls.broken',
      'sample.Calls.one',
    ]);
  });

  it('runs one of them alone, as often as it is told', () => {
    const one = run('calls.jar', 'sample.Calls.one', 23);
    expect([one.status, one.marks]).toEqual([0, 'x'.repeat(23)]);
    expectTime(one.timeNs);
    const many = run('calls.jar', 'sample.Calls.Sized.many[size=8,kind=b c]', 3);
    expect([many.status, many.marks]).toEqual([0, 'b8 b8 b8 ']);
  }, 60_000);

  it('fails where the benchmark does', () => {
    expect(run('calls.jar', 'sample.Calls.broken', 1)).toMatchObject({ status: 1, timeNs: null });
  }, 60_000);
});

(made.criterion ? describe : describe.skip)('criterion', () => {
  const { list, run } = harnessIn('criterion', () => made.criterion!);

  it('lists the benchmarks of a target, and runs one of them once', () => {
    const names = list('calls');
    expect(names).toEqual(['one', "one more 'of' them", 'group/big/8']);
    for (const name of names) expect(run('calls', name, 1)).toMatchObject({ status: 0, left: 0, marks: 'x' });
    expect(spawnSync('ls', [join(made.criterion!, 'target')], { encoding: 'utf8' }).stdout).not.toContain('joulediff');
  }, 120_000);
});

(made.vitest ? describe : describe.skip)('vitest', () => {
  const { list, run } = harnessIn('vitest', () => made.vitest!);

  it('lists the benchmarks of every test', () => {
    expect(list('.')).toEqual([
      'calls.bench.js > marks > one (1) [a-1] > one',
      'calls.bench.js > marks > compared > late',
      'calls.bench.js > marks > compared > with hooks',
      'calls.bench.js > broken > broken',
    ]);
  }, 60_000);

  it('runs one of them alone, as often as it is told, whatever its test expects of the others', () => {
    const one = run('.', 'calls.bench.js > marks > one (1) [a-1] > one', 23);
    expect([one.status, one.marks]).toEqual([0, 'x'.repeat(23)]);
    expectTime(one.timeNs);
    expect(run('.', 'calls.bench.js > marks > compared > late', 3)).toMatchObject({ status: 0, marks: 'lll' });
    expect(run('.', 'calls.bench.js > marks > compared > with hooks', 2)).toMatchObject({ status: 0, marks: '(h)(h)' });
  }, 60_000);

  it('fails where the benchmark does, and where there is none', () => {
    const broken = run('.', 'calls.bench.js > broken > broken', 1);
    expect(broken).toMatchObject({ status: 1, timeNs: null });
    expect(broken.stderr).toContain('Error: no');
    expect(run('.', 'calls.bench.js > marks > gone > gone', 1)).toMatchObject({ status: 1, timeNs: null });
  }, 60_000);

  it('says that Vitest is too old, or not there', () => {
    const old = harnessIn('vitest', () => own);
    expect(old.run('.', 'a.bench.js > a > a', 1).stderr).toContain(
      'Vitest 5 or newer is needed here, and none was found.',
    );
    for (const [path, text] of [
      ['package.json', '{"name":"vitest","type":"module","exports":{"./node":"./node.js"}}'],
      ['node.js', 'export const version = "4.1.0";'],
    ] as const) {
      write(`node_modules/vitest/${path}`, text);
    }
    expect(old.run('.', 'a.bench.js > a > a', 1).stderr).toContain('and 4.1.0 was found.');
  }, 60_000);
});

it('every harness is tried with the real one, or is a list that somebody has already', () => {
  const tried = [...readFileSync(import.meta.filename, 'utf8').matchAll(/harnessIn\('([\w-]+)'/g)].map(
    ([, name]) => name,
  );
  expect([...new Set(tried), 'hyperfine'].toSorted()).toEqual(harnesses.map(({ name }) => name).toSorted());
});
