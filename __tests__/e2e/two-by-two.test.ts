// Class: world, long.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Findings } from '../../src/findings/findings.ts';
import { TestRepository } from '../measure/checkout/repository-folder.ts';
import {
  busyboxContext,
  containersOf,
  docker,
  type Ended,
  experimentFile,
  joulediff,
  markImages,
  readCsv,
  removeImages,
  start,
  temporaryFolder,
} from './program.ts';

// Two revisions of a real repository, natively and in images that are built from each of them.

let repository: TestRepository;
let scratch: ReturnType<typeof temporaryFolder>;
let out: string;
let commits: [string, string];
const images = new Set<string>();

/** Checkouts are made here, so that what is left of them is seen. */
const temporary = () => join(scratch.path, 'tmp');
const env = () => ({ TMPDIR: temporary(), RUNNER_TEMP: '' });

/** Prints which revision it is of, and works a little; the sleep can be found and killed. */
const script = (revision: string, sleep: string) =>
  `#!/bin/sh\necho "I am $JOULEDIFF_VARIANT at ${revision}"\ni=0; while [ $i -lt 20000 ]; do i=$((i+1)); done\nsleep ${sleep}\n`;

const experiment = {
  name: 'two by two',
  workload: { run: ['./work.sh'] },
  matrix: {
    revision: { base: { revision: 'main' }, head: { revision: 'feature' } },
    place: { native: {}, container: { build: { context: '.' }, workdir: '/' } },
  },
  repetitions: 4,
  warmup: { runs: 1 },
  rest: '200ms',
  guard: '100ms',
  seed: 5,
  meter: 'estimate',
};

function makeRepository(sleep: string): void {
  repository = TestRepository.create();
  busyboxContext(join(repository.path, 'bench'));
  repository.write(
    'bench/Dockerfile',
    `FROM scratch\n${markImages(repository.path)}COPY busybox /bin/busybox\nRUN ["/bin/busybox", "--install", "/bin"]\nCOPY work.sh /work.sh\n`,
  );
  const first = repository.write('bench/work.sh', script('main', sleep), 0o755).commit();
  repository.git('switch', '--quiet', '--create', 'feature');
  const second = repository.write('bench/work.sh', script('feature', sleep), 0o755).commit();
  commits = [first, second];
  // What lies in the working tree is neither of the two.
  repository.write('bench/work.sh', '#!/bin/sh\nexit 9\n', 0o755);
  scratch = temporaryFolder();
  mkdirSync(temporary());
  out = join(scratch.path, 'out');
}

const findings = (): Findings => JSON.parse(readFileSync(join(out, 'findings.json'), 'utf8'));

function remove(): void {
  const path = join(out, 'findings.json');
  if (existsSync(path)) for (const { facts } of findings().variants) images.add(String(facts.image));
  for (const image of images) if (image !== '') docker('rmi', '-f', image);
  images.clear();
  removeImages(repository.path);
  repository.remove();
  scratch.remove();
}

