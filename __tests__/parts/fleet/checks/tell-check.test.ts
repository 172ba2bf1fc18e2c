// Class: system, long.
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Check } from '../../../../src/action/part.ts';
import type { Findings } from '../../../../src/findings/findings.ts';
import { connect } from '../../../../src/forge/api.ts';
import { gather } from '../../../../src/parts/fleet/action/gather.ts';
import { readGatherInputs } from '../../../../src/parts/fleet/action/gather-inputs.ts';
import { publishRun } from '../../../../src/parts/fleet/action/publish.ts';
import { decideConclusion } from '../../../../src/parts/fleet/checks/conclusion.ts';
import { type Mark, markName, setMark } from '../../../../src/parts/fleet/checks/mark.ts';
import { checkOfJob } from '../../../../src/parts/fleet/checks/tell-check.ts';
import { commentMarkdown } from '../../../../src/report/comment.ts';
import { findingsJson } from '../../../../src/report/findings-json.ts';
import { type FakeJob, startJob } from '../../../action/job.ts';
import { limits } from '../../../report/fixtures.ts';
import { syntheticAnalysis } from '../../../report/synthetic/analysis.ts';
import { suiteWithout } from '../../../report/synthetic/suite.ts';
import { type MarksOptions, type MarksServer, startMarksServer } from '../../../servers/marks-server.ts';
import { zip } from '../../../servers/zip.ts';

const SHA = 'd'.repeat(40);
let server: MarksServer;
let job: FakeJob | null = null;

afterEach(async () => {
  job?.end();
  job = null;
  await server.close();
});

interface Case extends MarksOptions {
  readonly from?: string;
  readonly event?: readonly [name: string, payload: object];
  readonly head?: string;
}

/** The check of a job that measures a pull request. */
async function startCheck(given: Case = {}, now?: () => number): Promise<Check> {
  server = await startMarksServer(given);
  const head = { sha: SHA, ref: 'feature', repo: { full_name: given.from ?? 'octo/demo' } };
  const env = { GITHUB_API_URL: server.url, GITHUB_WORKFLOW: 'Energy', GITHUB_SHA: 'e'.repeat(40) };
  job = startJob(...(given.event ?? (['pull_request', { pull_request: { number: 5, head } }] as const)), env);
  return checkOfJob(
    { token: 'ghs_secret', commentKey: given.head ? '' : 'sort', head: given.head ?? null },
    process.env,
    now,
  );
}

/** The same, when it has measured this. */
async function check(findings: Findings | null, given: Case = {}): Promise<void> {
  const { end } = await startCheck(given);
  const analysis = findings === null ? null : { ...syntheticAnalysis({ traces: false }), findings };
  const markdown =
    findings === null ? '' : `${commentMarkdown(findings)}\n[Interactive report](https://example.test/report)`;
  await end({ analysis, markdown });
}

const synthetic = (more = {}): Findings => syntheticAnalysis({ traces: false, ...more }).findings;
const busy = {
  name: 'competing load',
  state: 'fail',
  reason: 'always',
  facts: { usual: 3.2, most: 4, busy_runs: 11, runs: 11 },
} as const;
const noisy = ['native', 'container'].map((name) => ({ name, meanJ: 250, sdJ: 20 }));
const crossed = (): Findings => synthetic({ goals: { failOn: [limits[0]] } });

