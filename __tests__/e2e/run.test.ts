// Class: system, long.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Findings } from '../../src/findings/findings.ts';
import { plainText } from '../../src/report/document/text.ts';
import { verdictText } from '../../src/report/words/verdict.ts';
import { NODE } from '../terminal/program.ts';
import {
  busyboxContext,
  CLI,
  type CsvRow,
  containersOf,
  docker,
  type Ended,
  experimentFile,
  joulediff,
  readCsv,
  temporaryFolder,
} from './program.ts';

// The whole way on real parts: real processes, real containers, the estimate of the processor's use as the meter.

const folder = temporaryFolder();
const out = join(folder.path, 'out');
let ended: Ended;
let runs: CsvRow[];
let findings: Findings;

const SPIN = 'i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done; test -e /tmp/$JOULEDIFF_EXPERIMENT.made';
const experiment = {
  name: 'spin',
  workload: {
    run: SPIN,
    prepare: 'mkdir -p /tmp && touch /tmp/$JOULEDIFF_EXPERIMENT.made',
    cleanup: 'rm /tmp/$JOULEDIFF_EXPERIMENT.made',
  },
  variants: { native: {}, container: { build: { context: './image' } } },
  repetitions: 6,
  warmup: { runs: 1 },
  rest: '200ms',
  guard: '100ms',
  seed: 11,
  meter: 'estimate',
};

beforeAll(async () => {
  busyboxContext(join(folder.path, 'image'));
  ended = await joulediff(['run', experimentFile(folder.path, experiment), '--out', out], { cwd: folder.path });
  if (ended.code !== 0) throw new Error(ended.stderr);
  runs = readCsv(join(out, 'runs.csv'));
  findings = JSON.parse(readFileSync(join(out, 'findings.json'), 'utf8'));
});
afterAll(() => {
  const image = findings.variants.find((v) => v.name === 'container')?.facts.image as string | undefined;
  if (image) docker('rmi', '-f', image);
  folder.remove();
});

