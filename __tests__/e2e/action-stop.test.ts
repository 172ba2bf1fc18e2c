// Class: world, alone.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  busyboxContext,
  containersOf,
  docker,
  experimentFile,
  joulediff,
  readCsv,
  temporaryFolder,
} from './program.ts';

// What a cancelled or killed job leaves: main.js and post.js are started as the runner does it, with its environment.

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

let folder: ReturnType<typeof temporaryFolder>;
const steps: Step[] = [];

beforeEach(() => {
  folder = temporaryFolder();
  busyboxContext(join(folder.path, 'image'));
  for (const name of ['state', 'output', 'summary']) {
    writeFileSync(join(folder.path, name), '');
  }
});

afterEach(async () => {
  for (const { child, ended } of steps.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  folder.remove();
});

const read = (name: string) => readFileSync(join(folder.path, name), 'utf8');

/** Value of a key in a file of the runner. */
const valueIn = (name: string, key: string) =>
  new RegExp(`^${key}<<(ghadelimiter_.+)\\n([\\s\\S]*?)\\n?\\1$`, 'm').exec(read(name))?.[2] ?? null;

interface Step {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; signal: string | null; log: string }>;
}

function start(script: 'main.js' | 'post.js', env: Readonly<Record<string, string>>): Step {
  const child = spawn(process.execPath, [join(DIST, script)], {
    cwd: folder.path,
    env: {
      PATH: process.env.PATH,
      HOME: folder.path,
      ...(process.env.DOCKER_HOST === undefined ? {} : { DOCKER_HOST: process.env.DOCKER_HOST }),
      GITHUB_STATE: join(folder.path, 'state'),
      GITHUB_OUTPUT: join(folder.path, 'output'),
      GITHUB_STEP_SUMMARY: join(folder.path, 'summary'),
      JOULEDIFF_LOCK: `joulediff.test.action.${process.pid}`,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk;
    });
  }
  const ended: Step['ended'] = new Promise((done) => {
    child.once('close', (code, signal) => done({ code, signal, log }));
  });
  const step = { child, ended };
  steps.push(step);
  return step;
}

const INPUTS = {
  INPUT_DOCKERFILE: 'image/Dockerfile',
  INPUT_CONTEXT: 'image',
  INPUT_METER: 'estimate',
  INPUT_REPETITIONS: '6',
  INPUT_WARMUP: '0',
  INPUT_REST: '200ms',
  INPUT_GUARD: '50ms',
};

/** Quick in the first two blocks, endless in the container from then on. */
const STUCK = 'test "$JOULEDIFF_RUN" -le 4 || test "$JOULEDIFF_VARIANT" = native || sleep 3600';

