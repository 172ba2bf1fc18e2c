// Class: system.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { experimentOf } from '../../src/action/given-experiment.ts';
import { INPUT_DEFAULTS, INPUT_NAMES } from '../../src/action/input-names.ts';
import { readInputs } from '../../src/action/inputs.ts';
import { OUTPUT_NAMES, outputsOf } from '../../src/action/outputs.ts';
import { ExperimentError } from '../../src/experiment/problems.ts';
import { REQUEST_OUTPUTS } from '../../src/parts/fleet/request/request.ts';

const read = (given: Record<string, string>) => readInputs((name) => given[name] ?? '', '/workspace');

async function experiment(given: Record<string, string>) {
  return experimentOf(read(given).experiment);
}

function problems(given: Record<string, string>): string[] {
  try {
    read(given);
  } catch (error) {
    if (!(error instanceof ExperimentError)) throw error;
    expect(error.exitCode).toBe(2);
    return error.message
      .split('\n')
      .filter((line) => !line.endsWith(' problems:'))
      .map((line) => line.trim());
  }
  throw new Error('nothing was refused');
}

describe('the short form', () => {
  it('is run and image', async () => {
    expect(await experiment({ run: './bench.sh', image: 'my-image' })).toMatchObject({
      name: 'workspace',
      directory: '/workspace',
      baseline: 'native',
      repetitions: 30,
      meters: ['auto'],
      variants: [
        { kind: 'native', name: 'native', workload: { run: './bench.sh' } },
        { kind: 'container', name: 'container', image: 'my-image', build: null, workload: { run: './bench.sh' } },
      ],
    });
  });

  it('may be a suite in the place of run', async () => {
    const { suite, variants } = await experiment({ suite: 'go:./parse/...', base: 'main' });
    expect(suite).toMatchObject({ listing: { harness: 'go', target: './parse/...' }, variants: ['base', 'head'] });
    expect(variants.map(({ revision }) => revision?.name)).toEqual(['main', 'HEAD']);
  });

  it('is run and dockerfile, both from the workspace', async () => {
    const build = async (given: Record<string, string>) => (await experiment({ run: 'x', ...given })).variants[1];
    expect(await build({ dockerfile: './docker/Dockerfile' })).toMatchObject({
      image: null,
      build: { context: '/workspace', dockerfile: '/workspace/docker/Dockerfile' },
    });
    expect(await build({ dockerfile: 'docker/Dockerfile', context: 'docker' })).toMatchObject({
      build: { context: '/workspace/docker', dockerfile: '/workspace/docker/Dockerfile' },
    });
    expect(await build({ context: 'docker' })).toMatchObject({
      build: { context: '/workspace/docker', dockerfile: '/workspace/docker/Dockerfile' },
    });
  });

  it('bears the repository’s name, whatever the runner calls the folder', async () => {
    const named = async (given: Record<string, string>, repository: string | null) =>
      (await experimentOf(readInputs((name) => given[name] ?? '', 'examples/sort', null, repository).experiment)).name;
    const short = { run: './bench.sh', image: 'my-image' };
    expect(await named(short, 'demo')).toBe('demo');
    expect(await named({ ...short, set: 'name=bench' }, 'demo')).toBe('bench');
    expect(await named(short, null)).toBe('sort');
  });

  describe('with base', () => {
    const revisions = { base: `${'a'.repeat(40)}...${'b'.repeat(40)}`, head: 'b'.repeat(40) };
    const variants = async (given: Record<string, string>, event: typeof revisions | null = revisions) => {
      const inputs = readInputs((name) => ({ run: './bench.sh', ...given })[name] ?? '', '/workspace', event);
      const { baseline, variants } = await experimentOf(inputs.experiment);
      expect(baseline).toBe('base');
      return variants.map(({ kind, name, revision }) => [name, kind, revision?.name]);
    };

    it('is two commits in the image that each builds', async () => {
      expect(await variants({ dockerfile: './Dockerfile', base: 'true' })).toEqual([
        ['base', 'container', revisions.base],
        ['head', 'container', revisions.head],
      ]);
    });

    it('is two commits on the host where nothing is built', async () => {
      expect(await variants({ base: 'true' })).toEqual([
        ['base', 'native', revisions.base],
        ['head', 'native', revisions.head],
      ]);
    });

    it('takes a revision, and HEAD where the event has no other', async () => {
      expect(await variants({ base: 'v1' }, null)).toEqual([
        ['base', 'native', 'v1'],
        ['head', 'native', 'HEAD'],
      ]);
    });
  });

  it('is not two commits where base is false', async () => {
    const { variants } = await experiment({ run: 'x', image: 'i', base: 'false' });
    expect(variants.map(({ kind }) => kind)).toEqual(['native', 'container']);
    expect(() => readInputs((name) => ({ run: 'x', base: 'false' })[name] ?? '', '/workspace', null)).toThrow(
      'nothing was given; give image or dockerfile, so that there is a container to compare with',
    );
    const beside = readInputs((name) => ({ config: 'x.yml', base: 'false' })[name] ?? '', '/workspace', null);
    expect(beside.experiment.kind).toBe('file');
  });

  it('takes everything else beside them', async () => {
    const given = {
      run: './bench.sh',
      image: 'my-image',
      prepare: './prepare.sh',
      cleanup: './cleanup.sh',
      volumes: './data:/data\n\n  /etc/hosts:/etc/hosts:ro\n',
      meter: 'watts-up-pro:/dev/ttyUSB0, rapl',
      repetitions: '10',
      warmup: '1',
      rest: '30s',
      guard: '5',
      seed: '7',
      margin: '2%',
      history: 'branch: joulediff-history',
      set: '# one processor each\nvariants.container.cpuset=0\nworkload.env.VERSION=1.10\nrepetitions=99',
    };
    const { variants, ...rest } = await experiment(given);
    expect(rest).toMatchObject({
      repetitions: 10,
      warmup: { runs: 1 },
      restS: 30,
      guardS: 5,
      seed: 7,
      marginPercent: 2,
      history: { branch: 'joulediff-history', file: null, track: null },
      meters: ['watts-up-pro:/dev/ttyUSB0', 'rapl'],
    });
    expect(variants[0]?.workload).toMatchObject({
      prepare: './prepare.sh',
      cleanup: './cleanup.sh',
      env: { VERSION: '1.10' },
    });
    expect(variants[1]).toMatchObject({ cpuset: '0', volumes: ['/workspace/data:/data', '/etc/hosts:/etc/hosts:ro'] });
  });

  it.each([
    '[ -f go ] && ./bench.sh # all',
    '"./my bench.sh" --fast',
    '{ a; b; }',
    '[ -f go ]',
    '~/bench.sh',
    '5',
    'a\nb: c\n  d',
  ])('runs %j exactly as it is written', async (run) => {
    expect((await experiment({ run, image: 'a' })).variants[0]?.workload.run).toBe(run);
  });
});