describe('a check', () => {
  it('has workflow and key in its name, and headline, table and link in its text', async () => {
    await check(synthetic());
    expect(server.checks).toEqual([
      expect.objectContaining({
        name: 'joulediff: Energy / sort',
        head_sha: SHA,
        status: 'completed',
        conclusion: 'success',
      }),
    ]);
    const { title, summary } = server.checks[0]!.output;
    expect(title).toMatch(/^sort: container used .* more energy/);
    expect(summary).toContain('| `container`');
    expect(summary).toContain('[Interactive report](https://example.test/report)');
    expect(job?.log()).toContain('The check says success.');
  });

  it('fails where a threshold is crossed', async () => {
    await check(crossed());
    expect(server.checks[0]?.conclusion).toBe('failure');
  });

  it.each([
    ['success', false, 'success', /^sort: container used/],
    ['neutral', true, 'success', /^Open: sort: /],
  ] as const)('is a status where the forge has no checks: %s', async (_, isOpen, state, description) => {
    await check(isOpen ? synthetic({ variants: noisy, runs: 8 }) : synthetic(), { hasChecks: false, mode: 'gitea' });
    expect(server.statuses).toEqual([
      expect.objectContaining({
        state,
        context: 'joulediff: Energy / sort',
        description: expect.stringMatching(description),
      }),
    ]);
  });

  it('that is no result is a failure', async () => {
    await check(null);
    expect(server.checks[0]).toMatchObject({
      conclusion: 'failure',
      output: { title: 'The measurement left no result' },
    });
  });

  it('without the right for it is told in the log with the line to add, and fails nothing', async () => {
    await check(synthetic(), { rights: ['pull-requests'] });
    expect(job?.log()).toMatch(
      /The check of dddddddddd was not written: the token lacks the permission "checks: write"/,
    );
    expect(job?.log()).not.toContain('ghs_secret');
    expect(job?.failed()).toBe(false);
  });

  it('of a fork, whose runs may not write, is not tried', async () => {
    await check(synthetic(), { from: 'eve/demo' });
    expect(server.seen).toEqual([]);
    expect(job?.log()).toContain('There is no check: the pull request comes from a fork');
  });

  it('has a summary, a title and a description that GitHub takes, whatever there is to say', async () => {
    server = await startMarksServer();
    const octokit = await connect('ghs_secret', server.url);
    const commit = { octokit, owner: 'octo', repo: 'demo', sha: SHA };
    const long = { title: `${'🔥'.repeat(300)}\u0000\n`, summary: `${'x'.repeat(65_534)}🔥🔥` };
    const mark: Mark = {
      name: markName('W'.repeat(400), ''),
      state: 'neutral',
      ...long,
      page: null,
      runId: 7,
      attempt: 1,
    };
    expect(await setMark(commit, mark, { isCheck: true })).toBe('check');
    expect(await setMark(commit, mark, { isCheck: false })).toBe('status');
    expect(server.checks[0]?.output.summary.length).toBe(65_535);
    expect(server.statuses[0]?.description.length).toBeLessThanOrEqual(140);
  });

  it('takes no check of another app or person for its own', async () => {
    server = await startMarksServer();
    const octokit = await connect('ghs_secret', server.url);
    const name = markName('Energy', '');
    const output = { title: 't', summary: 's' };
    server.checks.push({ id: 900, name, head_sha: SHA, status: 'completed', conclusion: 'failure', output });
    const mark: Mark = { name, state: 'success', title: 't', summary: 's', page: null, runId: 7, attempt: 1 };
    await setMark({ octokit, owner: 'octo', repo: 'demo', sha: SHA }, mark, { isCheck: true });
    expect(server.checks.map(({ conclusion }) => conclusion)).toEqual(['failure', 'success']);
  });
});

