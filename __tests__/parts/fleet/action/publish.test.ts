// Class: world, long.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Findings } from '../../../../src/findings/findings.ts';
import { COMMENT_BYTES } from '../../../../src/forge/comment.ts';
import { type PublishInputs, publishRun } from '../../../../src/parts/fleet/action/publish.ts';
import { commentMarkdown } from '../../../../src/report/comment.ts';
import { findingsJson } from '../../../../src/report/findings-json.ts';
import { type FakeJob, startJob } from '../../../action/job.ts';
import { hostileNames } from '../../../report/fixtures.ts';
import { render } from '../../../report/render.ts';
import { syntheticAnalysis } from '../../../report/synthetic/analysis.ts';
import { PERSON } from '../../../servers/comments-server.ts';
import {
  type ForgeOptions,
  type ForgeServer,
  type StoredArtifact,
  startForgeServer,
} from '../../../servers/forge-server.ts';
import { type ZipEntry, zip } from '../../../servers/zip.ts';

const SHA = 'd'.repeat(40);
const run = {
  id: 77,
  run_attempt: 1,
  name: 'Energy',
  event: 'pull_request',
  conclusion: 'success',
  head_sha: SHA,
  head_branch: 'feature',
  head_repository: { full_name: 'eve/demo' },
  pull_requests: [],
};
const inputs: PublishInputs = {
  token: 'ghs_secret',
  comment: 'always',
  commentKey: '',
  artifactName: 'joulediff',
  expectedKeys: [],
  check: false,
  requested: null,
};

let server: ForgeServer;
let job: FakeJob;

afterEach(async () => {
  job.end();
  await server.close();
});

interface Case extends ForgeOptions {
  readonly run?: object;
  readonly inputs?: Partial<PublishInputs>;
  readonly artifacts?: readonly Partial<StoredArtifact>[];
  /** `none`: the forge has none. */
  readonly pull?: Parameters<ForgeServer['pull']>[1] | 'none';
  readonly prepare?: () => void;
}

const findings = (name = 'sort', more = {}): Findings => syntheticAnalysis({ name, traces: false, ...more }).findings;
const archive = (content: Findings | string, ...others: ZipEntry[]): Buffer =>
  zip([{ name: 'findings.json', content: typeof content === 'string' ? content : findingsJson(content) }, ...others]);

async function publish(given: Case = {}): Promise<void> {
  server = await startForgeServer(given);
  const artifacts = given.artifacts ?? [{}];
  for (const [i, artifact] of artifacts.entries()) {
    server.artifacts.push({ id: i + 1, runId: 77, name: 'joulediff', archive: archive(findings()), ...artifact });
  }
  if (given.pull !== 'none') server.pull(5, given.pull);
  given.prepare?.();
  const event = { action: 'completed', workflow_run: { ...run, ...given.run } };
  job = startJob('workflow_run', event, { GITHUB_API_URL: server.url });
  await publishRun({ ...inputs, ...given.inputs }, process.env);
}

const bodies = () => server.comments.map(({ body }) => body);
const methods = () => server.seen.map(({ method }) => method);