describe('config', () => {
  it('is not opened yet, and can be overridden', () => {
    const inputs = readInputs(
      (name) => ({ config: 'bench/joulediff.yml', repetitions: '5', set: 'rest=4s' })[name] ?? '',
    );
    expect(inputs.experiment).toEqual({
      kind: 'file',
      path: 'bench/joulediff.yml',
      overrides: [
        { path: ['rest'], text: '4s', where: 'input "set" rest=4s' },
        { path: ['repetitions'], text: '5', where: 'input "repetitions"' },
      ],
    });
  });

  it('names the input when the file is read', async () => {
    const inputs = readInputs((name) => ({ config: 'examples/sort/joulediff.yml', repetitions: '0' })[name] ?? '');
    await expect(experimentOf(inputs.experiment)).rejects.toThrow(
      'input "repetitions": 0 was given; it must be a whole number from 1 to 10,000',
    );
  });

  it('bears the repository’s name where it has none and lies at the top', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'joulediff-hostexecutor-'));
    try {
      mkdirSync(join(folder, 'bench'));
      const text = '{ workload: { run: x }, variants: { a: {}, b: {} } }';
      for (const path of ['joulediff.yml', 'bench/joulediff.yml']) writeFileSync(join(folder, path), text);
      const named = async (config: string) =>
        (
          await experimentOf(
            readInputs((name) => (name === 'config' ? config : undefined) ?? '', folder, null, 'demo').experiment,
          )
        ).name;
      expect(await named('joulediff.yml')).toBe('demo');
      expect(await named('bench/joulediff.yml')).toBe('bench');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('changes nothing that no input names', async () => {
    const inputs = readInputs((name) => ({ config: 'examples/sort/joulediff.yml', seed: '3' })[name] ?? '');
    expect(await experimentOf(inputs.experiment)).toMatchObject({ name: 'sort', seed: 3, repetitions: 30, restS: 20 });
  });
});

