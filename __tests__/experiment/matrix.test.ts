// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { noiseExperiment } from '../../src/experiment/noise.ts';
import { makePlan } from '../../src/schedule/randomize.ts';
import { parse, refusal, withSet } from './support.ts';

const TWO = `workload: { run: ./bench.sh, env: { LC_ALL: C } }
matrix:
  revision: { base: { revision: main }, head: { revision: HEAD } }
  place: { native: {}, container: { image: "debian:12", volumes: ["./data:/data"] } }
`;

const matrix = (first: string, second: string, more = '') =>
  `workload: { run: x }\nmatrix:\n  a: ${first}\n  b: ${second}\n${more}`;

describe('a matrix', () => {
  it('makes a variant of each combination, each with the options of its two levels', () => {
    const { variants, baseline, factorial } = parse(TWO);
    expect(variants).toMatchObject([
      { name: 'base/native', kind: 'native', revision: { name: 'main', commit: null } },
      { name: 'base/container', kind: 'container', image: 'debian:12', revision: { name: 'main' } },
      { name: 'head/native', kind: 'native', revision: { name: 'HEAD', commit: null } },
      { name: 'head/container', kind: 'container', volumes: ['/home/me/project/data:/data'] },
    ]);
    expect(baseline).toBe('base/native');
    expect(factorial).toEqual({
      factors: [
        { name: 'revision', levels: ['base', 'head'] },
        { name: 'place', levels: ['native', 'container'] },
      ],
      cells: [
        { variant: 'base/native', levels: ['base', 'native'] },
        { variant: 'base/container', levels: ['base', 'container'] },
        { variant: 'head/native', levels: ['head', 'native'] },
        { variant: 'head/container', levels: ['head', 'container'] },
      ],
    });
  });

  it('has all of them in every block', () => {
    const experiment = parse(`${TWO}repetitions: 5`);
    const blocks = Map.groupBy(makePlan(experiment, 3).runs, (run) => run.block);
    expect(blocks.size).toBe(7);
    const names = experiment.variants.map(({ name }) => name).sort();
    for (const runs of blocks.values()) expect(runs.map((run) => run.variant).sort()).toEqual(names);
  });

  it('has the levels of the baseline first, which may be any cell', () => {
    const { baseline, factorial } = withSet(TWO, 'baseline=base/container');
    expect(baseline).toBe('base/container');
    expect(factorial?.factors[1]?.levels).toEqual(['container', 'native']);
  });

  it('may vary anything that a variant can have, variables from both', () => {
    const { variants } = parse(
      matrix(
        '{ alpine: { image: alpine }, debian: { image: debian } }',
        '{ O2: { env: { F: O2 } }, O3: { env: { F: O3 }, run: y } }',
      ),
    );
    expect(variants.map(({ name, workload }) => [name, workload.run, workload.env])).toEqual([
      ['alpine/O2', 'x', { F: 'O2' }],
      ['alpine/O3', 'y', { F: 'O3' }],
      ['debian/O2', 'x', { F: 'O2' }],
      ['debian/O3', 'y', { F: 'O3' }],
    ]);
    const both = matrix('{ one: { env: { T: "1" } }, two: { env: { T: "2" } } }', '{ u: { env: { F: a } }, v: {} }');
    expect(parse(both).variants.map(({ workload }) => workload.env)).toEqual([
      { T: '1', F: 'a' },
      { T: '1' },
      { T: '2', F: 'a' },
      { T: '2' },
    ]);
  });

  it('keeps the order of the file, numbers too', () => {
    const { variants } = parse(matrix('{ v2: {}, 1: {} }', '{ z: {}, 0: {} }'));
    expect(variants.map(({ name }) => name)).toEqual(['v2/z', 'v2/0', '1/z', '1/0']);
  });

  it('is changed from outside, level by level', () => {
    const { variants } = withSet(TWO, 'matrix.revision.base.revision=v1.0', 'matrix.place.container.image=alpine');
    expect(variants.map(({ revision }) => revision?.name)).toEqual(['v1.0', 'v1.0', 'HEAD', 'HEAD']);
    expect(variants[3]).toMatchObject({ image: 'alpine' });
    expect(refusal(() => withSet(TWO, 'matrix.revision.bse.revision=x'))).toContain('did you mean "base"?');
  });

  it('takes values of a key, any number of factors and levels, and leaves out what is excluded', () => {
    const { variants, baseline, factorial } = parse(`workload: { run: x }
matrix:
  image: [debian, "registry.example/team/app:1", alpine]
  network: [bridge, host]
  cpus: [1, 2.5]
  new-privileges: [false, true]
  exclude: [{ image: alpine, network: host }, { cpus: 2.5, new-privileges: true }]
`);
    expect(variants).toHaveLength(15);
    const names = variants.map(({ name }) => name);
    expect(baseline).toBe('debian/bridge/cpus 1/new-privileges false');
    expect(names).toContain('app:1/host/cpus 2.5/new-privileges false');
    expect(names.filter((name) => /alpine.host|cpus 2.5.new-privileges true/.test(name))).toEqual([]);
    expect(variants.at(-1)).toMatchObject({ image: 'alpine', network: 'bridge', cpus: 2.5 });
    expect(factorial?.factors.map(({ levels }) => levels.length)).toEqual([3, 2, 2, 2]);
    expect(factorial?.cells).toHaveLength(15);
    expect(factorial?.cells[0]?.levels).toEqual(['debian', 'bridge', 'cpus 1', 'new-privileges false']);
  });

  it('gives all its variants what a factor of one level has, and names it nowhere', () => {
    const { variants, factorial } = parse(`matrix:
  common: { all: { run: x, ports: ["8080:80"], env: { A: "1" } } }
  image: [debian, alpine]
  flags: { O2: { env: { F: O2 } }, O3: { env: { F: O3 } } }
`);
    expect(variants.map(({ name }) => name)).toEqual(['debian/O2', 'debian/O3', 'alpine/O2', 'alpine/O3']);
    for (const variant of variants) {
      expect(variant).toMatchObject({ ports: ['8080:80'], workload: { run: 'x', env: { A: '1' } } });
    }
    expect(factorial?.factors.map(({ name }) => name)).toEqual(['image', 'flags']);
  });

  it('may have variants beside it, of which the host is the baseline', () => {
    const beside = `workload: { run: x }
matrix: { image: [debian, alpine], network: [bridge, host] }
variants: { native: {} }
`;
    const { variants, baseline, factorial } = parse(beside);
    expect(variants.map(({ name }) => name)).toEqual([
      'native',
      'debian/bridge',
      'debian/host',
      'alpine/bridge',
      'alpine/host',
    ]);
    expect(baseline).toBe('native');
    expect(factorial?.factors[0]?.levels).toEqual(['debian', 'alpine']);
    expect(withSet(beside, 'baseline=alpine/host').factorial?.factors[0]?.levels).toEqual(['alpine', 'debian']);
  });

  it('of one factor makes variants without a design', () => {
    const { variants, factorial } = parse('workload: { run: x }\nmatrix: { image: [a, b, c] }');
    expect(variants.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(factorial).toBeUndefined();
  });

  it.each([
    ['the very level that is written', '{ 1.2: {}, 1.20: {} }', '1.20', ['1.2/host', '1.2/bridge', '1.20/bridge']],
    ['a number with a zero at its end', '{ 3.9: {}, 3.10: {} }', '3.10', ['3.9/host', '3.9/bridge', '3.10/bridge']],
    ['a word of YAML', '{ True: {}, 1e3: {} }', 'True', ['True/bridge', '1e3/host', '1e3/bridge']],
  ])('leaves out %s', (_, levels, level, left) => {
    const text = `workload: { run: x }\nmatrix: { in: { all: { image: x } }, go: ${levels}, network: [host, bridge]`;
    const names = ({ variants }: ReturnType<typeof parse>) => variants.map(({ name }) => name).toSorted();
    expect(names(parse(`${text}, exclude: [{ go: ${level}, network: host }] }`))).toEqual(left.toSorted());
    const set = `matrix.exclude=[{ go: ${level}, network: host }]`;
    expect(names(withSet(`${text} }`, set))).toEqual(left.toSorted());
  });

  it.each([
    ['cpus: [1, 2.50]', 'cpus: 2.5'],
    ['cpus: [1, 2.5]', 'cpus: 2.50'],
    ['new-privileges: [false, True]', 'new-privileges: TRUE'],
  ])('leaves out a value of a list however it is written: %s, %s', (levels, cell) => {
    const text = `workload: { run: x }\nmatrix: { image: [a, b], ${levels}, exclude: [{ image: b, ${cell} }] }`;
    expect(parse(text).variants).toHaveLength(3);
    expect(refusal(() => parse(text.replace('}]', `}, { image: b, ${cell} }]`)))).toContain('left out before');
  });

  it('is given and changed from outside', () => {
    const given = withSet(
      'workload: { run: x }\nmatrix: { image: [debian, alpine] }',
      'matrix.network=[bridge, host]',
      'matrix.image=[debian, "musl:1"]',
      'matrix.exclude=[{ image: "musl:1", network: host }]',
    );
    expect(given.variants.map(({ name }) => name)).toEqual(['debian/bridge', 'debian/host', 'musl:1/bridge']);
  });

  it('of four hundred cells is read', () => {
    const levels = (letter: string) => Array.from({ length: 20 }, (_, i) => `${letter}${i}`).join(', ');
    const { variants } = parse(`workload: { run: x }\nmatrix: { image: [${levels('i')}], network: [${levels('n')}] }`);
    expect(variants).toHaveLength(400);
    expect(new Set(variants.map(({ name }) => name)).size).toBe(400);
  });

  it('leaves nothing of itself in an experiment of the baseline against itself', () => {
    const alone = noiseExperiment(parse(TWO));
    expect(alone.factorial).toBeUndefined();
    expect(alone.variants.map(({ name }) => name)).toEqual(['base/native', 'base/native (again)']);
  });
});

describe('a matrix that makes no experiment', () => {
  it.each([
    ['none', 'workload: { run: x }\nmatrix: {}', '2:1: matrix: no factor was given; it must have at least one'],
    [
      'one variant',
      matrix('[u]', '{ w: {} }').replace('a:', 'image:'),
      '2:1: matrix: only "u/w" was given; a comparison needs at least two variants',
    ],
    ['no level', matrix('{}', '{ w: {}, x: {} }'), '3:3: matrix.a: no level was given; it must have at least one'],
    [
      'a list under a name that is no key',
      matrix('[u, v]', '{ w: {}, x: {} }'),
      '3:6: matrix.a: a list was given; it must be a map of levels and what a variant has at each, such as { native: {}, container: { image: debian } }; a list holds values of a key of variants, such as image: [debian, alpine]',
    ],
    [
      'a value that the key does not take',
      matrix('[u, "v w"]', '{ w: {}, x: {} }').replace('a:', 'network:'),
      '3:16: matrix.network[1]: "v w" was given; it must be the name of a network, such as bridge, host or none',
    ],
    [
      'a value twice',
      matrix('[1, 2, 1]', '{ w: {}, x: {} }').replace('a:', 'cpus:'),
      '3:16: matrix.cpus[2]: the level "1" was given twice; leave one out',
    ],
    [
      'values without a name',
      matrix('[["./d:/d"], []]', '{ w: {}, x: {} }').replace('a:', 'volumes:'),
      '3:13: matrix.volumes[0]: it has no name that a variant could have; name the levels: volumes: { first: { volumes: … }, … }',
    ],
    [
      'an unknown key in a level',
      matrix('{ u: { imagee: x }, v: {} }', '{ w: {}, x: {} }'),
      '3:13: matrix.a.u.imagee: unknown key; did you mean "image"?',
    ],
    [
      'a misspelt key that factors vary by a list',
      'workload: { run: x }\nmatrix: { netwrok: [bridge, host], image: [debian] }',
      '2:11: matrix.netwrok: a list holds values of a key of variants, and there is no "netwrok"; did you mean "network"?',
    ],
    [
      'a misspelt list of what is left out',
      matrix('{ u: {}, v: {} }', '{ w: {}, x: {} }', '  exlude: [{ a: u }]'),
      '5:3: matrix.exlude: a list holds values of a key of variants, and there is no "exlude"; did you mean "exclude"?',
    ],
    [
      'a list of what no variant has',
      matrix('[1, 2]', '{ w: {}, x: {} }').replace('a:', 'threads:'),
      '3:12: matrix.threads: a list was given; it must be a map of levels and what a variant has at each, such as { native: {}, container: { image: debian } }; a list holds values of a key of variants, such as image: [debian, alpine]',
    ],
    [
      'more than can be counted out',
      `workload: { run: x }\nmatrix:\n${[...'abcdef'].map((name) => `  ${name}: { ${[...'0123456789'].map((level) => `${name}${level}: {}`).join(', ')} }\n`).join('')}`,
      '2:1: matrix: its levels make 1,000,000 variants; leave out factors or levels',
    ],
    [
      'more than are measured',
      `workload: { run: x }\nmatrix:\n${[...'abc'].map((name) => `  ${name}: { ${[...'0123456789'].map((level) => `${name}${level}: {}`).join(', ')} }\n`).join('')}`,
      '2:1: matrix: 1,000 variants were given; it must be 500 at most',
    ],
    [
      'an unknown factor in exclude',
      matrix('{ u: {}, v: {} }', '{ w: {}, x: {} }', '  exclude: [{ c: u }]'),
      '5:15: matrix.exclude[0].c: "c" is no factor; did you mean "a"?',
    ],
    [
      'an unknown level in exclude',
      matrix('{ upper: {}, v: {} }', '{ w: {}, x: {} }', '  exclude: [{ a: uper }]'),
      '5:15: matrix.exclude[0].a: "uper" is no level of "a"; did you mean "upper"?',
    ],
    [
      'an exclude that an earlier one holds',
      matrix('{ u: {}, v: {} }', '{ w: {}, x: {} }', '  exclude: [{ a: u, b: w }, { b: w, a: u }]'),
      '5:29: matrix.exclude[1]: what it leaves out was left out before; leave it out',
    ],
    [
      'an exclude of everything',
      matrix('{ u: {}, v: {} }', '{ w: {}, x: {} }', '  exclude: [{ a: u }, { a: v }]'),
      '5:3: matrix.exclude: it leaves out every variant of the matrix',
    ],
    [
      'a level of which nothing is left',
      matrix('{ u: {}, v: {} }', '{ w: {}, x: {} }', '  exclude: [{ a: u }]'),
      '3:8: matrix.a.u: exclude leaves no variant with "u"; leave the level out',
    ],
    [
      'exclude beside it',
      matrix('{ u: {}, v: {} }', '{ w: {}, x: {} }', 'exclude: [{ a: u }]'),
      '5:1: exclude: unknown key; it belongs in matrix: { …, exclude: [ … ] }',
    ],
    [
      'a variant of the same name',
      `${TWO}variants: { "base/native": {} }`,
      '5:13: variants."base/native": two variants are named "base/native", here and in the matrix; rename one of them',
    ],
    [
      'a key in both',
      matrix('{ u: { run: y }, v: {} }', '{ w: { run: z }, x: {} }'),
      '4:13: matrix.b.w.run: run was given here and in "u" of "a", which "u/w" combines; give it in one factor only',
    ],
    [
      'a variable in both',
      matrix('{ u: { env: { A: "1" } }, v: {} }', '{ w: { env: { A: "1" } }, x: {} }'),
      '4:20: matrix.b.w.env.A: env.A was given here and in "u" of "a", which "u/w" combines; give it in one factor only',
    ],
    [
      'names that come out alike',
      matrix('{ u: {}, u/v: {} }', '{ v/w: {}, w: {} }'),
      '4:17: matrix.b.w: two variants would be named "u/v/w"; rename a level',
    ],
    [
      'a name too long',
      matrix(`{ ${'u'.repeat(60)}: {}, v: {} }`, `{ ${'w'.repeat(60)}: {}, x: {} }`),
      `4:8: matrix.b.${'w'.repeat(60)}: a variant would be named "${'u'.repeat(60)}/${'w'.repeat(19)}…", which has more than 100 characters; give shorter names`,
    ],
    [
      'neither',
      'workload: { run: x }',
      '1:1: variants: nothing was given; it must be a map of names and variants, such as { native: {}, container: { image: debian } }, or give a matrix',
    ],
    [
      'an option of a container on the host',
      matrix('{ free: {}, pinned: { cpuset: "0" } }', '{ native: {}, container: { image: x } }'),
      '3:28: matrix.a.pinned.cpuset: cpuset is for containers, and without image or build the variant "pinned/native" runs on the host; give an image or leave cpuset out, or exclude this combination',
    ],
    [
      'an image and a build',
      matrix('{ u: { image: x }, v: {} }', '{ w: { build: {} }, x: {} }'),
      '4:13: matrix.b.w.build: image and build were both given; keep the one that the image comes from, or exclude this combination',
    ],
    [
      'a baseline that is none',
      `${TWO}baseline: base/nativ`,
      '5:11: baseline: "base/nativ" was given, which is no variant; did you mean "base/native"?',
    ],
    [
      'auto',
      `${TWO}repetitions: auto`,
      '5:1: repetitions: auto cannot be combined with a matrix: the experiment could end before its interactions are known; give a number',
    ],
    [
      'looks',
      `${TWO}repetitions: { looks: [30, 45] }`,
      '5:16: repetitions.looks: looks cannot be combined with a matrix: the experiment could end before its interactions are known; give a number',
    ],
    [
      'a revision that is an option',
      matrix('{ u: { revision: --exec=x }, v: {} }', '{ w: {}, x: {} }'),
      '3:23: matrix.a.u.revision: "--exec=x" was given; it must be the name of a git revision, such as main, v1.2, HEAD~1 or main...HEAD, where the two parted (in quotes where it is all digits)',
    ],
  ])('%s', (_, text, expected) => {
    const message = refusal(() => parse(text));
    if (message.includes('problems:')) expect(message).toContain(expected);
    else expect(message).toBe(`joulediff.yml:${expected}`);
  });

  it('reports a wrong matrix alone, not as unknown variants of the keys that name them', () => {
    const naming =
      'baseline: u/w\ncomparisons: [[v/w, u/w]]\nfail-on: { above: 5%, variant: v/w }\nbudget: { v/w: 5 J }\n';
    expect(refusal(() => parse(matrix('{ u: {}, v: {} }', '{}', naming)))).toBe(
      'joulediff.yml:4:3: matrix.b: no level was given; it must have at least one',
    );
    expect(refusal(() => parse(`workload: { run: x }\nvariants: {}\n${naming}`))).toBe(
      'joulediff.yml:2:1: variants: no variant was given; a comparison needs at least two variants',
    );
  });

  it('still has its variants where only repetitions are refused', () => {
    const naming = 'repetitions: auto\ncomparisons: [[v/w, u/w]]\nfail-on: { above: 5%, variant: v/z }\n';
    const message = refusal(() => parse(matrix('{ u: {}, v: {} }', '{ w: {}, x: {} }', naming)));
    expect(message).toContain('repetitions: auto cannot be combined with a matrix');
    expect(message).toContain('fail-on.variant: "v/z" was given, which is no variant; did you mean "v/w"?');
    expect(message).not.toContain('comparisons[0]');
  });

  it.each(['a..b', '^main', 'HEAD:file', 'a b', '@{-1} x', 'a\\\\b', '-'])('a revision %s', (name) => {
    const text = matrix(`{ u: { revision: "${name}" }, v: {} }`, '{ w: {}, x: {} }');
    expect(refusal(() => parse(text))).toContain('it must be the name of a git revision');
  });
});
