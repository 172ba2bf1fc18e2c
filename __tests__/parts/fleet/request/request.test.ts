// Class: world, long.
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Findings } from '../../../../src/findings/findings.ts';
import { LIMITS } from '../../../../src/forge/api.ts';
import { readGatherInputs } from '../../../../src/parts/fleet/action/gather-inputs.ts';
import { publishRun } from '../../../../src/parts/fleet/action/publish.ts';
import { GRAMMAR } from '../../../../src/parts/fleet/request/grammar.ts';
import { REQUEST_OUTPUTS, readRequest } from '../../../../src/parts/fleet/request/request.ts';
import { findingsJson } from '../../../../src/report/findings-json.ts';
import { type FakeJob, startJob } from '../../../action/job.ts';
import { limits } from '../../../report/fixtures.ts';
import { render } from '../../../report/render.ts';
import { syntheticAnalysis } from '../../../report/synthetic/analysis.ts';
import { PERSON } from '../../../servers/comments-server.ts';
import type { Reply } from '../../../servers/http.ts';
import { type MarksOptions, type MarksServer, startMarksServer } from '../../../servers/marks-server.ts';
import { zip } from '../../../servers/zip.ts';

const SHA = 'd'.repeat(40);
const BASE = 'b'.repeat(40);
const OCTO = { id: 1, login: 'octo', type: 'User' };
const NAME = 'joulediff: Energy on demand';

let server: MarksServer;
let job: FakeJob;
let isRunning = false;

/** Ends the job that runs, and starts another. */
function startNext(...of: Parameters<typeof startJob>): void {
  endJob();
  job = startJob(...of);
  isRunning = true;
}

function endJob(): void {
  if (isRunning) job.end();
  isRunning = false;
}

afterEach(async () => {
  endJob();
  await server.close();
});

interface Case extends MarksOptions {
  readonly body?: unknown;
  readonly user?: object;
  readonly action?: string;
  readonly issue?: object;
  readonly pull?: Parameters<MarksServer['pull']>[1] | 'none';
  readonly check?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly token?: string;
}

async function start(given: Case = {}): Promise<void> {
  server = await startMarksServer(given);
  if (given.pull !== 'none') server.pull(5, given.pull);
}

const ENV = { GITHUB_WORKFLOW: 'Energy on demand', GITHUB_JOB: 'ask' };

/** Asks at the server that runs; the job is the newest one. */
async function again(eventName: string, event: unknown, given: Case = {}): Promise<void> {
  startNext(eventName, event, { ...ENV, GITHUB_API_URL: server.url, ...given.env });
  const inputs = { token: given.token ?? 'ghs_secret', commentKey: '', check: given.check ?? true };
  await readRequest(inputs, process.env, { ...LIMITS, requestMs: 300, totalMs: 2000, pauseMs: 10 });
}

/** Who reads a comment of octo's: written ten minutes after the last push. */
const comment = ({ body = '/joulediff', user = OCTO, action = 'created', issue }: Case = {}): object => ({
  action,
  issue: { number: 5, pull_request: { url: 'x' }, ...issue },
  comment: { id: 300, body, user, created_at: '2026-11-28T08:10:00Z' },
});

async function ask(given: Case = {}): Promise<void> {
  await start(given);
  await again('issue_comment', comment(given), given);
}

const answers = () => server.comments.map(({ body }) => body);
const contents = () => server.reactions.map(({ content }) => content);
const writes = () => server.seen.filter(({ method, path }) => method !== 'GET' && !path.endsWith('graphql'));