describe('the result', () => {
  const RUN = { run: 'x', image: 'a' };

  it('goes where the defaults say', () => {
    expect(read(RUN)).toMatchObject({
      outDir: '/workspace/joulediff-out',
      token: '',
      comment: 'always',
      commentKey: '',
      artifactName: 'joulediff',
    });
  });

  it('is commented on changes only where that is asked for', () => {
    expect(read({ ...RUN, comment: 'changes' })).toMatchObject({ comment: 'changes' });
  });

  it('goes where the inputs say', () => {
    const given = {
      out: 'results/energy',
      'github-token': 't',
      comment: 'never',
      'comment-key': 'arm64',
      artifact: 'false',
    };
    expect(read({ ...RUN, ...given })).toMatchObject({
      outDir: '/workspace/results/energy',
      token: 't',
      comment: 'never',
      commentKey: 'arm64',
      artifactName: null,
    });
  });
});

describe('fail-on', () => {
  const failOn = (given: string) => {
    const { experiment } = read({ run: 'x', image: 'a', 'fail-on': given });
    return experiment.kind === 'inline' ? experiment.experiment.failOn : undefined;
  };

  it('is a threshold a line, as the experiment file has it', () => {
    expect(failOn('5%\n\n  - 20 J\n{ below: -3%, variant: container, even-if-inconclusive: true }\n')).toMatchObject([
      { text: '5%', direction: 'above', evenIfInconclusive: false },
      { text: '20 J', metric: 'joules' },
      { text: '-3%', direction: 'below', variant: 'container', evenIfInconclusive: true },
    ]);
    expect(failOn('')).toBeUndefined();
  });

  it.each(['5', '5%\n20 kJ', '{ above: 5%, variant: other }', '[', '5%]'])('%j is refused by its name', (given) => {
    expect(() => failOn(given)).toThrow(/input "fail-on"/);
  });
});