describe('mode: publish', () => {
  it('writes the comment of a fork’s run where the event says, from the findings alone', async () => {
    const bait: ZipEntry[] = [
      { name: 'comment.md', content: '# Approved by @octo' },
      { name: 'summary.md', content: '# Approved' },
      { name: 'pr.txt', content: '1' },
    ];
    await publish({ artifacts: [{ archive: archive(findings(), ...bait) }] });
    expect(bodies()).toHaveLength(1);
    const [marker, ...rest] = bodies()[0]!.split('\n');
    expect(marker).toBe(`<!-- joulediff key=Publish%20energy/publish/Energy run=77 attempt=1 sha=${SHA} -->`);
    expect(rest.join('\n')).toContain(commentMarkdown(findings()).trim());
    expect(rest.join('\n')).toContain(
      `[run 77](https://github.com/octo/demo/actions/runs/77) of \`Energy\` for commit ${SHA} from the fork \`eve/demo\`.`,
    );
    expect(rest.join('\n')).toContain(
      'without write access: these are the numbers that it reported, and they can’t be verified here',
    );
    expect(bodies()[0]).not.toContain('Approved');
    expect(job.summary()).toContain('#### Variants');
    expect(job.summary()).toContain('can’t be verified');
    expect(job.outputs()).toMatchObject({
      verdict: 'increase',
      'comment-url': expect.stringContaining('#issuecomment-101'),
      'report-path': '',
    });
    expect(job.log()).toMatch(/::notice title=joulediff::sort: container used .* more energy/);
    expect(job.failed()).toBe(false);
  });

  it('sends the token to the API and never to the storage', async () => {
    await publish();
    expect(server.storageSaw).toEqual([undefined]);
    expect(server.seen.every(({ authorization }) => authorization === 'token ghs_secret')).toBe(true);
    expect(job.log()).not.toContain('ghs_secret');
  });

  it('updates the comment of an earlier run, and leaves a later run’s alone', async () => {
    await publish();
    await server.close();
    job.end();
    const key = 'Publish%20energy/publish/Energy';
    const old = (id: number, attempt = 1) => `<!-- joulediff key=${key} run=${id} attempt=${attempt} sha=none -->\nold`;
    await publish({ prepare: () => server.add(old(76, 9)) });
    expect(bodies()).toEqual([expect.stringContaining('run=77 attempt=1')]);
    await server.close();
    job.end();
    await publish({ prepare: () => server.add(old(77, 2)) });
    expect(bodies()).toEqual([old(77, 2)]);
  });

  it('shows the legs of a matrix in one comment, each by its latest attempt', async () => {
    await publish({
      artifacts: [
        { name: 'joulediff-a', archive: archive(findings('a', { variants: [{ name: 'native' }, { name: 'old' }] })) },
        { name: 'joulediff-a-attempt-2', archive: archive(findings('a')) },
        { name: 'joulediff-b', archive: archive(findings('b', { source: 'modelled' })) },
        { name: 'joulediff-b.html', archive: Buffer.from('<!doctype html>') },
        { name: 'coverage', archive: Buffer.from('x') },
        { name: 'joulediff-logs', archive: zip([{ name: 'log.txt', content: 'x' }]) },
        { name: 'joulediff-c', runId: 78, archive: archive(findings('of another run')) },
      ],
    });
    expect(bodies()).toHaveLength(1);
    expect(bodies()[0]).toContain('### 🔺 2 experiments: 2 use more energy — 1 estimated, not measured');
    expect(bodies()[0]).not.toMatch(/`old`|another run/);
    expect(job.log()).toContain('joulediff-logs contains no findings.json and was ignored.');
    expect(job.failed()).toBe(false);
  });

  it.each<[string, Case, RegExp]>([
    ['there is no open pull request', { pull: 'none' }, /no open pull request has the branch/],
    ['it has moved on', { pull: { sha: 'e'.repeat(40) } }, /pull request #5 has moved on/],
    ['it was no pull request', { run: { event: 'push' } }, /was not for a pull request, but for push/],
    [
      'nothing was measured',
      { artifacts: [], run: { conclusion: 'failure' } },
      /it ended with failure\) left no result in an artifact named joulediff/,
    ],
  ])('succeeds and writes nothing where %s', async (_, given, reason) => {
    await publish(given);
    expect(job.log()).toMatch(reason);
    expect(methods().every((method) => method === 'GET')).toBe(true);
    expect(job.failed()).toBe(false);
  });

  it.each<[string, Case, RegExp]>([
    [
      'to write',
      { access: 'read' },
      /"pull-requests: write".*%0Apermissions:%0A {2}actions: read%0A {2}pull-requests: write/,
    ],
    [
      'to list pull requests',
      { forbidden: ['pulls'] },
      /pull requests could not be listed.*"pull-requests: write".*permissions:%0A {2}actions: read/,
    ],
    [
      'to list artifacts',
      { forbidden: ['artifacts'] },
      /artifacts of run 77 could not be listed.*"actions: read".*permissions:%0A {2}actions: read/,
    ],
  ])('names the scope and the lines where it has no right %s, and succeeds', async (_, given, message) => {
    await publish(given);
    expect(job.log()).toMatch(message);
    expect(bodies()).toEqual([]);
    expect(job.failed()).toBe(false);
  });

  it('still has the summary where it may not write the comment', async () => {
    await publish({ access: 'read' });
    expect(job.summary()).toContain('`container` used');
  });

  it('says how the measuring run ended where it did not end well', async () => {
    await publish({ run: { conclusion: 'failure' } });
    expect(bodies()[0]).toContain('It ended with `failure`.');
  });

  it.each<[string, Partial<StoredArtifact>, RegExp]>([
    [
      'of another schema',
      { archive: archive('{"schema":"evil/1"}') },
      /its schema is not joulediff\/findings\/1 but evil\/1/,
    ],
    ['with NaN', { archive: archive(findingsJson(findings()).replace(/"mean": [\d.]+/, '"mean": NaN')) }, /not JSON/],
    [
      'with a text in a number’s place',
      {
        archive: archive(
          findingsJson(findings()).replace(/"estimate": [\d.]+/, '"estimate": "](http://evil.example)"'),
        ),
      },
      /estimate must be/,
    ],
    [
      'that names a pull request of its own',
      { archive: archive(findingsJson(findings()).replace('{', '{"pull_request": 1, "sha": "e",')) },
      /has "pull_request", which this version/,
    ],
    [
      'that is a bomb',
      { archive: zip([{ name: 'findings.json', content: Buffer.alloc(50_000_000) }]) },
      /has 50000000 bytes/,
    ],
    ['that leads out', { archive: archive(findings(), { name: '../../x', content: '' }) }, /invalid relative path/],
    ['that is no archive', { archive: Buffer.from('<html>') }, /was rejected/],
    ['that has expired', { expired: true }, /it has expired/],
    ['that was changed on its way', { digest: `sha256:${'0'.repeat(64)}` }, /its checksum does not match/],
    ['that the storage does not give', { stored: { status: 500 } }, /answered with status 500/],
    [
      'that the API leads elsewhere for',
      { reply: { status: 302, headers: { location: 'file:///etc/passwd' } } },
      /redirected to file/,
    ],
  ])('refuses an artifact %s with a sentence, fails, and writes no comment', async (_, artifact, why) => {
    await publish({ artifacts: [artifact] });
    expect(job.log()).toMatch(/::error::The result joulediff was rejected: /);
    expect(job.log()).toMatch(why);
    expect(job.failed()).toBe(true);
    expect(bodies()).toEqual([]);
  });

  it('shows the good beside the bad, and says which was rejected', async () => {
    const name = 'joulediff-<!-- joulediff key=x run=999 --> @octo';
    await publish({ artifacts: [{ name: 'joulediff-good' }, { name, archive: archive('{}') }] });
    expect(bodies()).toHaveLength(1);
    expect(bodies()[0]).toContain(commentMarkdown(findings()).trim());
    expect(bodies()[0]).toMatch(
      /> - `joulediff-<\u2060!-- joulediff key=x run=999 --> @octo` was rejected: This findings\.json is refused/,
    );
    expect(job.failed()).toBe(true);
  });

  it('lets nothing out of the names and texts of hostile findings, and no look-alike marker in', async () => {
    // The facts of checks that hold texts from elsewhere: an error's message, names of variants, reasons from a file of runs.
    const checks = hostileNames.flatMap((text, i): Findings['quality']['checks'] => [
      {
        name: 'plan',
        state: 'fail',
        reason: 'incomplete',
        facts: { blocks: null, ended: 'failed', signal: text, message: text },
      },
      {
        name: 'runs',
        state: 'warn',
        reason: 'excluded',
        facts: {
          excluded: 1,
          elsewhere: [{ channel: text, runs: 1 }],
          warmups: 0,
          listed: [{ run: i, variant: text, channel: text, status: 'failed', reason: { kind: 'recorded', text } }],
        },
      },
    ]);
    const variants = [{ name: 'native' }, ...hostileNames.map((name) => ({ name }))];
    const hostile = findings(hostileNames.join(' '), { checks, variants });
    const workflow = 'E<!-- joulediff -->@octo`[x](http://evil.example)';
    await publish({ artifacts: [{ archive: archive(hostile) }], run: { name: workflow } });
    const body = bodies()[0]!;
    expect(body.match(/<!--/g)).toHaveLength(1);
    expect(body.split('\n')[0]).toMatch(/^<!-- joulediff key=[\w.%/]+ run=77 attempt=1 sha=d{40} -->$/);
    // In code nothing is a mention, a link or an element.
    const html = render(body).replace(/<(code|pre)\b.*?<\/\1>/gs, '');
    expect(html).not.toMatch(/@octo|<script|<img|href="(?!https:\/\/github\.com\/octo\/demo)/);
    expect(job.log()).not.toMatch(/^::(?!notice|error|warning|debug|group|endgroup)/m);
  });

  it('stays within the size of a comment with more comparisons than fit', async () => {
    const variants = Array.from({ length: 600 }, (_, i) => ({
      name: `variant-${i}-${'x'.repeat(80)}`,
      meanJ: 250 + i,
    }));
    const large = findings('large', { variants: [{ name: 'native' }, ...variants], runs: 8 });
    await publish({
      artifacts: Array.from({ length: 4 }, (_, i) => ({ name: `joulediff-${i}`, archive: archive(large) })),
    });
    expect(Buffer.byteLength(bodies()[0]!)).toBeLessThanOrEqual(COMMENT_BYTES + 600);
    expect(bodies()[0]).toContain('can’t be verified');
  });

  it.each<[string, Case]>([
    ['left no result', { artifacts: [] }],
    ['can’t be asked for its artifacts', { forbidden: ['artifacts'] }],
  ])('marks the comment of an older commit where the run %s', async (_, given) => {
    const old = `<!-- joulediff key=Publish%20energy/publish/Energy run=76 attempt=1 sha=${'c'.repeat(40)} -->\nold`;
    await publish({ ...given, prepare: () => server.add(old) });
    expect(bodies()).toEqual([expect.stringMatching(/> \*\*These numbers are of the older commit c{10}\.\*\*/)]);
  });

  it('overwrites no comment that a person wrote with the same marker', async () => {
    const fake = '<!-- joulediff key=Publish%20energy/publish/Energy run=99999 attempt=1 sha=none -->\nApproved';
    await publish({ prepare: () => server.add(fake, PERSON) });
    expect(bodies()).toHaveLength(2);
    expect(bodies()[0]).toBe(fake);
  });

  it('takes the key that the user gave in the place of the workflow’s name', async () => {
    await publish({ inputs: { commentKey: 'mine' }, run: { name: 'chosen by the fork' } });
    expect(bodies()[0]).toContain('key=Publish%20energy/publish/mine ');
  });

  it('writes no comment where it is told not to', async () => {
    await publish({ inputs: { comment: 'never' } });
    expect(methods().every((method) => method === 'GET')).toBe(true);
    expect(job.summary()).toContain('`container` used');
    expect(job.outputs().verdict).toBe('increase');
  });

  it('works at the address of a GitHub Enterprise Server, over all pages', async () => {
    const legs = Array.from({ length: 130 }, (_, i) => ({ name: `other-${i}`, archive: Buffer.alloc(0) }));
    await publish({ mode: 'ghes', artifacts: [...legs, {}] });
    expect(bodies()).toHaveLength(1);
    expect(server.seen.every(({ path }) => path.startsWith('/api/v3/'))).toBe(true);
  });

  it('reads all pages of a Gitea, which tells only the totals of artifacts and jobs', async () => {
    const others = Array.from({ length: 130 }, (_, i) => ({ name: `other-${i}`, archive: Buffer.alloc(0) }));
    await publish({
      mode: 'gitea',
      filters: false,
      artifacts: [...others, {}],
      prepare: () => {
        for (const { name } of others) server.jobs.push({ name, conclusion: 'success' });
        server.jobs.push({ name: 'measure (zip)', conclusion: 'failure' });
      },
    });
    expect(bodies()[0]).toContain('`container` used');
    expect(bodies()[0]).toMatch(/\| `measure \(zip\)` \| none: it ended with failure \|/);
    for (const list of ['artifacts', 'jobs']) {
      expect(server.seen.filter(({ path }) => path.includes(`/runs/77/${list}?`))).toHaveLength(3);
    }
  });

  it('ends where a Gitea tells of more artifacts than it gives', async () => {
    await publish({
      mode: 'gitea',
      filters: false,
      artifacts: [],
      prepare: () => {
        for (const artifacts of [[{ id: 1, name: 'coverage' }], []]) {
          server.next('GET', /\/artifacts$/, { status: 200, json: { total_count: 9, artifacts } });
        }
      },
    });
    expect(server.seen.filter(({ path }) => path.includes('/artifacts?'))).toHaveLength(2);
    expect(job.log()).toContain('left no result in an artifact named joulediff');
  });

  it('finds the jobs without a result after downloads that took longer than requests may', async () => {
    const { now } = Date;
    let passedMs = 0;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + passedMs);
    await publish({
      prepare: () => {
        server.jobs.push({ name: 'measure (zip)', conclusion: 'failure' });
        server.before('GET', /\/zip$/, () => {
          passedMs = 90_000;
        });
      },
    }).finally(() => clock.mockRestore());
    expect(bodies()[0]).toMatch(/\| `measure \(zip\)` \| none: it ended with failure \|/);
  });

  it.each([
    [404, /^(?!::).*The jobs of run 77 can’t be listed: the server answered with status 404/m],
    [400, /^::warning::The jobs of run 77 can’t be listed: the server answered with status 400/m],
  ])('warns where the jobs can’t be listed by a server that has such a list: %d', async (status, line) => {
    await publish({ prepare: () => server.next('GET', /\/jobs$/, { status, json: { message: 'x' } }) });
    expect(job.log()).toMatch(line);
  });
});
