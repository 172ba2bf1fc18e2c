// Class: unit.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { InputError } from '../../src/errors.ts';
import { budgeted, isLike, type Listing, listedBenchmark, namesIn, pairsOf } from '../../src/experiment/suite.ts';
import { parse, refusal } from './support.ts';

const suite = (text: string, more = '') =>
  parse(`suite: ${text}\nvariants: { head: { env: { A: b } }, base: {} }\nbaseline: base\n${more}`);

describe('a suite', () => {
  it('is every benchmark with each variant, the baseline first', () => {
    const {
      variants,
      baseline,
      suite: found,
      batch,
      batchWindowS,
    } = suite('{ sort: sort file, 10: { run: ./ten, env: { C: d } } }');
    expect(variants.map(({ name, workload: { run, env } }) => [name, run, env])).toEqual([
      ['sort/base', 'sort file', {}],
      ['sort/head', 'sort file', { A: 'b' }],
      ['10/base', './ten', { C: 'd' }],
      ['10/head', './ten', { A: 'b', C: 'd' }],
    ]);
    expect({ baseline, batch, batchWindowS }).toEqual({ baseline: 'sort/base', batch: 'auto', batchWindowS: 1 });
    expect(pairsOf(found!)).toEqual([
      { benchmark: 'sort', of: 'head', baseline: 'sort/base', variant: 'sort/head' },
      { benchmark: '10', of: 'head', baseline: '10/base', variant: '10/head' },
    ]);
  });

  it('may be a list of commands, which are called by themselves', () => {
    expect(suite('[ sort a, [sort, b], sort a ]').suite?.benchmarks.map(({ name }) => name)).toEqual([
      'sort a',
      'sort b',
      'sort a (2)',
    ]);
  });

  it('may be listed when the experiment begins, by a command or a harness', () => {
    const own = suite('{ list: ./list, run: "./run {name}", exclude: slow* }');
    expect(own.suite).toEqual({
      listing: { harness: null, target: null, list: './list', run: './run {name}', include: [], exclude: ['slow*'] },
      variants: ['base', 'head'],
      benchmarks: [],
    });
    const go = suite('{ harness: go, include: [parse*] }');
    expect(go.suite?.listing).toMatchObject({ harness: 'go', target: './...', include: ['parse*'] });
    // To find how often a harness repeats itself takes more than the usual two.
    expect([go.warmup.runs, own.warmup.runs, suite('{ harness: go }', 'warmup: { runs: 1 }').warmup.runs]).toEqual([
      4, 2, 1,
    ]);
    expect(suite('{ a: "x {executions}" }').warmup.runs).toBe(4);
  });

  it.each([
    ['{ harness: pytest }', /there is no harness "pytest"; did you mean "pytest-benchmark"\?/],
    ['{ harness: criterion }', /the harness criterion needs a target: the bench target of Cargo.toml/],
    ['{ a: { run: x, batch: 3, metrics: { t: { line: "t *", unit: ms } } } }', /suite\.a\.batch: metrics are what one/],
    ['{ a: { run: x, services: [db] } }', /"db" was given, which is no service of this file with lifetime: run/],
    ['[]', /suite/],
    ['{ a: { prepare: x } }', /suite/],
  ])('is refused as %s', (text, message) => {
    expect(refusal(() => suite(text))).toMatch(message);
  });

  it.each([
    ['workload: { run: x }', 'a command of the workload and suite were both given'],
    ['noise: inline', 'noise: inline and suite were both given'],
    ['explain: always', 'explain and suite were both given'],
    ['comparisons: all', 'comparisons and suite were both given'],
    ['fail-on: { above: 20 J, suite: mean }', '"20 J" was given; a geometric mean is of ratios'],
    ['fail-on: { above: 2%, suite: mean, channel: x }', 'the mean of a suite is that of the primary channel'],
    ['batch: 3\nmetrics: { t: { line: "t *", unit: ms } }', 'metrics are what one execution prints'],
    ['metrics: { t: { line: "t *", unit: ms } }', 'suite.a.batch: metrics are what one', '{ a: { run: x, batch: 3 } }'],
    ['fail-on: { above: 3%, variant: nobody }', '"nobody" was given, which is no variant'],
  ])('is refused beside %s', (more, message, given = '{ a: x }') => {
    expect(refusal(() => suite(given, more))).toContain(message);
  });

  it('refuses a mean without a suite, and more runs a block than an experiment may have', () => {
    const two = 'workload: { run: x }\nvariants: { a: {}, b: {} }\n';
    expect(refusal(() => parse(`${two}fail-on: { above: 3%, suite: mean }`))).toContain('no suite whose mean');
    expect(suite('{ a: x }', 'fail-on: { above: 3%, suite: mean }').failOn).toMatchObject([{ of: 'mean', limit: 3 }]);
    const many = Object.fromEntries(Array.from({ length: 251 }, (_, i) => [`b${i}`, 'x']));
    expect(refusal(() => suite(JSON.stringify(many)))).toContain('251 benchmarks with 2 variants each');
  });

  it('refuses two runs of one name', () => {
    const variants = 'variants: { new: {}, 8/new: {} }';
    const given = () => parse(`suite: { BM: ./bm, BM/8: ./bm 8 }\n${variants}`);
    expect(given).toThrow('"BM" with "8/new" and "BM/8" with "new" would both be named "BM/8/new"');
    expect(given).toThrow(InputError);
    expect(parse(`suite: { BM: ./bm, BM/9: ./bm 9 }\n${variants}`).variants).toHaveLength(4);
  });

  it('runs once in a window where several would be refused', () => {
    const printed = 'metrics: { t: { line: "t *", unit: ms } }';
    expect(suite('{ a: { run: x, batch: 1 }, b: { run: "x {executions}", batch: 3 } }', printed).variants).toHaveLength(
      4,
    );
    expect(suite('{ a: x }').batch).toBe('auto');
    expect(suite('{ a: x }', 'phases: auto').batch).toBe(1);
    expect(refusal(() => suite('{ a: { run: x, batch: 3 } }', 'phases: auto'))).toContain(
      'suite.a.batch: phases: auto',
    );
  });

  it('prepares what the user prepares, and then what the harness needs', () => {
    const { listing } = suite('{ harness: go }').suite!;
    const given = { prepare: ['./reset', 'the db'], cleanup: 'cd x; ./tidy # all' };
    const { workload } = listedBenchmark(listing!, './p.BenchmarkA', given);
    expect(workload.prepare).toMatch(/^\('\.\/reset' 'the db'\n\) && cd '\.\/p' && go test -c/);
    expect(workload.cleanup).toMatch(/^\(cd x; \.\/tidy # all\n\) && rm -f/);
  });

  it('has budgets, which are energies of one execution', () => {
    expect(suite('{ a: x }', 'budget: { "a*": 12 J }').failOn).toMatchObject([
      { text: 'a*: 12 J', metric: 'joules', limit: 12, of: { energy: 'a*' } },
    ]);
    expect(refusal(() => suite('{ a: x }', 'budget: { a: 0 J }'))).toContain('an energy above 0 with its unit');
    const two = (budget: string) => refusal(() => suite('{ parse: x, render: y }', `budget: { ${budget}: 12 J }`));
    expect(two('"parze*"')).toMatch(/budget.*"parze\*" is the name of no benchmark or variant; did you mean "parse"\?/);
    expect(two('other')).toContain('"other" is the name of no benchmark or variant; there are "parse", "render"');
    expect(suite('{ parse: x }', 'budget: { parse/head: 1 J, "*/base": 2 J }').failOn).toHaveLength(2);
    // What is listed later is checked then.
    expect(suite('{ harness: go }', 'budget: { any: 1 J }').failOn).toHaveLength(1);
    const plain = 'workload: { run: x }\nvariants: { a: {}, b: {} }\n';
    expect(refusal(() => parse(`${plain}budget: { c: 1 J }`))).toContain('"c" is the name of no benchmark or variant');
  });

  it('has budgets that mean the benchmark of exactly this name, or all that are like it', () => {
    const cells = ['BM_x/base', 'BM_x/8/base', 'BM_x*/base'];
    const of = { variants: ['base', 'head'], benchmarks: [{ name: 'BM_x' }, { name: 'BM_x/8' }] };
    expect(budgeted('BM_x', cells, of)).toEqual(['BM_x/base']);
    expect(budgeted('BM_x*', cells, of)).toEqual(cells);
    expect(budgeted('BM_x/8/base', cells, of)).toEqual(['BM_x/8/base']);
    expect(budgeted('BM_x*', cells, { ...of, benchmarks: [...of.benchmarks, { name: 'BM_x*' }] })).toEqual([
      'BM_x*/base',
    ]);
    expect(budgeted('a', ['a', 'a/b'])).toEqual(['a']);
  });
});

describe('what a list printed', () => {
  const listing: Listing = {
    harness: null,
    target: null,
    list: 'x',
    run: 'printf %s {name}',
    include: [],
    exclude: [],
  };

  it('names each benchmark once, as far as it can be a name', () => {
    const long = 'x'.repeat(101);
    const { names, unfit } = namesIn(
      listing,
      `a\n\n  b c \na\ntest[a-1]\n"q'$(touch /x)"\nüñí/½\n\x1b[31mred\n${long}\n`,
    );
    expect(names).toEqual(['a', 'b c', 'test[a-1]', `"q'$(touch /x)"`, 'üñí/½']);
    expect(unfit).toBe(2);
  });

  it('is chosen from by patterns', () => {
    const chosen = { ...listing, include: ['parse*', 'x'], exclude: ['*slow*'] };
    expect(namesIn(chosen, 'parse\nparse slow\nparser\nx\nxx\n').names).toEqual(['parse', 'parser', 'x']);
    expect(['a*c*e', 'a*', '*', 'abcde', 'b*', '*d', 'a*a'].map((one) => isLike('abcde', one))).toEqual([
      ...[true, true, true, true],
      ...[false, false, false],
    ]);
    expect(isLike('a', 'a*a')).toBe(false);
    expect(namesIn({ ...listing, exclude: ['a*b'] }, 'a*b\naxb\n').names).toEqual(['axb']);
  });

  it.each([
    "it's",
    '$(echo no)',
    '`x`',
    '"',
    'a b',
    'test[a-1]',
    '\\',
    '{name}',
    '$&',
    'ü',
  ])('gives the shell the name %s as it is', (name) => {
    const { run } = listedBenchmark(listing, name).workload;
    expect(spawnSync('sh', ['-c', run as string], { encoding: 'utf8' }).stdout).toBe(name);
    const words = listedBenchmark({ ...listing, run: ['./run', '--only={name}'] }, name).workload.run;
    expect(words).toEqual(['./run', `--only=${name}`]);
  });
});
