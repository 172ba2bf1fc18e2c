// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { overridesFromFlags } from '../../src/experiment/overrides.ts';
import { parse, refusal, TWO } from './support.ts';

describe('a whole experiment', () => {
  it('has the defaults of the contract', () => {
    expect(parse(TWO)).toEqual({
      asWritten: expect.stringContaining('name: project\nworkload:\n'),
      name: 'project',
      directory: '/home/me/project',
      baseline: 'native',
      repetitions: 30,
      warmup: { runs: 2 },
      restS: 7,
      restUpToS: 60,
      guardS: 3,
      guardByMeter: true,
      batch: 1,
      seed: null,
      marginPercent: 1,
      meters: ['auto'],
      variants: [
        { kind: 'native', name: 'native', workload: WORKLOAD },
        {
          kind: 'container',
          name: 'container',
          workload: WORKLOAD,
          image: 'debian:12',
          build: null,
          pull: 'missing',
          volumes: [],
          network: null,
          user: null,
          cpuset: null,
          cpus: null,
          memoryBytes: null,
          entrypoint: null,
          runtime: null,
        },
      ],
    });
  });

  it.each([
    ['auto', { repetitions: 60, auto: { least: 10 } }],
    ['{ auto: true, least: 8, most: 20 }', { repetitions: 20, auto: { least: 8 } }],
    ['{ most: 8 }', { repetitions: 8, auto: { least: 8 } }],
    ['{ least: 80 }', { repetitions: 80, auto: { least: 80 } }],
    ['{ want: 1%, within: 15min }', { repetitions: 500, auto: { least: 10, wantPercent: 1, withinS: 900 } }],
    ['{ within: 60s, most: 40 }', { repetitions: 40, auto: { least: 10, withinS: 60 } }],
  ])('takes %s in the place of a number of blocks', (given, resolved) => {
    const experiment = parse(`${TWO}repetitions: ${given}\n`);
    expect(experiment).toMatchObject(resolved);
    expect(experiment).not.toHaveProperty('looks');
  });

  it('takes looks in the place of a number, and a number given beside the file for them', () => {
    const file = `${TWO}repetitions: { looks: [30, 45, 60] }\n`;
    expect(parse(file)).toMatchObject({ repetitions: 60, looks: [30, 45, 60] });
    const fixed = parse(file, overridesFromFlags({ repetitions: 12 }));
    expect(fixed.repetitions).toBe(12);
    expect(fixed).not.toHaveProperty('looks');
  });

  it('takes every key', () => {
    const experiment = parse(`
name: everything
workload:
  run: [./bench.sh, --size, 10]
  prepare: ./prepare.sh
  cleanup: rm -rf out
  env: { A: from the workload, B: from the workload }
  workdir: /srv/work
  timeout: 2m
variants:
  plain:
  own:
    run: ./other.sh
    prepare: null
    env: { B: of its own }
    workdir: bench
  container:
    build: { context: docker, dockerfile: Dockerfile.bench, target: run, args: { VERSION: 1.10 } }
    volumes: ["./data:/data", "../shared:/shared:ro", "/etc/hosts:/etc/hosts:ro,z"]
    network: host
    user: 1000
    cpuset: 0
    cpus: 1.5
    memory: 512m
    entrypoint: []
    runtime: runsc
    workdir: /app
  pulled: { image: "registry.example:5000/team/app:1.0", pull: never }
baseline: own
repetitions: 40
warmup: { runs: 1 }
rest: 1m
guard: 2500ms
batch: auto
seed: 4294967295
margin: 0.5%
meter: [sdm120:/dev/ttyUSB0?unit=2, rapl]
`);
    const [plain, own, container, pulled] = experiment.variants;
    expect(experiment).toMatchObject({
      name: 'everything',
      baseline: 'own',
      repetitions: 40,
      warmup: { runs: 1 },
      restS: 60,
      guardS: 2.5,
      batch: 'auto',
      seed: 4294967295,
      marginPercent: 0.5,
      meters: ['sdm120:/dev/ttyUSB0?unit=2', 'rapl'],
    });
    expect(plain).toEqual({
      kind: 'native',
      name: 'plain',
      workload: {
        run: ['./bench.sh', '--size', '10'],
        prepare: './prepare.sh',
        cleanup: 'rm -rf out',
        env: { A: 'from the workload', B: 'from the workload' },
        workdir: '/srv/work',
        timeoutS: 120,
      },
    });
    expect(own?.workload).toMatchObject({
      run: './other.sh',
      prepare: null,
      cleanup: 'rm -rf out',
      env: { A: 'from the workload', B: 'of its own' },
      workdir: '/home/me/project/bench',
    });
    expect(container).toMatchObject({
      image: null,
      build: {
        context: '/home/me/project/docker',
        dockerfile: '/home/me/project/docker/Dockerfile.bench',
        target: 'run',
        args: { VERSION: '1.10' },
      },
      volumes: ['/home/me/project/data:/data', '/home/me/shared:/shared:ro', '/etc/hosts:/etc/hosts:ro,z'],
      network: 'host',
      user: '1000',
      cpuset: '0',
      cpus: 1.5,
      memoryBytes: 512 * 1024 * 1024,
      entrypoint: [],
      runtime: 'runsc',
      workload: { workdir: '/app' },
    });
    expect(pulled).toMatchObject({ image: 'registry.example:5000/team/app:1.0', build: null, pull: 'never' });
  });

  it('builds from the Dockerfile beside the file when build says nothing else', () => {
    const experiment = parse('workload: { run: x }\nvariants: { native: {}, container: { build: {} } }');
    expect(experiment.variants[1]).toMatchObject({
      build: { context: '/home/me/project', dockerfile: '/home/me/project/Dockerfile', target: null, args: {} },
    });
  });
});

