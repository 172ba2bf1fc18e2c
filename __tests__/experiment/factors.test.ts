import { describe, expect, it } from '@jest/globals';
import { noiseExperiment } from '../../src/experiment/noise.ts';
import { makePlan } from '../../src/schedule/randomize.ts';
import { parse, refusal, withSet } from './support.ts';

const FACTORS = `workload: { run: ./bench.sh, env: { LC_ALL: C } }
factors:
  revision: { base: { revision: main }, head: { revision: HEAD } }
  place: { native: {}, container: { image: "debian:12", volumes: ["./data:/data"] } }
`;

const factors = (first: string, second: string, more = '') =>
  `workload: { run: x }\nfactors:\n  a: ${first}\n  b: ${second}\n${more}`;

describe('two factors of two levels', () => {
  it('make four variants, each with the options of its two levels', () => {
    const { variants, baseline, factorial } = parse(FACTORS);
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
        ['base/native', 'base/container'],
        ['head/native', 'head/container'],
      ],
    });
  });

  it('are all in every block', () => {
    const experiment = parse(`${FACTORS}repetitions: 5`);
    const blocks = Map.groupBy(makePlan(experiment, 3).runs, (run) => run.block);
    expect(blocks.size).toBe(7);
    const names = experiment.variants.map(({ name }) => name).sort();
    for (const runs of blocks.values()) expect(runs.map((run) => run.variant).sort()).toEqual(names);
  });

  it('have the levels of the baseline first, which may be any cell', () => {
    const { baseline, factorial } = withSet(FACTORS, 'baseline=base/container');
    expect(baseline).toBe('base/container');
    expect(factorial?.factors[1].levels).toEqual(['container', 'native']);
    expect(factorial?.cells).toEqual([
      ['base/container', 'base/native'],
      ['head/container', 'head/native'],
    ]);
  });

  it('may be anything that a variant can have, variables from both', () => {
    const { variants } = parse(
      factors(
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
    const both = factors('{ one: { env: { T: "1" } }, two: { env: { T: "2" } } }', '{ u: { env: { F: a } }, v: {} }');
    expect(parse(both).variants.map(({ workload }) => workload.env)).toEqual([
      { T: '1', F: 'a' },
      { T: '1' },
      { T: '2', F: 'a' },
      { T: '2' },
    ]);
  });

  it('keep the order of the file, numbers too', () => {
    const { variants } = parse(factors('{ v2: {}, 1: {} }', '{ z: {}, 0: {} }'));
    expect(variants.map(({ name }) => name)).toEqual(['v2/z', 'v2/0', '1/z', '1/0']);
  });

  it('are changed from outside, level by level', () => {
    const { variants } = withSet(
      FACTORS,
      'factors.revision.base.revision=v1.0',
      'factors.place.container.image=alpine',
    );
    expect(variants.map(({ revision }) => revision?.name)).toEqual(['v1.0', 'v1.0', 'HEAD', 'HEAD']);
    expect(variants[3]).toMatchObject({ image: 'alpine' });
    expect(refusal(() => withSet(FACTORS, 'factors.revision.bse.revision=x'))).toContain('did you mean "base"?');
  });

  it('leave nothing of themselves in an experiment of the baseline against itself', () => {
    const alone = noiseExperiment(parse(FACTORS));
    expect(alone.factorial).toBeUndefined();
    expect(alone.variants.map(({ name }) => name)).toEqual(['base/native', 'base/native (again)']);
  });
});

