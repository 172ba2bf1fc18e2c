// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { overrideFromSetting, overridesFromFlags } from '../../src/experiment/overrides.ts';
import { showPath } from '../../src/input/words.ts';
import { parse, refusal, TWO, withSet } from './support.ts';

describe('--set', () => {
  it('is told apart from the file where both have an unknown key', () => {
    const message = refusal(() => withSet(`${TWO}bogus: 1\n`, 'bogus=2'));
    expect(message.match(/--set bogus=2: /g)).toHaveLength(1);
    expect(message).toContain('joulediff.yml:5:1: bogus: unknown key');
  });

  it('changes, adds and takes away keys of the file', () => {
    const file = `${TWO}repetitions: 10\n`.replace('./bench.sh }', './bench.sh, prepare: ./prepare.sh }');
    const experiment = withSet(
      file,
      'repetitions=5',
      'warmup.runs=0',
      'rest=1.5s',
      'guard=500ms',
      'variants.container.cpuset=0',
      'variants.container.env.VERSION=1.10',
      'workload.prepare=null',
      'meter=rapl, estimate',
    );
    expect(experiment).toMatchObject({
      repetitions: 5,
      warmup: { runs: 0 },
      restS: 1.5,
      guardS: 0.5,
      meters: ['rapl', 'estimate'],
    });
    expect(experiment.variants[1]).toMatchObject({
      cpuset: '0',
      workload: { env: { VERSION: '1.10' }, prepare: null },
    });
  });

  it('takes a command as it stands, and a list as a list', () => {
    const run = (text: string) => withSet(TWO, `workload.run=${text}`).variants[0]?.workload.run;
    expect(run('echo a: b # c')).toBe('echo a: b # c');
    expect(run('x="a b" ./bench.sh')).toBe('x="a b" ./bench.sh');
    expect(run('[./bench.sh, --size, 1.50]')).toEqual(['./bench.sh', '--size', '1.50']);
    expect(run('{ ./a.sh; ./b.sh; } > out')).toBe('{ ./a.sh; ./b.sh; } > out');
  });

  it('reaches names with dots and spaces by quotes, and can add a whole variant', () => {
    const file = TWO.replace('container:', '"debian 12.1":');
    const experiment = withSet(file, 'variants."debian 12.1".cpus=2', 'variants.third={ image: alpine }');
    expect(experiment.variants.map((variant) => variant.name)).toEqual(['native', 'debian 12.1', 'third']);
    expect(experiment.variants[1]).toMatchObject({ cpus: 2 });
  });

  it('adds services behind those of the file', () => {
    const { services } = withSet(`${TWO}services: { db: { run: ./db } }\n`, 'services.proxy={ run: ./proxy }');
    expect(services?.map(({ name }) => name)).toEqual(['db', 'proxy']);
  });

  it('lets the last one win, and the named flags over it', () => {
    const flags = { set: ['repetitions=3', 'repetitions=4', 'seed=1'], seed: '2', meter: 'estimate', repetitions: 7 };
    expect(parse(TWO, overridesFromFlags(flags))).toMatchObject({ repetitions: 7, seed: 2, meters: ['estimate'] });
    expect(withSet(TWO, 'repetitions=3', 'repetitions=4').repetitions).toBe(4);
  });

  it('changes one place of a map that stands in several by aliases', () => {
    const file = 'workload: { run: x }\nvariants: { a: &a { image: debian, env: { V: 1 } }, b: *a }\n';
    const { variants } = withSet(file, 'variants.b.cpuset=0', 'variants.b.env.V=2');
    expect(variants).toMatchObject([
      { name: 'a', cpuset: null, workload: { env: { V: '1' } } },
      { name: 'b', cpuset: '0', workload: { env: { V: '2' } } },
    ]);
  });

  it('mends what is wrong in the file', () => {
    expect(withSet(`${TWO}repetitions: 0\n`, 'repetitions=3').repetitions).toBe(3);
  });

  it.each([
    ['repetitions=0', '0 was given; it must be a whole number from 1 to 10,000'],
    ['repetitons=3', 'unknown key; did you mean "repetitions"?'],
    ['warmup.run=3', 'unknown key; did you mean "runs"?'],
    ['workloat.run=x', 'workloat: unknown key; did you mean "workload"?'],
    ['repetitions.x=3', 'unknown key; possible: "auto", "least", "most", "want", "within", "looks"'],
    ['margin.x=3', 'margin: it has no keys, so there is no "x" in it'],
    ['variants.contaner.cpuset=0', 'variants.contaner: the file has no such name; did you mean "container"?'],
    ['variants.zzz.cpuset=0', 'variants.zzz: the file has no such name; it has "native", "container"'],
    ['variants.__proto__={}', '"__proto__" cannot be a name'],
    [
      'variants.native.cpuset=0',
      'cpuset is for containers, and without image or build this variant runs on the host; give an image or leave cpuset out',
    ],
    ['warmup={ runs: 1, runz: 2 }', 'warmup.runz: unknown key; did you mean "runs"?'],
    ['warmup={ runs: 1', '"{ runs: 1" was given; this is not YAML: Flow map must end with a }'],
    [
      'rest=1',
      '1 was given, shorter than the guard (3 s, the default), which lies inside the rest; give a longer rest or a shorter guard',
    ],
  ])('%s is refused by name', (setting, expected) => {
    expect(refusal(() => withSet(TWO, setting))).toBe(`--set ${setting}: ${expected}`);
  });

  it.each(['', 'repetitions', '=5', '.=5', 'a..b=5', 'repetitions 5', '"a=5'])('%j is not key=value', (setting) => {
    expect(() => overrideFromSetting(setting)).toThrow(
      `--set: ${JSON.stringify(setting)} was given; it must be key=value, such as warmup.runs=1`,
    );
  });

  it('takes a path as messages show it, whatever is in a name', () => {
    const path = ['variants', 'sh -c "./a.sh"', 'env', String.raw`\n.=`];
    expect(overrideFromSetting(`${showPath(path)}=5`)).toMatchObject({ path, text: '5' });
  });

  it('keeps what follows the first "=" whole', () => {
    expect(overrideFromSetting('workload.env.OPTIONS=--a=1 --b=2')).toMatchObject({
      path: ['workload', 'env', 'OPTIONS'],
      text: '--a=1 --b=2',
    });
  });
});

describe('named flags', () => {
  it('are named in what is refused', () => {
    const message = refusal(() => parse(TWO, overridesFromFlags({ repetitions: 'abc', seed: -1, meter: '' })));
    expect(message).toContain('\n  --repetitions: "abc" was given; it must be a whole number from 1 to 10,000');
    expect(message).toContain('\n  --seed: -1 was given; it must be a whole number from 0 to 4,294,967,295');
    expect(message).toContain('\n  --meter: "" was given; it must be a meter such as');
  });
});
