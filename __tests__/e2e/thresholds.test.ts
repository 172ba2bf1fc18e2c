// Class: world, long.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Findings } from '../../src/findings/findings.ts';
import { type CommentsServer, startCommentsServer } from '../servers/comments-server.ts';
import { type Ended, experimentFile, joulediff, temporaryFolder } from './program.ts';

// Thresholds and costs on real processes, by the estimate of the processor's use: ten times the work cannot hide, whatever else the machine does.

const folder = temporaryFolder();
const spin = (rounds: number): string => `i=0; while [ $i -lt ${rounds} ]; do i=$((i+1)); done`;
const experiment = {
  name: 'spin',
  workload: { run: spin(30_000) },
  variants: { native: {}, tenfold: { run: spin(300_000) } },
  baseline: 'native',
  // Three thresholds share the error: six blocks could not show any.
  repetitions: 8,
  warmup: { runs: 0 },
  rest: '200ms',
  guard: '100ms',
  seed: 11,
  meter: 'estimate',
  cost: { price: '0.30 EUR/kWh', intensity: '380 g/kWh', task: { name: '10^6 spins', runs: 1e6 } },
};
const out = join(folder.path, 'out');
const read = (name: string): string => readFileSync(join(out, name), 'utf8');

let ended: Ended;
let server: CommentsServer;

beforeAll(async () => {
  server = await startCommentsServer();
  const file = experimentFile(folder.path, experiment);
  ended = await joulediff(['run', file, '--out', out, '--set', 'fail-on=[100%, { below: -50% }, 9000%]'], {
    cwd: folder.path,
  });
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

describe('a threshold that is crossed', () => {
  it('makes the exit code 1, with everything of the result there', () => {
    expect({ code: ended.code, stderr: ended.code === 1 ? '' : ended.stderr }).toEqual({ code: 1, stderr: '' });
    const findings = JSON.parse(read('findings.json')) as Findings;
    expect(findings.thresholds?.map(({ state, fails }) => [state, fails])).toEqual([
      ['crossed', true],
      ['kept', false],
      ['kept', false],
    ]);
    expect(ended.stdout.replace(/\s+/g, ' ')).toContain('The limit of +100 % is crossed. tenfold against native: +');
    expect(read('comment.md').split('\n')[0]).toMatch(/`tenfold` took .* longer than `native` .* — threshold crossed$/);
  });

  it('is so too in what is computed from the database again', async () => {
    const report = await joulediff(['report', join(out, 'experiment.db'), '--out', join(folder.path, 'again')]);
    expect([report.code, report.stderr]).toEqual([1, expect.stringContaining('The limit of +100 % is crossed.')]);
    expect((await joulediff(['analyze', join(out, 'experiment.db'), '--json'])).code).toBe(1);
    const shown = await joulediff(['report', join(out, 'findings.json'), '--out', join(folder.path, 'shown')]);
    expect(shown.code).toBe(1);
  });

  it('tells what both variants cost, of the model that the energy is from', () => {
    const { costs, variants } = JSON.parse(read('findings.json')) as Findings;
    const [native] = variants;
    expect(costs?.variants[0]?.run.money).toBeCloseTo(((native?.energy_j?.mean ?? Number.NaN) * 0.3) / 3.6e6, 15);
    expect(costs?.variants[0]?.task?.carbon_g).toBeCloseTo(
      (native?.energy_j?.mean ?? Number.NaN) * 1e6 * (380 / 3.6e6),
      6,
    );
    expect(read('comment.md')).toContain('of the energy that the model estimates');
  });

  it('fails the step of the action after outputs, annotation, summary and comment are out', async () => {
    const { code, stdout } = await action({ 'fail-on': '100%\n9000%' });
    expect(stdout).toMatch(
      /^::error title=Energy limit crossed%3A tenfold%2C \+100 %25 \(estimated%2C not measured\)::The limit of \+100 %25 is crossed\./m,
    );
    expect(code).toBe(1);
    const text = (name: string): string => readFileSync(join(folder.path, 'job', name), 'utf8');
    expect(text('output')).toMatch(/threshold-crossed<<.*\ntrue\n/);
    expect(text('summary')).toContain('**This fails the job:**');
    expect(server.comments.map(({ body }) => body.split('\n')[1])).toEqual([
      expect.stringMatching(/ — threshold crossed$/),
    ]);
  });

  it('does not, where the threshold is kept', async () => {
    const { code, stdout } = await action({ 'fail-on': '9000%', comment: 'never' });
    expect([code, stdout.includes('::error')]).toEqual([0, false]);
  });
});

/** The action as it is shipped, in a job for pull request 5, with the experiment file above. */
async function action(inputs: Readonly<Record<string, string>>): Promise<{ code: number | null; stdout: string }> {
  const job = join(folder.path, 'job');
  mkdirSync(job, { recursive: true });
  for (const name of ['output', 'summary', 'state']) writeFileSync(join(job, name), '');
  const pull = { number: 5, head: { sha: 'd'.repeat(40), repo: { full_name: 'octo/demo' } } };
  writeFileSync(join(job, 'event.json'), JSON.stringify({ pull_request: pull }));
  const given = {
    config: join(folder.path, 'joulediff.yml'),
    out: join(job, 'out'),
    artifact: 'false',
    'github-token': 'ghs_secret',
    ...inputs,
  };
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    JOULEDIFF_LOCK: `joulediff.test.${process.pid}`,
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    GITHUB_REPOSITORY: 'octo/demo',
    GITHUB_RUN_ID: '12',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_WORKFLOW: 'Energy',
    GITHUB_JOB: 'measure',
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_API_URL: server.url,
    GITHUB_EVENT_PATH: join(job, 'event.json'),
    GITHUB_STEP_SUMMARY: join(job, 'summary'),
    GITHUB_OUTPUT: join(job, 'output'),
    GITHUB_STATE: join(job, 'state'),
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../dist/main.js')], {
    cwd: folder.path,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout };
}