describe('wrong inputs', () => {
  const ROOT = { run: 'x', image: 'a' };
  it.each([
    [
      {},
      [
        'input "run": nothing was given; it must be the command to measure, or give config, the path of an experiment file',
        'input "image": nothing was given; give image or dockerfile, so that there is a container to compare with',
      ],
    ],
    [
      { run: 'x' },
      ['input "image": nothing was given; give image or dockerfile, so that there is a container to compare with'],
    ],
    [
      { ...ROOT, dockerfile: 'Dockerfile' },
      [
        'input "dockerfile": it was given together with image; leave out dockerfile to run that image, or image to build one',
      ],
    ],
    [
      { ...ROOT, config: 'joulediff.yml' },
      [
        'input "run": it was given together with config, whose file says what is measured; leave out run or config',
        'input "image": it was given together with config, whose file says what is measured; leave out image or config',
      ],
    ],
    [{ ...ROOT, repetitions: '0' }, ['input "repetitions": 0 was given; it must be a whole number from 1 to 10,000']],
    [
      { ...ROOT, repetitions: 'many' },
      [
        'input "repetitions": "many" was given; it must be a whole number from 1 to 10,000, "auto", or a map such as { least: 10, most: 60 }, { want: 1%, within: 15min } or { looks: [30, 45, 60] }',
      ],
    ],
    [{ ...ROOT, warmup: '-1' }, ['input "warmup": -1 was given; it must be a whole number from 0 to 1,000']],
    [{ ...ROOT, seed: '1.5' }, ['input "seed": 1.5 was given; it must be a whole number from 0 to 4,294,967,295']],
    [
      { run: 'x', image: 'i', base: 'true' },
      [
        'input "base": "true" was given, and this is no job of a forge; give the revision to compare with, such as main',
        'input "image": it was given together with base, and an image has the same files at every commit; give dockerfile to build it at each',
      ],
    ],
    [
      { ...ROOT, margin: '80%' },
      ['input "margin": "80%" was given; it must be a percentage from 0% to 50%, with its sign, such as 1%'],
    ],
    [
      { ...ROOT, rest: '20 sec' },
      [
        'input "rest": "20 sec" was given; it must be "auto", or a time from 0 to 1h, such as 20s, 500ms, 2m, 1h or a number of seconds',
      ],
    ],
    [
      { ...ROOT, rest: '20s', guard: '30' },
      [
        'input "guard": 30 was given, longer than the rest ("20s") that it lies in; give a shorter guard or a longer rest',
      ],
    ],
    [
      { run: 'x', image: 'My-Image' },
      [
        'input "image": "My-Image" was given; it must be the reference of an image, such as debian:12 or registry.example/team/app@sha256:…, in lower case',
      ],
    ],
    [
      { ...ROOT, set: 'warmup\nwarmup.run=3' },
      [
        'input "set": "warmup" was given; each line must be key=value, such as warmup.runs=1',
        'input "set" warmup.run=3: unknown key; did you mean "runs"?',
      ],
    ],
    [
      { ...ROOT, comment: 'alway' },
      ['input "comment": "alway" was given; it must be "always", "changes" or "never" (did you mean "always"?)'],
    ],
    [{ ...ROOT, comment: 'true' }, ['input "comment": "true" was given; it must be "always", "changes" or "never"']],
    [
      { ...ROOT, 'comment-key': 'a\nb' },
      ['input "comment-key": "a\\nb" was given; it must be 100 printable characters at most'],
    ],
    [
      { ...ROOT, artifact: 'a/b' },
      [
        'input "artifact": "a/b" was given; it must be a name without " : < > | * ? \\ / of 200 characters at most, or false for none',
      ],
    ],
  ])('%j', (given, expected) => {
    expect(problems(given as Record<string, string>)).toEqual(expected);
  });

  it.each<[string, string, Record<string, string>]>([
    ['head', 'it was given without mode: publish and without check: true', { head: 'd'.repeat(40) }],
    ['head', '"ddddddd" was given; it must be the full name of a commit', { head: 'ddddddd', check: 'true' }],
    ['head', '"$(id)" was given; it must be the full name of a commit', { head: '$(id)', check: 'true' }],
    [
      'pull-request',
      'it was given without mode: publish, which shows a request',
      { 'pull-request': '5', check: 'true' },
    ],
  ])('are those of a request in a job that measures, but a full hash with check: true: %s %s', (name, why, given) => {
    expect(problems({ run: 'x', image: 'y', ...given })).toEqual([`input "${name}": ${why}`]);
    expect(read({ run: 'x', image: 'y', head: 'd'.repeat(40), check: 'true' }).head).toBe('d'.repeat(40));
  });

  it('are all told at once', () => {
    expect(problems({ ...ROOT, comment: 'x', repetitions: '0', seed: 'x', volumes: 'data:/data' })).toHaveLength(4);
  });
});

describe('action.yml', () => {
  const action = parse(readFileSync('action.yml', 'utf8'));

  it('declares the inputs that are read', () => {
    const asked = new Set<string>();
    readInputs((name) => {
      asked.add(name);
      return ({ run: 'x', image: 'a' } as Record<string, string>)[name] ?? '';
    });
    expect(Object.keys(action.inputs).sort()).toEqual([...asked].sort());
    expect(Object.keys(action.inputs)).toEqual([...INPUT_NAMES]);
  });

  it('has the defaults of the program, and none that would override a file', () => {
    const withDefault = Object.entries<{ default?: string }>(action.inputs).filter(([, input]) => 'default' in input);
    expect(Object.fromEntries(withDefault.map(([name, input]) => [name, input.default]))).toEqual({
      ...INPUT_DEFAULTS,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the workflow's own syntax
      'github-token': '${{ github.token }}',
    });
  });

  it('declares the outputs that are set', () => {
    const nowhere = { reportPath: null, databasePath: null, commentUrl: null, artifactUrl: null, reportUrl: null };
    expect(Object.keys(action.outputs)).toEqual([...OUTPUT_NAMES, ...REQUEST_OUTPUTS]);
    expect(Object.keys(outputsOf(null, nowhere)).sort()).toEqual([...OUTPUT_NAMES].sort());
  });

  it('describes everything, and runs on Node 24', () => {
    for (const part of [...Object.values(action.inputs), ...Object.values(action.outputs)]) {
      expect((part as { description: string }).description).toMatch(/\.$/);
    }
    expect(action.runs).toEqual({ using: 'node24', main: 'dist/main.js', post: 'dist/post.js' });
    expect(action.branding).toEqual({ icon: expect.any(String), color: expect.any(String) });
  });
});