describe('volumes', () => {
  it.each([
    ['.:/work', '/home/me/project:/work'],
    ['..:/work:ro', '/home/me:/work:ro'],
    ['./a/../b:/work', '/home/me/project/b:/work'],
    ['/:/host:ro,rslave', '/:/host:ro,rslave'],
    ['/var/run/my app.sock:/app.sock', '/var/run/my app.sock:/app.sock'],
  ])('%s is %s', (volume, resolved) => {
    const text = JSON.stringify({ workload: { run: 'x' }, variants: { n: {}, c: { image: 'a', volumes: [volume] } } });
    expect(parse(text).variants[1]).toMatchObject({ volumes: [resolved] });
  });
});

describe('references of images', () => {
  it.each([
    'debian',
    'debian:12',
    'library/debian:12-slim',
    'ghcr.io/some-owner/some__repo/app_x:v1.0-RC_1',
    'localhost:5000/a/b',
    'Registry.Example:443/a',
    `sha256:${'0'.repeat(64)}`,
    `debian@sha256:${'0a'.repeat(32)}`,
    `debian:12@sha256:${'0a'.repeat(32)}`,
  ])('%s', (image) => {
    const text = JSON.stringify({ workload: { run: 'x' }, variants: { n: {}, c: { image } } });
    expect(parse(text).variants[1]).toMatchObject({ image });
  });

  it.each([
    '',
    ' debian',
    '-v',
    'Debian',
    'debian:',
    'debian@sha256:12',
    'a b',
    'a//b',
    'http://a/b',
    'a:b:c',
  ])('not %j', (image) => {
    const text = JSON.stringify({ workload: { run: 'x' }, variants: { n: {}, c: { image } } });
    expect(refusal(() => parse(text))).toContain('it must be the reference of an image');
  });
});

describe('names and order', () => {
  it('compares with the first variant that runs on the host, wherever it stands', () => {
    expect(parse('workload: {run: x}\nvariants: {c: {image: a}, n: {}, m: {}}').baseline).toBe('n');
    expect(parse('workload: {run: x}\nvariants: {d: {image: b}, c: {image: a}}').baseline).toBe('d');
  });

  it('keeps the order of the file for names that look like numbers', () => {
    const experiment = parse('workload: {run: x}\nvariants: {10: {}, b: {}, 2: {}}');
    expect(experiment.variants.map((variant) => variant.name)).toEqual(['10', 'b', '2']);
    expect(experiment.baseline).toBe('10');
  });

  it('takes printable names of any language, and those of built-in properties', () => {
    const names = ['Behälter (alt), v1.2', 'コンテナ', 'constructor', 'toString', 'hasOwnProperty'];
    const variants = Object.fromEntries(names.map((name) => [name, {}]));
    const experiment = parse(JSON.stringify({ workload: { run: 'x' }, variants }));
    expect(experiment.variants.map((variant) => variant.name)).toEqual(names);
  });
});

describe('text stays as it is written', () => {
  it('keeps the letters of numbers and words in env and argv', () => {
    const experiment = parse(`
workload:
  run: [sleep, 1.50, true]
  env: { VERSION: 1.10, MODE: 0755, DEBUG: true, NO: no, EMPTY: "" }
variants: { native: {}, other: {} }
`);
    expect(experiment.variants[0]?.workload).toMatchObject({
      run: ['sleep', '1.50', 'true'],
      env: { VERSION: '1.10', MODE: '0755', DEBUG: 'true', NO: 'no', EMPTY: '' },
    });
  });

  it('keeps them behind an alias too', () => {
    const experiment = parse(`
workload: { run: x, env: &common { VERSION: 1.10 } }
variants: { native: {}, other: { env: *common } }
`);
    expect(experiment.variants[1]?.workload.env).toEqual({ VERSION: '1.10' });
  });
});

const WORKLOAD = { run: './bench.sh', prepare: null, cleanup: null, env: {}, workdir: null, timeoutS: 3600 };