describe('factors that make no four variants', () => {
  it.each([
    [
      'one factor',
      'workload: { run: x }\nfactors: { a: { u: {}, v: {} } }',
      '2:1: factors: 1 factor was given ("a"); it must be two factors',
    ],
    [
      'three',
      factors('{ u: {}, v: {} }', '{ w: {}, x: {} }', '  c: { y: {}, z: {} }\n'),
      '2:1: factors: 3 factors were given ("a", "b", "c"); it must be two factors',
    ],
    ['none', 'workload: { run: x }\nfactors: {}', '2:1: factors: no factor was given; it must be two factors'],
    [
      'a level',
      factors('{ u: {} }', '{ w: {}, x: {} }'),
      '3:3: factors.a: 1 level was given ("u"); it must be two levels',
    ],
    [
      'three levels',
      factors('{ u: {}, v: {}, w: {} }', '{ w: {}, x: {} }'),
      '3:3: factors.a: 3 levels were given ("u", "v", "w"); it must be two levels',
    ],
    [
      'a key in both',
      factors('{ u: { run: y }, v: {} }', '{ w: { run: z }, x: {} }'),
      '4:13: factors.b.w.run: run was given here and in "u" of "a", which "u/w" combines; give it in one factor only',
    ],
    [
      'a variable in both',
      factors('{ u: { env: { A: "1" } }, v: {} }', '{ w: { env: { A: "1" } }, x: {} }'),
      '4:20: factors.b.w.env.A: env.A was given here and in "u" of "a", which "u/w" combines; give it in one factor only',
    ],
    [
      'names that come out alike',
      factors('{ u: {}, u/v: {} }', '{ v/w: {}, w: {} }'),
      '4:8: factors.b."v/w": two variants would be named "u/v/w"; rename a level',
    ],
    [
      'a name too long',
      factors(`{ ${'u'.repeat(60)}: {}, v: {} }`, `{ ${'w'.repeat(60)}: {}, x: {} }`),
      `4:8: factors.b.${'w'.repeat(60)}: a variant would be named "${'u'.repeat(60)}/${'w'.repeat(19)}…", which has more than 100 characters; give shorter names`,
    ],
    [
      'variants beside them',
      `${FACTORS}variants: { n: {}, m: {} }`,
      '2:1: factors: variants and factors were both given, and factors make variants of their own; keep one of them',
    ],
    [
      'neither',
      'workload: { run: x }',
      '1:1: variants: nothing was given; it must be a map of names and variants, such as { native: {}, container: { image: debian } }, or give factors',
    ],
    [
      'an option of a container on the host',
      factors('{ free: {}, pinned: { cpuset: "0" } }', '{ native: {}, container: { image: x } }'),
      '3:28: factors.a.pinned.cpuset: cpuset is for containers, and without image or build the variant "pinned/native" runs on the host; give an image or leave cpuset out',
    ],
    [
      'an image and a build',
      factors('{ u: { image: x }, v: {} }', '{ w: { build: {} }, x: {} }'),
      '4:13: factors.b.w.build: image and build were both given; keep the one that the image comes from',
    ],
    [
      'a baseline that is none',
      `${FACTORS}baseline: base/nativ`,
      '5:11: baseline: "base/nativ" was given, which is no variant; did you mean "base/native"?',
    ],
    [
      'looks',
      `${FACTORS}repetitions: { looks: [30, 45] }`,
      '5:16: repetitions.looks: looks cannot be combined with factors: they could end the experiment before its interaction is known; give a number',
    ],
    [
      'a revision that is an option',
      factors('{ u: { revision: --exec=x }, v: {} }', '{ w: {}, x: {} }'),
      '3:23: factors.a.u.revision: "--exec=x" was given; it must be the name of a git revision, such as main, v1.2, HEAD~1 or main...HEAD, where the two parted (in quotes where it is all digits)',
    ],
  ])('%s', (_, text, expected) => {
    const message = refusal(() => parse(text));
    if (message.includes('problems:')) expect(message).toContain(expected);
    else expect(message).toBe(`joulediff.yml:${expected}`);
  });

  it.each(['a..b', '^main', 'HEAD:file', 'a b', '@{-1} x', 'a\\\\b', '-'])('a revision %s', (name) => {
    const text = factors(`{ u: { revision: "${name}" }, v: {} }`, '{ w: {}, x: {} }');
    expect(refusal(() => parse(text))).toContain('it must be the name of a git revision');
  });
});