describe('a request to measure', () => {
  it('pins the head, marks the commit and reacts', async () => {
    await ask({ body: '/joulediff base=v1.2 repetitions=auto variant=container\nplease' });
    expect(job.outputs()).toEqual({
      requested: 'true',
      cancel: '',
      head: SHA,
      base: 'v1.2',
      'pull-request': '5',
      repetitions: 'auto',
      variant: 'container',
    });
    expect(server.checks).toEqual([
      expect.objectContaining({ name: NAME, head_sha: SHA, status: 'in_progress', conclusion: null }),
    ]);
    expect(server.reactions).toEqual([{ comment: 300, content: 'eyes' }]);
    expect(answers()).toEqual([]);
    expect(job.log()).toContain('Measuring dddddddddd of #5, as octo asked.');
    expect(job.failed()).toBe(false);
  });

  it('compares with the merge base where nothing else is asked for, and sets a status without a check', async () => {
    await ask({ check: false });
    expect(job.outputs()).toMatchObject({ base: `${BASE}...${SHA}`, repetitions: '', variant: '' });
    expect(server.checks).toEqual([]);
    expect(server.statuses).toEqual([
      expect.objectContaining({
        context: NAME,
        state: 'pending',
        sha: SHA,
        description: 'Measuring dddddddddd of #5, as octo asked',
        target_url: 'https://github.com/octo/demo/actions/runs/900',
      }),
    ]);
  });

  it('goes on where the commit can’t be marked or the comment not be reacted to, and says why', async () => {
    await ask({ rights: ['collaborators'] });
    expect(job.outputs().requested).toBe('true');
    expect(job.log()).toMatch(/was not marked as being measured: the token lacks the permission "checks: write"/);
    expect(job.log()).toContain('There is no reaction to the comment');
    expect(job.failed()).toBe(false);
  });

  it.each([
    ['a label', 'pull_request', { action: 'labeled', label: { name: 'joulediff' } }],
    [
      'a label on Gitea',
      'pull_request',
      {
        action: 'label_updated',
        changes: { added_labels: [{ name: 'docs' }, { name: 'joulediff' }], removed_labels: null },
      },
    ],
    ['a branch that was chosen by hand', 'workflow_dispatch', { inputs: { repetitions: '20', base: '' } }],
  ])('may be %s, whose event names the commit', async (_, eventName, more) => {
    const pull = { sha: SHA, repository: 'octo/demo', pushedAt: '2026-11-28T23:00:00Z' };
    await start({ pull });
    const head = { sha: SHA, ref: 'feature', repo: { full_name: 'octo/demo' } };
    const event = eventName === 'pull_request' ? { pull_request: { number: 5, head }, ...more } : more;
    const env = { GITHUB_SHA: SHA, GITHUB_REF: 'refs/heads/feature' };
    await again(eventName, { ...event, sender: OCTO }, { env });
    expect(job.outputs()).toMatchObject({ requested: 'true', head: SHA, 'pull-request': '5' });
    expect(contents()).toEqual([]);
  });

  it('by hand may name the head, and no other commit', async () => {
    await start({ pull: { sha: SHA, repository: 'octo/demo' } });
    const env = { GITHUB_SHA: SHA, GITHUB_REF: 'refs/heads/feature' };
    await again('workflow_dispatch', { inputs: { head: 'DDDDDDD' }, sender: OCTO }, { env });
    expect(job.outputs()).toMatchObject({ requested: 'true', head: SHA });
    await again('workflow_dispatch', { inputs: { head: 'eeeeeee' }, sender: OCTO }, { env });
    expect(job.outputs().requested).toBe('false');
    expect(job.log()).toContain('The head of #5 is dddddddddd, and not eeeeeee');
  });

  it('by hand on a branch without a pull request is refused, and so is an input with a mistake', async () => {
    await start({ pull: 'none' });
    const env = { GITHUB_SHA: SHA, GITHUB_REF: 'refs/heads/feature' };
    await again('workflow_dispatch', { inputs: null, sender: OCTO }, { env });
    expect(job.log()).toContain('Nothing is measured: no open pull request has the branch');
    await again('workflow_dispatch', { inputs: { base: '$(id)' }, sender: OCTO }, { env });
    expect(job.log()).toContain('"$(id)" can’t be the value of base');
    expect(job.outputs().requested).toBe('false');
  });
});