describe('two revisions in two places', () => {
  let ended: Ended;

  beforeAll(async () => {
    makeRepository('0.1');
    const file = experimentFile(join(repository.path, 'bench'), experiment);
    ended = await joulediff(['run', file, '--out', out], { cwd: scratch.path, env: env() });
    if (ended.code !== 0) throw new Error(ended.stderr);
  }, 180_000);
  afterAll(remove);

  it('run each variant at its own revision, whatever the working tree holds', () => {
    const reported = readdirSync(join(out, 'logs')).map((name) => readFileSync(join(out, 'logs', name), 'utf8').trim());
    expect(new Set(reported)).toEqual(
      new Set([
        'I am base/native at main',
        'I am base/container at main',
        'I am head/native at feature',
        'I am head/container at feature',
      ]),
    );
    expect(reported).toHaveLength(20);
  });

  it('are in every block, with their commits in runs.csv', () => {
    const rows = readCsv(join(out, 'runs.csv'));
    const at = { base: commits[0], head: commits[1] };
    for (const row of rows) expect(row.revision).toBe(at[row.variant?.split('/')[0] as 'base' | 'head']);
    const blocks = Map.groupBy(rows, (row) => row.block);
    expect(blocks.size).toBe(5);
    for (const block of blocks.values()) expect(new Set(block.map((row) => row.variant)).size).toBe(4);
    expect(new Set([...blocks.values()].map((block) => block.map((row) => row.variant).join())).size).toBeGreaterThan(
      1,
    );
  });

  it('give findings that follow their schema: revisions, main differences, interaction', () => {
    const found = findings();
    const schema = JSON.parse(readFileSync(new URL('../../docs/findings.schema.json', import.meta.url), 'utf8'));
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    ajv.validate(schema, found);
    expect(ajv.errors ?? []).toEqual([]);
    expect(found.variants.map(({ name, revision }) => [name, revision])).toEqual([
      ['base/native', { name: 'main', commit: commits[0] }],
      ['base/container', { name: 'main', commit: commits[0] }],
      ['head/native', { name: 'feature', commit: commits[1] }],
      ['head/container', { name: 'feature', commit: commits[1] }],
    ]);
    expect(found.comparisons.map(({ baseline }) => baseline)).toEqual(Array(3).fill('base/native'));
    expect(found.factorial).toMatchObject({ blocks: 4 });
    expect(found.factorial?.interaction.estimate).not.toBeNull();
    expect(found.quality.checks.find(({ name }) => name === 'revisions')).toMatchObject({ state: 'ok' });
    const built = found.variants.flatMap(({ facts }) => facts.image_id ?? []);
    expect(new Set(built).size).toBe(2);
  });

  it('are told in every report', () => {
    for (const name of ['comment.md', 'summary.md', 'report.html']) {
      expect(readFileSync(join(out, name), 'utf8')).toContain('Secondary: the verdict rests on the comparisons.');
    }
    expect(ended.stdout).toContain('Two factors.');
    expect(ended.stderr).toContain(`Checked out revision main (commit ${commits[0].slice(0, 12)}).`);
  });

  it('leave no checkout, no container, and the repository as it was', () => {
    expect(readdirSync(temporary())).toEqual([]);
    expect(containersOf(findings().experiment.id ?? '')).toEqual([]);
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(repository.git('status', '--porcelain')).toContain('M bench/work.sh');
    expect(repository.git('branch', '--show-current')).toBe('feature');
  });

  it('are shown by plan', async () => {
    const plan = await joulediff(['plan', '--order', join(repository.path, 'bench', 'joulediff.yml')], { env: env() });
    expect(plan.stdout).toContain('Factors: revision (base, head) × place (native, container)');
    expect(plan.stdout).toContain(`Revision main is commit ${commits[0]}: base/native, base/container.`);
    expect(plan.stdout.split('\n').filter((line) => /^block/.test(line))).toHaveLength(4);
  });

  it('give the same images their names again', async () => {
    const references = findings().variants.map(({ facts }) => facts.image ?? null);
    const again = join(scratch.path, 'again');
    const words = ['measure', join(repository.path, 'bench', 'joulediff.yml'), '--out', again];
    const short = ['--repetitions', '1', '--set', 'warmup.runs=0'];
    expect((await joulediff([...words, ...short], { env: env() })).code).toBe(0);
    await joulediff(['report', join(again, 'experiment.db'), '--out', again]);
    const second: Findings = JSON.parse(readFileSync(join(again, 'findings.json'), 'utf8'));
    expect(second.variants.map(({ facts }) => facts.image ?? null)).toEqual(references);
  });
});

describe('an experiment at revisions that is ended from outside', () => {
  beforeEach(() => makeRepository('1.5'));
  afterEach(remove);

  const words = () => ['run', experimentFile(join(repository.path, 'bench'), two), '--out', out];
  /** Natively only: a second and a half of sleep in each run. */
  const two = {
    ...experiment,
    matrix: undefined,
    variants: { base: { revision: 'main' }, head: { revision: 'feature' } },
    repetitions: 1,
    warmup: { runs: 0 },
  };

  it('leaves no checkout after a signal, and goes on at its commits when the branch has moved', async () => {
    const program = start(words(), { env: env() });
    await program.reported(/run 1 of 2/);
    expect(readdirSync(temporary())).toHaveLength(1);
    program.child.kill('SIGTERM');
    expect((await program.ended).code).toBe(143);
    expect(readdirSync(temporary())).toEqual([]);
    repository.git('commit', '--quiet', '--all', '-m', 'moved on');
    const resumed = await joulediff([...words(), '--resume'], { env: env() });
    expect({ code: resumed.code, stderr: resumed.stderr }).toMatchObject({ code: 0 });
    expect(findings().variants.map(({ revision }) => revision?.commit)).toEqual(commits);
    expect(readdirSync(temporary())).toEqual([]);
  });

  it('leaves checkouts when it was killed, which the next start removes', async () => {
    const program = start(words(), { env: env() });
    await program.reported(/run 1 of 2/);
    program.child.kill('SIGKILL');
    await program.ended;
    expect(readdirSync(temporary())).toHaveLength(1);
    const next = await joulediff([...words(), '--resume'], { env: env() });
    expect(next.code).toBe(0);
    expect(next.stderr).toMatch(/Removed the checkouts in .* that an earlier experiment left/);
    expect(readdirSync(temporary())).toEqual([]);
  });

  it('starts nothing when a revision is not there', async () => {
    const file = experimentFile(join(repository.path, 'bench'), two);
    const ended = await joulediff(['run', file, '--out', out, '--set', 'variants.base.revision=mian'], { env: env() });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('The revision "mian" is not a commit in the repository');
    expect(existsSync(out)).toBe(false);
  });

  it('removes its checkouts when the workload fails', async () => {
    const failing = { ...two, workload: { run: 'exit 3' } };
    const file = experimentFile(join(repository.path, 'bench'), failing);
    expect((await joulediff(['run', file, '--out', out], { env: env() })).code).toBe(3);
    expect(readdirSync(temporary())).toEqual([]);
  });
});