describe('joulediff run', () => {
  it('leaves every file of a result', () => {
    const names = readdirSync(out);
    for (const name of [
      'experiment.db',
      'findings.json',
      'comment.md',
      'summary.md',
      'report.html',
      'runs.csv',
      'samples.csv',
    ]) {
      expect(names).toContain(name);
      expect(statSync(join(out, name)).size).toBeGreaterThan(100);
    }
    expect(readdirSync(join(out, 'charts')).some((name) => name.endsWith('.png'))).toBe(true);
    expect(readdirSync(join(out, 'logs'))).toHaveLength(14);
  });

  it('runs every variant once a block, in the order that plan tells for the seed', async () => {
    const plan = await joulediff(['plan', '--order', join(folder.path, 'joulediff.yml')]);
    const planned = plan.stdout.split('\n').flatMap((line) => {
      const block = /^(warm-up|block \d+)\s+(.*)$/.exec(line);
      return block?.[2]?.split(' · ').map((variant) => `${block[1] === 'warm-up' ? 'warmup' : 'ok'} ${variant}`) ?? [];
    });
    expect(runs.map((run) => `${run.status} ${run.variant}`)).toEqual(planned);
    expect(planned).toHaveLength(14);
  });

  it('gives each run a window with energy that fits its time and power', () => {
    for (const run of runs) {
      const lengthS = Number(BigInt(run.end_ns ?? 0) - BigInt(run.start_ns ?? 0)) / 1e9;
      expect(Number(run.duration_s)).toBeCloseTo(lengthS, 6);
      expect(Number(run.energy_j)).toBeGreaterThan(0);
      expect(Number(run.energy_j) / lengthS / Number(run.mean_power_w)).toBeCloseTo(1, 6);
    }
  });

  it('writes findings that follow their published schema and agree with runs.csv', () => {
    const schema = JSON.parse(readFileSync(new URL('../../docs/findings.schema.json', import.meta.url), 'utf8'));
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const valid = ajv.validate(schema, findings);
    expect(ajv.errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    const native = runs
      .filter((run) => run.variant === 'native' && run.status === 'ok')
      .map((run) => Number(run.energy_j));
    expect(findings.variants.find((v) => v.name === 'native')?.energy_j?.mean).toBeCloseTo(
      native.reduce((a, b) => a + b) / 6,
      9,
    );
    expect(findings.comparisons).toMatchObject([{ baseline: 'native', variant: 'container', blocks: 6 }]);
    expect(findings.experiment).toMatchObject({ seed: 11, repetitions_completed: 6, complete: true });
    const image = findings.variants.find((v) => v.name === 'container')?.facts;
    expect(image?.image_id).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('counts context switches alike in every place, above those of the idle machine, with an interval', () => {
    for (const { counters = [] } of findings.variants) {
      const counted = counters.find(({ counter }) => counter === 'switches_above_idle');
      expect(counted).toMatchObject({ runs: 6, missing: null, value: { mean: expect.any(Number) } });
    }
    const [{ resources = [] } = {}] = findings.comparisons;
    const switches = resources.find(({ resource }) => resource === 'switches_above_idle');
    const { open = Number.NaN, difference = Number.NaN, ci95 } = switches ?? {};
    expect(open).toBeGreaterThanOrEqual(0);
    expect(ci95?.[0]).toBeLessThanOrEqual(difference - open);
    expect(ci95?.[1]).toBeGreaterThanOrEqual(difference + open);
    expect(readFileSync(join(out, 'summary.md'), 'utf8')).toContain('context switches above idle');
  });

  it('says in every output that these numbers are a model', () => {
    expect(findings.meter).toMatchObject({ type: 'estimate', measured: false, source: 'modelled' });
    expect(ended.stdout).toMatch(/model/i);
    for (const name of ['comment.md', 'summary.md', 'report.html']) {
      expect(readFileSync(join(out, name), 'utf8')).toMatch(/model/i);
    }
    for (const name of readdirSync(join(out, 'charts')).filter((n) => n.endsWith('.svg'))) {
      // Durations and resources are measured, whatever the meter.
      const words = { 'duration-violin.svg': /by the clock/, 'resources.svg': /by the kernel/ }[name] ?? /model/i;
      expect(readFileSync(join(out, 'charts', name), 'utf8')).toMatch(words);
    }
  });

  it('prints the verdict, and progress apart from it', () => {
    expect(ended.stdout).toContain(plainText(verdictText(findings.comparisons[0]!, 1)).slice(0, 20));
    expect(ended.stderr).toMatch(/run 1 of 14/);
    expect(ended.stdout).not.toMatch(/run 1 of 14/);
  });

  it('leaves no container, and nothing of its own outside the result', () => {
    expect(containersOf(findings.experiment.id ?? '')).toEqual([]);
    expect(existsSync(`/tmp/${findings.experiment.id}.made`)).toBe(false);
  });

  it('analyzes and reports again from the database, to the same bytes', async () => {
    const again = join(folder.path, 'again');
    expect((await joulediff(['report', join(out, 'experiment.db'), '--out', again])).code).toBe(0);
    for (const name of ['findings.json', 'comment.md', 'summary.md', 'report.html', 'runs.csv', 'samples.csv']) {
      expect(readFileSync(join(again, name), 'utf8')).toBe(readFileSync(join(out, name), 'utf8'));
    }
    const analyzed = await joulediff(['analyze', join(out, 'experiment.db'), '--json']);
    expect(analyzed.stdout.trim()).toBe(readFileSync(join(out, 'findings.json'), 'utf8').trim());
  });

  it('has nothing left to measure when it is resumed', async () => {
    const resumed = await joulediff(['measure', join(folder.path, 'joulediff.yml'), '--out', out, '--resume'], {
      cwd: folder.path,
    });
    expect(resumed).toMatchObject({ code: 0 });
    expect(resumed.stderr).toContain('Nothing is left to measure');
    expect(docker('version', '--format', '{{.Server.Version}}')).not.toBe('');
  });
});

it('is repeated by the commands and the file that its comment names, whatever options changed of its own file', async () => {
  const elsewhere = join(folder.path, 'elsewhere');
  const repository = join(elsewhere, 'repository');
  mkdirSync(join(repository, 'bench'), { recursive: true });
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words]);
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(repository, 'bench', 'work.sh'), '#!/bin/sh\necho "$WORD_OF_IT"; sleep 0.1\n', { mode: 0o755 });
  const file = join(repository, 'bench', 'mine.yaml');
  const given = {
    workload: { run: './work.sh', env: { WORD_OF_IT: 'swordfish' } },
    variants: { one: {}, other: { run: ['sh', './work.sh'] } },
    repetitions: 9,
    warmup: { runs: 0 },
    rest: '100ms',
    guard: '100ms',
    meter: 'auto',
  };
  writeFileSync(file, JSON.stringify(given));
  git('add', '--all');
  git('commit', '--quiet', '-m', 'one');
  const first = join(elsewhere, 'first');
  const words = ['--set', 'repetitions=3', '--set', 'margin=4%', '--meter', 'estimate', '--out', first];
  expect(await joulediff(['run', file, ...words])).toMatchObject({ code: 0 });
  git('commit', '--quiet', '--allow-empty', '-m', 'later');

  const reported = readFileSync(join(first, 'comment.md'), 'utf8').split('How to reproduce')[1] ?? '';
  const commands = /```sh\n([\s\S]*?)```/.exec(reported)?.[1] ?? '';
  expect(commands.split('\n')).toEqual([
    expect.stringMatching(/^git checkout [0-9a-f]{40}$/),
    expect.stringMatching(/^joulediff run experiment\.yml --seed \d+$/),
    '',
  ]);
  const kept = readFileSync(join(first, 'experiment.yml'), 'utf8');
  expect(kept).not.toContain('swordfish');
  // As it says at its beginning.
  writeFileSync(
    join(repository, 'bench', 'experiment.yml'),
    kept.replace("WORD_OF_IT: '***'", 'WORD_OF_IT: swordfish').replace('WORD_OF_IT: "***"', 'WORD_OF_IT: swordfish'),
  );
  const shell = `joulediff() { '${NODE.join("' '")}' '${CLI}' "$@"; }\nset -e\n${commands}`;
  execFileSync('sh', ['-c', shell], { cwd: join(repository, 'bench'), stdio: ['ignore', 'ignore', 'pipe'] });

  const experimentIn = (folder: string) => {
    const { id, started_at, ...others } = JSON.parse(readFileSync(join(folder, 'findings.json'), 'utf8')).experiment;
    return others;
  };
  const again = join(repository, 'bench', 'joulediff-out');
  expect(experimentIn(again)).toEqual(experimentIn(first));
  const planIn = (folder: string) =>
    readCsv(join(folder, 'runs.csv')).map(({ run, block, variant }) => [run, block, variant]);
  expect(planIn(again)).toEqual(planIn(first));
  expect(readFileSync(join(again, 'logs', readdirSync(join(again, 'logs'))[0] ?? ''), 'utf8')).toBe('swordfish\n');
});