/** Waits until a container of the job's experiment runs for ever: not only the shell that may come to it. */
async function stuck(step: Step): Promise<string> {
  let over = false;
  void step.ended.then(() => {
    over = true;
  });
  while (!over) {
    const id = valueIn('state', 'experiment');
    const containers = id === null ? [] : containersOf(id);
    if (
      id !== null &&
      containers.some((name) => /:\d\d +sleep 3600$/m.test(spawnSync('docker', ['top', name]).stdout.toString()))
    ) {
      return id;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error((await step.ended).log);
}

describe('a job that is stopped', () => {
  it('by SIGINT reports what is finished as partial, fails, and leaves no container', async () => {
    const step = start('main.js', { ...INPUTS, INPUT_RUN: STUCK });
    const id = await stuck(step);
    step.child.kill('SIGINT');
    const { code, log } = await step.ended;
    expect(code).toBe(1);
    expect(log).toMatch(/^::error::The job was cancelled \(SIGINT\)/m);
    expect(containersOf(id)).toEqual([]);
    expect(valueIn('output', 'verdict')).not.toBe('');
    expect(existsSync(valueIn('output', 'database-path') ?? '')).toBe(true);
    expect(read('summary')).toContain('the numbers cover what was measured until then');
    expect(read('summary')).toContain('The job was cancelled (SIGINT)');
    expect(read('summary')).not.toContain('--resume');
  });

  it('in the middle of a block keeps its finished runs, and --resume makes up for nothing but what is missing', async () => {
    const marker = `3600.${process.pid}`;
    experimentFile(folder.path, {
      // The second run of the second block never ends, until it is run again.
      workload: { run: `test "$JOULEDIFF_RUN" -ne 5 || sleep ${marker}` },
      variants: { native: {}, container: { build: { context: 'image' } }, again: {} },
      repetitions: 2,
      warmup: { runs: 0 },
      rest: '200ms',
      guard: '50ms',
      seed: 4,
      meter: 'estimate',
    });
    const step = start('main.js', { INPUT_CONFIG: 'joulediff.yml' });
    while (spawnSync('pgrep', ['-f', `^sleep ${marker}$`]).status !== 0) {
      if (step.child.exitCode !== null) throw new Error((await step.ended).log);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    step.child.kill('SIGINT');
    expect((await step.ended).code).toBe(1);
    const out = join(folder.path, 'joulediff-out');
    const before = readCsv(join(out, 'runs.csv'));
    expect(before.map((run) => [run.block, run.status, run.reason])).toEqual([
      ['1', 'ok', ''],
      ['1', 'ok', ''],
      ['1', 'ok', ''],
      ['2', 'ok', ''],
      ['2', 'invalid', 'stopped by SIGINT'],
    ]);

    const resumed = await joulediff(['run', 'joulediff.yml', '--out', out, '--resume'], {
      cwd: folder.path,
      env: { JOULEDIFF_LOCK: `joulediff.test.action.${process.pid}` },
    });
    expect(resumed).toMatchObject({ code: 0 });
    const after = readCsv(join(out, 'runs.csv'));
    expect(after.map((run) => run.status)).toEqual(['ok', 'ok', 'ok', 'ok', 'invalid', 'ok', 'ok']);
    expect(after.slice(0, 4)).toEqual(before.slice(0, 4));
    expect(after[5]?.variant).toBe(before[4]?.variant);
    expect(new Set(after.slice(3).map((run) => run.variant)).size).toBe(3);
  });

  it('by SIGKILL has its container removed by the post step, and nobody else’s', async () => {
    const step = start('main.js', { ...INPUTS, INPUT_RUN: STUCK });
    const id = await stuck(step);
    step.child.kill('SIGKILL');
    await step.ended;
    expect(containersOf(id)).toHaveLength(1);
    const other = docker(
      'create',
      '--label',
      'somebody=else',
      docker('inspect', '-f', '{{.Image}}', containersOf(id)[0] ?? ''),
      'true',
    );
    try {
      const post = await start('post.js', { STATE_experiment: id }).ended;
      expect(post.code).toBe(0);
      expect(post.log).toMatch(/Removed the container/);
      const out = join(folder.path, 'joulediff-out');
      expect(post.log).toContain(`What an interrupted joulediff measured is in ${out} now`);
      expect(readdirSync(out).sort()).toEqual(['experiment.db', 'logs']);
      expect(containersOf(id)).toEqual([]);
      expect(docker('inspect', '-f', '{{.State.Status}}', other)).toBe('created');
    } finally {
      docker('rm', '-f', other);
    }
  });

  it('before it began has nothing for the post step to do', async () => {
    expect(await start('post.js', {}).ended).toEqual({ code: 0, signal: null, log: '' });
  });
});

describe('inputs that are wrong', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    ['no command', { INPUT_IMAGE: 'x' }, /::error::.*input "run"/],
    ['a meter that does not exist', { ...INPUTS, INPUT_RUN: 'true', INPUT_METER: 'estimte' }, /::error::.*estimte/],
    ['zero repetitions', { ...INPUTS, INPUT_RUN: 'true', INPUT_REPETITIONS: '0' }, /::error::.*input "repetitions"/],
  ])('%s: fail the step with a sentence before anything is started', async (_, env, message) => {
    const { code, log } = await start('main.js', env).ended;
    expect(code).toBe(1);
    expect(log).toMatch(message);
    expect(log).not.toMatch(/^\s+at /m);
    expect(valueIn('state', 'experiment')).toBeNull();
    expect(existsSync(join(folder.path, 'joulediff-out'))).toBe(false);
  });

  it('an output folder with somebody else’s files: they are not touched, and not uploaded', async () => {
    mkdirSync(join(folder.path, 'joulediff-out'));
    writeFileSync(join(folder.path, 'joulediff-out', 'thesis.tex'), 'mine');
    const { code, log } = await start('main.js', { ...INPUTS, INPUT_RUN: 'true' }).ended;
    expect(code).toBe(1);
    expect(log).toMatch(/::error::.*thesis\.tex/);
    expect(read('joulediff-out/thesis.tex')).toBe('mine');
  });
});