describe('a check while its job measures', () => {
  it.each([
    ['a check', true],
    ['a status', false],
  ])('%s says how long it still takes, once a minute at most, and then the result', async (_, hasChecks) => {
    let nowMs = 0;
    const { begin, progress, end } = await startCheck({ hasChecks }, () => nowMs);
    await begin();
    for (nowMs = 10_000; nowMs <= 190_000; nowMs += 10_000) progress(720 - nowMs / 1000, nowMs > 100_000);
    await end({ analysis: { ...syntheticAnalysis({ traces: false }), findings: synthetic() }, markdown: '' });
    expect(server.titles).toEqual([
      'Measuring',
      'Measuring: 11 min left',
      'Measuring: at most 10 min left',
      'Measuring: at most 9 min left',
      expect.stringMatching(/^sort: container used/),
    ]);
    expect(server.checks).toHaveLength(hasChecks ? 1 : 0);
    expect(server.statuses.every(({ sha }) => sha === SHA)).toBe(true);
  });

  it('keeps the one that the request for it has begun, and the result of an earlier attempt', async () => {
    const { begin } = await startCheck();
    const run = { name: markName('Energy', 'sort'), head_sha: SHA, external_id: 'joulediff 900.1' };
    const output = { title: 't', summary: 's' };
    server.checks.push({
      ...run,
      external_id: 'joulediff 899.1',
      id: 900,
      status: 'completed',
      conclusion: 'failure',
      output,
    });
    server.checks.push({ ...run, id: 901, status: 'in_progress', conclusion: null, output });
    await begin();
    expect(server.checks.map(({ id, output: { title } }) => [id, title])).toEqual([
      [900, 't'],
      [901, 'Measuring'],
    ]);
  });

  it('is one for each job of a run without a key, and the worse end stays where two share a name', async () => {
    const { end } = await startCheck();
    const analysis = { ...syntheticAnalysis({ traces: false }), findings: crossed() };
    await end({ analysis, markdown: '' });
    await end({ analysis: { ...analysis, findings: synthetic() }, markdown: '' });
    expect(server.checks.map(({ conclusion }) => conclusion)).toEqual(['failure']);
    expect(job?.log()).toContain('another job of this run with the same comment-key ended worse');
    for (const name of ['sort', 'parse']) {
      process.env.GITHUB_JOB = name;
      await (await checkOfJob({ token: 'ghs_secret', commentKey: '', head: null }, process.env)).begin();
    }
    expect(server.checks.slice(1).map(({ name }) => name)).toEqual([
      'joulediff: Energy / sort',
      'joulediff: Energy / parse',
    ]);
  });

  it.each([
    ['checks', true],
    ['statuses', false],
  ])('the worse end stays where two that share a name measure one after the other: %s', async (_, hasChecks) => {
    const bad = { analysis: { ...syntheticAnalysis({ traces: false }), findings: crossed() }, markdown: 'bad' };
    const good = { analysis: { ...bad.analysis, findings: synthetic() }, markdown: 'good' };
    const ends = () =>
      hasChecks ? server.checks.map(({ conclusion }) => conclusion) : server.statuses.map(({ state }) => state);
    const first = await startCheck({ hasChecks });
    const second = await checkOfJob({ token: 'ghs_secret', commentKey: 'sort', head: null }, process.env);
    await first.begin();
    await first.end(bad);
    const failed = server.titles.at(-1);
    await second.begin();
    await second.end(good);
    expect(ends()).toEqual(hasChecks ? ['failure', 'failure'] : ['pending', 'failure', 'pending', 'failure']);
    expect(server.titles.at(-1)).toBe(failed);
    if (hasChecks) expect(server.checks[1]).toMatchObject({ status: 'completed', output: { summary: 'bad' } });
    const written = server.titles.length;
    await second.end(good);
    expect(server.titles).toHaveLength(written);
    expect(job?.log()).toContain('another job of this run with the same comment-key ended worse');
    process.env.GITHUB_RUN_ATTEMPT = '2';
    const again = await checkOfJob({ token: 'ghs_secret', commentKey: 'sort', head: null }, process.env);
    await again.begin();
    await again.end(good);
    expect(ends().at(-1)).toBe('success');
  });

  it('of an experiment whose name is Open is not taken for an open one', async () => {
    const findings = synthetic();
    const named = { ...findings, experiment: { ...findings.experiment, name: 'Open' } };
    const { end } = await startCheck({ hasChecks: false, mode: 'gitea' });
    const result = { analysis: { ...syntheticAnalysis({ traces: false }), findings: named }, markdown: '' };
    await end(result);
    await end(result);
    expect(server.statuses.map(({ state }) => state)).toEqual(['success', 'success']);
    expect(server.titles.at(-1)).toMatch(/^“Open”: container used/);
  });

  it('of a job that was cancelled is cancelled, whatever was measured until then', async () => {
    const { begin, end } = await startCheck();
    await begin();
    const analysis = { ...syntheticAnalysis({ traces: false }), findings: synthetic({ complete: false }) };
    await end({ analysis, markdown: '', isCancelled: true });
    expect(server.checks[0]).toMatchObject({ status: 'completed', conclusion: 'cancelled' });
    expect(server.checks[0]?.output.title).toMatch(/^The measurement was cancelled\. sort: /);
  });

  it('is asked for once where the token has no right for it', async () => {
    let nowMs = 0;
    const { begin, progress, end } = await startCheck({ rights: ['pull-requests'] }, () => nowMs);
    await begin();
    const asked = server.seen.length;
    nowMs = 100_000;
    progress(60, false);
    await Promise.resolve();
    expect(server.seen).toHaveLength(asked);
    expect(job?.log()).toContain('The commit was not marked as being measured');
    await end({ analysis: null, markdown: '' });
    expect(job?.failed()).toBe(false);
  });

  it('of a request is the one that was begun for the commit that was asked for', async () => {
    const payload = { action: 'created', issue: { number: 5, pull_request: { url: 'x' } } };
    let nowMs = 0;
    const { begin, progress, end } = await startCheck({ event: ['issue_comment', payload], head: SHA }, () => nowMs);
    const output = { title: 'Measuring dddddddddd of #5, as octo asked', summary: 's' };
    const run = { name: markName('Energy', ''), head_sha: SHA, external_id: 'joulediff 900.1' };
    server.checks.push({ ...run, id: 900, status: 'in_progress', conclusion: null, output });
    await begin();
    nowMs = 60_000;
    progress(720, false);
    await end({ analysis: null, markdown: '' });
    expect(server.titles).toEqual(['Measuring', 'Measuring: 12 min left', 'The measurement left no result']);
    expect(server.checks.map(({ id, conclusion }) => [id, conclusion])).toEqual([[900, 'failure']]);
  });

  it('marks no commit that a comment’s event doesn’t name: its job runs on the default branch', async () => {
    const payload = { action: 'created', issue: { number: 5, pull_request: { url: 'x' } } };
    const { begin, end } = await startCheck({ event: ['issue_comment', payload] });
    await begin();
    await end({ analysis: null, markdown: '' });
    expect(server.seen).toEqual([]);
    expect(job?.log()).toContain(
      'There is no check: it needs github-token, GITHUB_REPOSITORY, GITHUB_API_URL and a commit',
    );
  });
});