describe('what asks for nothing', () => {
  it.each<[string, Case]>([
    ['a comment about something else', { body: 'LGTM\n/joulediff' }],
    ['a comment of 60,000 characters about something else', { body: 'x'.repeat(60_000) }],
    ['an edited comment', { action: 'edited' }],
    ['a deleted comment', { action: 'deleted' }],
    ['a comment without a text', { body: null }],
  ])('%s is left alone in silence, without one request to the server', async (_, given) => {
    await ask(given);
    expect(server.seen).toEqual([]);
    expect(job.log()).toBe('');
    expect(job.outputs().requested).toBe('false');
    expect(job.failed()).toBe(false);
  });
});

describe('a request is refused, and nothing measured,', () => {
  it.each<[string, Case, RegExp]>([
    ['of a stranger', { user: PERSON }, /mallory may not write to octo\/demo/],
    [
      'of nobody whom the forge knows',
      { user: { id: 9, login: 'ghost' } },
      /does not tell this token whether ghost may/,
    ],
    ['of somebody who took over the name of a writer', { user: { id: 99, login: 'octo' } }, /octo may not write/],
    ['of a stranger who accepts', { user: PERSON, body: '/joulediff accept me' }, /mallory may not write/],
    ['of a stranger who cancels', { user: PERSON, body: '/joulediff cancel' }, /mallory may not write/],
    ['of a stranger with a mistake', { user: PERSON, body: '/joulediff x=y' }, /mallory may not write/],
    ['where the forge does not tell who may write', { tellsPermissions: false }, /octo may write.*permission: 404/],
    ['where the token may not ask who may write', { rights: ['pull-requests'] }, /octo may write.*permission: 403/],
    ['on an issue', { issue: { pull_request: undefined } }, /#5 is an issue and no pull request/],
    ['on a closed pull request', { pull: { state: 'closed' } }, /#5 is closed/],
    ['on a deleted pull request', { pull: 'none' }, /There is no pull request #5 any more/],
  ])('%s: by a reaction and one line in the log', async (_, given, sentence) => {
    await ask(given);
    expect(job.outputs()).toMatchObject({ requested: 'false', cancel: '', head: '' });
    expect(job.log().match(/^::notice.*$/gm)).toEqual([expect.stringMatching(sentence)]);
    expect(contents()).toEqual(['confused']);
    expect(writes()).toHaveLength(1);
    expect(job.failed()).toBe(false);
  });

  it.each<[string, Case]>([
    ['after a push', { pull: { pushedAt: '2026-11-28T08:10:30Z' } }],
    ['after a push in the same second', { pull: { pushedAt: '2026-11-28T08:10:00Z' } }],
    ['where the server names no time of the last push', { pull: { pushedAt: '' } }],
    ['where the time is nonsense', { pull: { pushedAt: 'yesterday' } }],
  ])('%s, with what to do', async (_, given) => {
    await ask(given);
    expect(job.outputs().requested).toBe('false');
    expect(answers()).toEqual([expect.stringMatching(/not certain that #5 had the same head.*`head=d{40}`\.$/)]);
    expect(contents()).toEqual(['confused']);
  });

  it('unless it names the whole commit; another one is not measured', async () => {
    const given = { pull: { pushedAt: '2026-11-28T09:00:00Z' } };
    await ask({ ...given, body: `/joulediff head=${SHA.toUpperCase()}` });
    expect(job.outputs()).toMatchObject({ requested: 'true', head: SHA });
    await again('issue_comment', comment({ body: `/joulediff head=${'e'.repeat(40)}` }));
    expect(job.outputs().requested).toBe('false');
    expect(answers()[0]).toContain('The head of #5 is dddddddddd, and not eeeeeeeeee');
  });

  // Two commits whose hashes begin alike are made in seconds, so the one that was read may not be the one that is there.
  it.each(['ddddddd', 'd'.repeat(39)])('by the beginning of a commit after a push: head=%s', async (named) => {
    await ask({ pull: { pushedAt: '2026-11-28T09:00:00Z' }, body: `/joulediff head=${named}` });
    expect(job.outputs().requested).toBe('false');
    expect(answers()[0]).toContain(`with its full hash: \`head=${SHA}\``);
  });

  it.each([
    ['another one', { action: 'labeled', label: { name: 'joulediff-docs' } }],
    [
      'taken away on Gitea',
      { action: 'label_updated', changes: { added_labels: null, removed_labels: [{ name: 'joulediff' }] } },
    ],
  ])('for a label that is %s', async (_, event) => {
    await start();
    const head = { sha: SHA, ref: 'feature', repo: { full_name: 'octo/demo' } };
    const labels = [{ name: 'joulediff' }];
    await again('pull_request', { ...event, sender: OCTO, pull_request: { number: 5, head, labels } });
    expect(job.outputs().requested).toBe('false');
    expect(server.seen).toEqual([]);
  });

  it('of a label on a fork, whose job has no rights', async () => {
    await start();
    const head = { sha: SHA, ref: 'feature', repo: { full_name: 'eve/demo' } };
    await again('pull_request', {
      action: 'labeled',
      label: { name: 'joulediff' },
      sender: OCTO,
      pull_request: { number: 5, head },
    });
    expect(job.log()).toContain('A label on a pull request of a fork starts a job without rights');
    expect(server.seen).toEqual([]);
  });
});

describe('what stands in a comment', () => {
  it.each([
    '/joulediff base=$(curl evil.example)',
    '/joulediff `id`',
    '/joulediff "; rm -rf / #"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of a workflow
    '/joulediff ${{ secrets.TOKEN }}',
    '/joulediff base=\u202emain',
    '/joulediff\u2028::set-output name=requested::true',
    '/joulediff ::error::x',
    '/joulediff @octo <img src=x> [x](http://evil.example) <!-- joulediff key=x -->',
    `/joulediff ${'a'.repeat(60_000)}`,
  ])('is never obeyed and never repeated as it is: %j', async (body) => {
    await ask({ body });
    expect(job.outputs()).toEqual({
      ...Object.fromEntries(REQUEST_OUTPUTS.map((name) => [name, ''])),
      requested: 'false',
    });
    expect(answers()).toEqual([expect.stringContaining(GRAMMAR)]);
    expect(answers()[0]?.length).toBeLessThan(2000);
    expect(answers()[0]).not.toMatch(/^\/joulediff|<!--/);
    const html = render(answers()[0] ?? '').replace(/<(code|pre)\b.*?<\/\1>/gs, '');
    expect(html).not.toMatch(/@octo|<img|href=/);
    expect(job.log()).not.toMatch(/^::(?!notice|error|warning)|^::error::x/m);
    expect(contents()).toEqual(['confused']);
  });

  it('is answered with the grammar where somebody asks for help', async () => {
    await ask({ body: '/joulediff help' });
    expect(answers()).toEqual([GRAMMAR]);
    expect(contents()).toEqual(['+1']);
    expect(job.outputs().requested).toBe('false');
  });

  it('cancels what is measured, which takes no right: another job joins the queue', async () => {
    await ask({ body: '/joulediff cancel' });
    expect(job.outputs()).toMatchObject({ requested: 'false', cancel: 'true', 'pull-request': '5' });
    expect(server.seen.filter(({ path }) => path.includes('/actions/'))).toEqual([]);
  });
});

describe('a server or an event that is broken', () => {
  const thrice = (reply: Reply) => {
    for (let i = 0; i < 3; i++) server.next('GET', /permission$/, reply);
  };

  it.each<[string, () => void, RegExp]>([
    [
      'answers nonsense',
      () => server.next('GET', /pulls\/5$/, { status: 200, json: ['<html>'] }),
      /The server answered the request for a pull request with something else/,
    ],
    [
      'answers no JSON',
      () => server.next('GET', /permission$/, { status: 200, body: Buffer.from('{"permission"') }),
      /could not be answered|may not write/,
    ],
    [
      'fails',
      () => thrice({ status: 502, json: {} }),
      /The request could not be answered: the server answered with status 502/,
    ],
    [
      'hangs',
      () => thrice({ status: 200, instead: 'hang' }),
      /The request could not be answered: http:\S+ did not answer/,
    ],
  ])('fails the step with a sentence where it %s', async (_, plan, sentence) => {
    await start();
    plan();
    await again('issue_comment', comment());
    expect(job.outputs().requested).toBe('false');
    expect(job.log()).toMatch(sentence);
    expect(job.log()).not.toContain('ghs_secret');
    expect(server.checks).toEqual([]);
  });

  it.each<[string, string, unknown]>([
    ['without a comment’s id', 'issue_comment', { ...comment(), comment: { body: '/joulediff', user: OCTO } }],
    ['without an author', 'issue_comment', comment({ user: {} })],
    ['whose author is a path', 'issue_comment', comment({ user: { id: 1, login: '../../x' } })],
    ['without a number', 'issue_comment', comment({ issue: { number: 'x' } })],
    ['of another kind', 'push', { ref: 'refs/heads/main' }],
    ['of a pull request that got no label', 'pull_request', { action: 'opened', pull_request: { number: 5 } }],
    ['without a sender', 'workflow_dispatch', { inputs: {} }],
  ])('is refused before anything is asked: an event %s', async (_, eventName, event) => {
    await start();
    await expect(again(eventName, event, { env: { GITHUB_SHA: SHA } })).rejects.toThrow(/event/);
    expect(server.seen).toEqual([]);
    expect(job.outputs().requested).toBe('false');
  });

  it('needs a token', async () => {
    await expect(ask({ token: '' })).rejects.toThrow(/without github-token/);
  });
});

const findings = (): Findings => syntheticAnalysis({ name: 'sort', traces: false }).findings;
/** A result whose threshold fails the job. */
const crossed = (): Findings =>
  syntheticAnalysis({ name: 'sort', traces: false, goals: { failOn: [limits[0]!] } }).findings;

/** The job of the same run that publishes what was measured for a request. */
async function publish(findings: Findings | null, given: { check?: boolean; run?: number; comment?: 'never' } = {}) {
  const { run = 900 } = given;
  const env = { ...ENV, GITHUB_JOB: 'publish', GITHUB_RUN_ID: String(run), GITHUB_API_URL: server.url };
  startNext('issue_comment', comment(), env);
  if (findings !== null) {
    const archive = zip([{ name: 'findings.json', content: findingsJson(findings) }]);
    server.artifacts.push({ id: server.artifacts.length + 1, runId: run, name: 'joulediff', archive });
  }
  const inputs = { mode: 'publish', head: SHA, 'pull-request': '5', comment: given.comment ?? 'always' };
  const get = (name: string) => (inputs as Record<string, string>)[name] ?? '';
  await publishRun(
    { ...readGatherInputs(get, 'publish'), token: 'ghs_secret', check: given.check ?? true },
    process.env,
  );
}

describe('the end of a request', () => {
  it('is a comment, a check and a reaction, for the commit that was asked for even after a push', async () => {
    await ask();
    (server.pulls[0] as { head: { sha: string } }).head.sha = 'e'.repeat(40);
    await publish(findings());
    expect(answers()).toHaveLength(1);
    expect(answers()[0]).toMatch(
      /^<!-- joulediff key=Energy%20on%20demand\/publish\/\S* run=900 attempt=1 sha=d{40} -->/,
    );
    expect(answers()[0]).toContain(`of \`Energy on demand\` for commit ${SHA}.`);
    expect(server.checks).toEqual([
      expect.objectContaining({ status: 'completed', conclusion: 'success', head_sha: SHA }),
    ]);
    expect(server.checks[0]?.output.title).toMatch(/^sort: container used .* more energy/);
    expect(server.checks[0]?.output.summary).toContain('[run 900](https://github.com/octo/demo/actions/runs/900)');
    expect(contents()).toEqual(['eyes', 'rocket']);
  });

  it('is an end of the status where there is no check', async () => {
    await ask({ check: false });
    await publish(findings(), { check: false });
    expect(server.statuses.map(({ state }) => state)).toEqual(['pending', 'success']);
    expect(server.checks).toEqual([]);
  });

  it('is that of each of ten at once: the first and the last are measured, and nothing stays pending', async () => {
    await start({ delayMs: () => Math.random() * 20 });
    startNext('issue_comment', comment(), { ...ENV, GITHUB_API_URL: server.url });
    const runs = Array.from({ length: 10 }, (_, i) => 900 + i);
    const inputs = { token: 'ghs_secret', commentKey: '', check: true };
    await Promise.all(runs.map((run) => readRequest(inputs, { ...process.env, GITHUB_RUN_ID: String(run) }, LIMITS)));
    expect(server.checks.map(({ status }) => status)).toEqual(Array(10).fill('in_progress'));
    for (const run of runs) {
      server.jobs.splice(0, 1, { name: 'measure', conclusion: [900, 909].includes(run) ? 'success' : 'cancelled' });
      await publish([900, 909].includes(run) ? findings() : null, { run });
    }
    expect(answers()).toHaveLength(1);
    expect(answers()[0]).toContain('run=909 ');
    const ends = server.checks.map(({ external_id: id, conclusion }) => [id, conclusion]);
    expect(Object.fromEntries(ends)).toEqual(
      Object.fromEntries(runs.map((run) => [`joulediff ${run}.1`, [900, 909].includes(run) ? 'success' : 'cancelled'])),
    );
    expect(contents().filter((content) => content === 'rocket')).toHaveLength(2);
    expect(contents().filter((content) => content === '-1')).toHaveLength(8);
  });

  it('without a result is a failure, and of a cancelled one a cancelled check', async () => {
    await ask();
    await publish(null);
    expect(server.checks[0]).toMatchObject({
      conclusion: 'failure',
      output: { title: 'The measurement left no result' },
    });
    expect(contents()).toEqual(['eyes', '-1']);
    await again('issue_comment', comment(), { env: { GITHUB_RUN_ID: '901' } });
    server.jobs.push({ name: 'measure', conclusion: 'cancelled' });
    await publish(null, { run: 901 });
    expect(server.checks.map(({ conclusion }) => conclusion)).toEqual(['failure', 'cancelled']);
  });

  it.each([true, false])('of one that another took the place of leaves the other’s mark (check: %s)', async (check) => {
    await start();
    for (let run = 901; run <= 910; run++) {
      await again('issue_comment', comment(), { check, env: { GITHUB_RUN_ID: String(run) } });
    }
    server.jobs.push({ name: 'measure', conclusion: 'cancelled' });
    for (let run = 902; run <= 909; run++) await publish(null, { check, run });
    const newest = () => (check ? server.checks.at(-1)?.status : server.statuses.at(-1)?.state);
    expect(newest()).toBe(check ? 'in_progress' : 'pending');
    server.jobs.splice(0, 1, { name: 'measure', conclusion: 'success' });
    await publish(findings(), { check, run: 910 });
    expect(newest()).toBe(check ? 'completed' : 'success');
    expect(answers()).toHaveLength(1);
  });
});

describe('an acceptance', () => {
  const REASON = 'a cache, worth "$(it)" & `more` @all <b>';
  const accept = (more: Case = {}) =>
    again('issue_comment', comment({ body: `/joulediff accept ${REASON}`, ...more }), more);
  const ownComment = () => server.comments.filter(({ body }) => body.startsWith('<!-- joulediff key='));

  async function measured(given: Case = {}): Promise<string> {
    await ask(given);
    await publish(crossed(), given);
    return ownComment()[0]?.body ?? '';
  }

  it('turns the check to success, with who and why there and in the comment, and changes no number', async () => {
    const before = await measured();
    const summary = server.checks[0]?.output.summary ?? '';
    expect(server.checks[0]?.conclusion).toBe('failure');
    await accept();
    expect(server.checks).toHaveLength(1);
    expect(server.checks[0]).toMatchObject({ conclusion: 'success', output: { title: `Accepted by octo: ${REASON}` } });
    const after = ownComment()[0]?.body ?? '';
    for (const [text, rest] of [
      [after, before.split('\n').slice(1).join('\n')],
      [server.checks[0]?.output.summary ?? '', summary],
    ] as const) {
      expect(text.endsWith(rest)).toBe(true);
      expect(text).toContain('> **Accepted by `octo`**: a cache, worth');
      expect(render(text)).not.toMatch(/<b>|@all/);
    }
    expect(contents().at(-1)).toBe('+1');
  });

  it('stays when the same commit is measured again, can be replaced, and goes with the next commit', async () => {
    await measured();
    await accept();
    await accept({ body: '/joulediff accept better reason' });
    await again('issue_comment', comment());
    await publish(crossed(), { run: 901 });
    expect(ownComment()).toHaveLength(1);
    expect(ownComment()[0]?.body.match(/Accepted by/g)).toHaveLength(1);
    expect(ownComment()[0]?.body).toContain('**Accepted by `octo`**: better reason');
    expect(server.checks.at(-1)).toMatchObject({
      conclusion: 'success',
      output: { title: 'Accepted by octo: better reason' },
    });
    Object.assign(server.pulls[0] as object, {
      head: { ...(server.pulls[0] as { head: object }).head, sha: 'e'.repeat(40) },
    });
    await accept();
    expect(job.log()).toContain('There is no result of eeeeeeeeee to accept yet.');
    expect(contents().at(-1)).toBe('confused');
  });

  it('can be given by the label joulediff-accept, by those who may write', async () => {
    await measured();
    const head = { sha: SHA, ref: 'feature', repo: { full_name: 'octo/demo' } };
    const labeled = { action: 'labeled', label: { name: 'joulediff-accept' }, pull_request: { number: 5, head } };
    await again('pull_request', { ...labeled, sender: PERSON });
    expect(server.checks[0]?.conclusion).toBe('failure');
    await again('pull_request', { ...labeled, sender: OCTO });
    expect(server.checks).toHaveLength(1);
    expect(server.checks[0]).toMatchObject({
      conclusion: 'success',
      output: { title: 'Accepted by octo: label joulediff-accept' },
    });
    expect(ownComment()[0]?.body).toContain('**Accepted by `octo`**: label joulediff-accept');
    expect(job.outputs()).toMatchObject({ requested: 'false' });
  });

  it('names the commit where the server doesn’t tell what was the head', async () => {
    await measured();
    Object.assign((server.pulls[0] as { head: object }).head, { repo: { full_name: 'octo/demo' } });
    await accept();
    expect(contents().at(-1)).toBe('confused');
    await accept({ body: '/joulediff accept head=eeeeeee other' });
    expect(server.checks[0]?.conclusion).toBe('failure');
    await accept({ body: '/joulediff accept head=ddddddd worth it' });
    expect(server.checks[0]?.conclusion).toBe('failure');
    await accept({ body: `/joulediff accept head=${SHA} worth it` });
    expect(server.checks[0]?.output.title).toBe('Accepted by octo: worth it');
  });

  it('is of the marks that had ended: another workflow that still measures is not accepted with it', async () => {
    await measured();
    await accept();
    const other = { ...ENV, GITHUB_WORKFLOW: 'Parse', GITHUB_JOB: 'publish', GITHUB_RUN_ID: '905' };
    startNext('issue_comment', comment(), { ...other, GITHUB_API_URL: server.url });
    const archive = zip([{ name: 'findings.json', content: findingsJson(crossed()) }]);
    server.artifacts.push({ id: 50, runId: 905, name: 'joulediff', archive });
    const get = (name: string) => ({ head: SHA, 'pull-request': '5', check: 'true' })[name] ?? '';
    await publishRun({ ...readGatherInputs(get, 'publish'), token: 'ghs_secret' }, process.env);
    expect(server.checks.map(({ name, conclusion }) => [name, conclusion])).toEqual([
      [NAME, 'success'],
      ['joulediff: Parse', 'failure'],
    ]);
  });

  it('stands in the check where there is no comment, is replaced there, and stays when the commit is measured again', async () => {
    await ask();
    await publish(crossed(), { comment: 'never' });
    await accept();
    await accept({ body: '/joulediff accept second' });
    expect(server.checks[0]?.output.summary.match(/Accepted by/g)).toHaveLength(1);
    for (const run of [901, 902]) {
      await again('issue_comment', comment(), { env: { GITHUB_RUN_ID: String(run) } });
      expect(server.checks.at(-1)?.status).toBe('in_progress');
      await publish(run === 901 ? null : crossed(), { run, comment: 'never' });
    }
    expect(server.checks.map(({ conclusion }) => conclusion)).toEqual(['success', 'failure', 'success']);
    expect(server.checks.at(-1)).toMatchObject({
      conclusion: 'success',
      output: { title: 'Accepted by octo: second' },
    });
    expect(server.checks.at(-1)?.output.summary.match(/Accepted by/g)).toHaveLength(1);
  });

  it('turns checks and statuses alike, and says what it may not read', async () => {
    await ask({ check: false });
    await publish(crossed(), { check: false });
    server.checks.push({
      id: 70,
      name: 'joulediff: Other',
      head_sha: SHA,
      external_id: 'joulediff 1.1',
      status: 'completed',
      conclusion: 'failure',
      output: { title: 't', summary: 's' },
    });
    await again('issue_comment', comment({ body: '/joulediff accept fine' }), { check: false });
    expect(server.checks[0]?.conclusion).toBe('success');
    expect(server.statuses.at(-1)?.state).toBe('success');
  });

  it('is written again where a job that updates the comment writes over it', async () => {
    await measured();
    const before = ownComment()[0]!.body;
    const overwrite = setInterval(() => {
      if (!ownComment()[0]!.body.includes('Accepted by')) return;
      clearInterval(overwrite);
      ownComment()[0]!.body = before;
    }, 1);
    await accept();
    clearInterval(overwrite);
    expect(ownComment()[0]?.body).toContain('Accepted by');
  });

  it('of a stranger’s making counts for nothing, in a comment of his own or as a request', async () => {
    await measured();
    await accept();
    const made = ownComment()[0]?.body ?? '';
    ownComment()[0]!.body = made.replace(/<!-- joulediff accepted[\s\S]*?\n\n/, '');
    server.checks[0]!.output.summary = '';
    server.add(made, PERSON);
    await accept({ user: PERSON });
    await publish(crossed(), { run: 901 });
    expect(server.checks.at(-1)?.conclusion).toBe('failure');
  });

  it('turns a status to success where the forge has no checks', async () => {
    await measured({ hasChecks: false });
    expect(server.statuses.map(({ state }) => state)).toEqual(['pending', 'failure']);
    await accept();
    expect(server.statuses.at(-1)).toMatchObject({ state: 'success', context: NAME });
    expect(server.statuses.at(-1)?.description).toMatch(/^Accepted by octo: a cache/);
  });
});