describe('results of other jobs', () => {
  it('of a matrix are one check of the job that gathers', async () => {
    server = await startMarksServer();
    const head = { sha: SHA, ref: 'feature', repo: { full_name: 'octo/demo' } };
    const env = { GITHUB_API_URL: server.url, GITHUB_WORKFLOW: 'Energy' };
    job = startJob('pull_request', { pull_request: { number: 5, head } }, env);
    job.write('results/a/findings.json', findingsJson(synthetic({ name: 'a' })));
    job.write(
      'results/b/findings.json',
      findingsJson({ ...crossed(), experiment: synthetic({ name: 'b' }).experiment }),
    );
    const get = (name: string) => ({ results: 'results/*', check: 'true' })[name] ?? '';
    await gather({ ...readGatherInputs(get, 'gather', job.folder), token: 'ghs_secret' }, process.env);
    expect(server.checks).toEqual([
      expect.objectContaining({ name: 'joulediff: Energy', head_sha: SHA, conclusion: 'failure' }),
    ]);
    expect(server.checks[0]?.output.title).toMatch(/^2 experiments\./);
    expect(server.comments[0]?.body).toContain(server.checks[0]?.output.summary.trim());
  });

  it('of which one is lost are a failure', async () => {
    server = await startMarksServer();
    const head = { sha: SHA, ref: 'feature', repo: { full_name: 'octo/demo' } };
    const env = { GITHUB_API_URL: server.url, GITHUB_WORKFLOW: 'Energy' };
    job = startJob('pull_request', { pull_request: { number: 5, head } }, env);
    job.write('results/debian/findings.json', findingsJson(synthetic({ name: 'debian' })));
    job.write('results/alpine/findings.json', '{');
    const given = { results: 'results/*', check: 'true', 'expected-keys': 'debian\nalpine\nfedora' };
    const get = (name: string) => (given as Record<string, string>)[name] ?? '';
    await gather({ ...readGatherInputs(get, 'gather', job.folder), token: 'ghs_secret' }, process.env);
    expect(server.checks[0]?.conclusion).toBe('failure');
    expect(server.checks[0]?.output.title).toMatch(/^2 of 3 experiments left no result that can be used\. /);
  });

  it.each([
    [
      'that can’t be listed are a failure, whose title says so',
      'octo/demo',
      ['The results could not be fetched'],
      'The artifacts of run 900 could not be listed',
    ],
    ['of a fork are no check', 'eve/demo', [], 'There is no check: the pull request comes from a fork'],
  ])('%s', async (_, from, titles, said) => {
    server = await startMarksServer({ forbidden: ['artifacts'] });
    const head = { sha: SHA, ref: 'feature', repo: { full_name: from } };
    job = startJob('pull_request', { pull_request: { number: 5, head } }, { GITHUB_API_URL: server.url });
    const get = (name: string) => ({ check: 'true' })[name] ?? '';
    await gather({ ...readGatherInputs(get, 'gather', job.folder), token: 'ghs_secret' }, process.env);
    expect(server.checks.map(({ output }) => output.title)).toEqual(titles);
    expect(server.checks.every(({ conclusion }) => conclusion === 'failure')).toBe(true);
    expect(job.log()).toContain(said);
    expect(job.log()).not.toContain('checks: write');
  });

  it('of a run without rights are a check of the commit that it measured, named after its workflow', async () => {
    server = await startMarksServer();
    server.pull(5);
    const archive = zip([{ name: 'findings.json', content: findingsJson(synthetic()) }]);
    server.artifacts.push({ id: 1, runId: 77, name: 'joulediff', archive });
    const run = { id: 77, name: 'Energy', event: 'pull_request', head_sha: SHA, head_branch: 'feature' };
    const workflowRun = { ...run, conclusion: 'success', head_repository: { full_name: 'eve/demo' } };
    const env = { GITHUB_API_URL: server.url, GITHUB_SHA: 'e'.repeat(40) };
    job = startJob('workflow_run', { action: 'completed', workflow_run: workflowRun }, env);
    const get = (name: string) => ({ check: 'true' })[name] ?? '';
    await publishRun({ ...readGatherInputs(get, 'publish'), token: 'ghs_secret' }, process.env);
    expect(server.checks).toEqual([
      expect.objectContaining({ name: 'joulediff: Energy', head_sha: SHA, conclusion: 'success' }),
    ]);
    expect(server.reactions).toEqual([]);
  });
});

describe('the conclusion', () => {
  it.each<[string, readonly Findings[], string]>([
    ['more energy without a threshold', [synthetic()], 'success'],
    ['a crossed threshold', [crossed()], 'failure'],
    ['one crossed among several', [synthetic(), crossed()], 'failure'],
    ['an experiment that was cut short', [synthetic({ complete: false })], 'failure'],
    ['an inconclusive one', [synthetic({ variants: noisy, runs: 8 })], 'neutral'],
    ['one that can’t be trusted', [synthetic({ checks: [busy] })], 'neutral'],
    ['a benchmark that failed', [suiteWithout('failed')], 'failure'],
    ['a benchmark that could not be measured', [suiteWithout('invalid')], 'neutral'],
    ['a benchmark that the base lacks', [suiteWithout('new')], 'success'],
    ['no result', [], 'failure'],
  ])('of %s', (_, findings, conclusion) => {
    expect(decideConclusion(findings)).toBe(conclusion);
  });
});
