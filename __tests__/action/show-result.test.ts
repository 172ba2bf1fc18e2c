// Class: system.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { errorText } from '../../src/action/error-text.ts';
import { type ShowInputs, showResult } from '../../src/action/show-result.ts';
import { InputError, MeasureError, Stopped } from '../../src/errors.ts';
import type { ExperimentResult } from '../../src/run/run.ts';
import { ResultFolder } from '../../src/system/result-folder.ts';
import { type ArtifactServer, startArtifactServer } from '../servers/artifact-server.ts';
import { type CommentsServer, type Options, startCommentsServer } from '../servers/comments-server.ts';
import type { Request } from '../servers/http.ts';
import { analysis, findings } from './fixture.ts';

const before = { ...process.env };
const inputs: ShowInputs = { token: 'ghs_secret', comment: 'always', commentKey: '', artifactName: 'joulediff' };
let dir: string;
let outDir: string;
let comments: CommentsServer;
let artifacts: ArtifactServer;
let log: string[];

beforeEach(async () => {
  log = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => log.push(String(chunk)) > 0);
  dir = mkdtempSync(join(tmpdir(), 'joulediff-publish-'));
  outDir = join(dir, 'out');
  artifacts = await startArtifactServer();
  await use();
});

afterEach(async () => {
  jest.restoreAllMocks();
  process.env = { ...before };
  rmSync(dir, { recursive: true });
  await comments.close();
  await artifacts.close();
});

const file = (name: string, content: string) => {
  const path = join(dir, name);
  writeFileSync(path, content);
  return path;
};

/** A file of the result, as joulediff writes it. */
async function made(name: string, content: string): Promise<void> {
  using folder = ResultFolder.open(outDir);
  await folder.replace(name, content);
}

/** The environment of a job for pull request 5 of octo/demo, with this REST server. */
async function use(options: Options = {}): Promise<void> {
  comments = await startCommentsServer(options);
  const pull = { number: 5, head: { sha: 'd'.repeat(40), repo: { full_name: 'octo/demo' } } };
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir);
  // What others left there is not what is published.
  file('out/comment.md', '# Somebody else’s comment\n');
  file('out/summary.md', '# Somebody else’s summary\n');
  await made('experiment.db', 'data');
  Object.assign(process.env, artifacts.env, {
    GITHUB_REPOSITORY: 'octo/demo',
    GITHUB_RUN_ID: '12',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_WORKFLOW: 'Energy',
    GITHUB_JOB: 'measure',
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_API_URL: comments.url,
    GITHUB_EVENT_PATH: file('event.json', JSON.stringify({ pull_request: pull })),
    GITHUB_STEP_SUMMARY: file('summary', ''),
    GITHUB_OUTPUT: file('output', ''),
  });
}

const result = (change: Partial<ExperimentResult> = {}): ExperimentResult => ({
  outDir,
  databasePath: join(outDir, 'experiment.db'),
  analysis: analysis(),
  texts: change.analysis === null ? null : { comment: '# The comment\n', summary: '# The summary\n' },
  error: null,
  complete: true,
  ...change,
});

const read = (name: string) => readFileSync(join(dir, name), 'utf8');

/** The outputs as the runner takes them: the last of a name wins. */
const outputs = () =>
  Object.fromEntries(
    [...read('output').matchAll(/^(.+)<<(ghadelimiter_.+)\n([\s\S]*?)\n?\2$/gm)].map((m) => [m[1], m[3]]),
  );

const REPORT = 'https://github.com/octo/demo/actions/runs/12/artifacts/2';
const ARTIFACT = 'https://github.com/octo/demo/actions/runs/12/artifacts/1';

describe('showResult', () => {
  // First in this file, so that nothing is imported yet: @actions/github parses the event file while it is imported.
  it('publishes what it can when the event file is broken', async () => {
    process.env.GITHUB_EVENT_PATH = file('event.json', '{"pull_request":');
    process.env.GITHUB_REF = 'refs/pull/5/merge';
    const shown = await showResult(result(), inputs, process.env);
    expect(shown.artifactUrl).toBe(ARTIFACT);
    expect(comments.comments).toHaveLength(1);
    expect(log.join('')).toMatch(/::warning::The event file .* is not JSON/);
  });

  it('writes the comment with a link to the artifact, the summary, and every output', async () => {
    const shown = await showResult(result(), inputs, process.env);
    expect(shown).toEqual({
      commentUrl: expect.stringContaining('#issuecomment-101'),
      artifactUrl: ARTIFACT,
      markdown: expect.stringContaining('# The comment'),
      unfinished: false,
    });
    const [marker, ...text] = (comments.comments[0]?.body ?? '').split('\n');
    expect(marker).toMatch(/^<!-- joulediff key=\S+ run=12 attempt=1 sha=d{40} -->$/);
    expect(text.join('\n')).toBe(`# The comment\n\n<sub>[Report and raw data](${ARTIFACT})</sub>`);
    expect(read('summary')).toBe('# The summary\n');
    expect(outputs()).toMatchObject({
      verdict: 'inconclusive',
      'delta-percent': '2.5',
      'hedges-g': '',
      'report-path': join(outDir, 'summary.md'),
      'database-path': join(outDir, 'experiment.db'),
      'comment-url': shown.commentUrl,
      'artifact-url': ARTIFACT,
    });
    expect(log.join('')).not.toContain('ghs_secret');
  });

  it('links the report by itself beside the data, where there is one', async () => {
    await made('report.html', '<!doctype html>');
    await showResult(result(), inputs, process.env);
    const links = `<sub>[Interactive report](${REPORT}) · [Raw data](${ARTIFACT})</sub>`;
    expect(comments.comments[0]?.body).toContain(links);
    expect(outputs()).toMatchObject({ 'artifact-url': ARTIFACT, 'report-url': REPORT });
  });

  it.each([
    ['1.25.5', '3'],
    ['1.26.0', '12'],
    ['of another forge', null],
  ])('links where a Gitea of version %s has its pages, or nowhere', async (version, run) => {
    await comments.close();
    const more = ({ url }: Request) => (url.pathname === '/api/v1/version' ? { status: 200, json: { version } } : null);
    await use({ mode: 'gitea', more });
    const { origin } = new URL(comments.url);
    Object.assign(process.env, { GITEA_ACTIONS: 'true', GITHUB_RUN_NUMBER: '3', GITHUB_SERVER_URL: origin });
    const { artifactUrl } = await showResult(result(), inputs, process.env);
    const page = run === null ? null : `${origin}/octo/demo/actions/runs/${run}/artifacts/joulediff`;
    expect(artifactUrl).toBe(page);
    expect([...artifacts.artifacts.keys()]).toEqual(['joulediff']);
    const body = comments.comments[0]?.body ?? '';
    expect(body).toContain('# The comment');
    expect(/actions\/runs\S*/.exec(body)?.[0]).toBe(
      page === null ? undefined : `actions/runs/${run}/artifacts/joulediff)</sub>`,
    );
  });

  it('names the artifact by the key that tells the jobs of a matrix apart', async () => {
    await showResult(result(), { ...inputs, commentKey: 'arm64: big & small' }, process.env);
    expect([...artifacts.artifacts.keys()]).toEqual([expect.stringMatching(/^joulediff-arm64-big-small-[0-9a-f]{8}$/)]);
  });

  it.each<[string, () => Partial<ShowInputs>, RegExp]>([
    [
      'a pull request',
      () => {
        process.env.GITHUB_EVENT_PATH = file('event.json', '{}');
        return {};
      },
      /this run is not for a pull request/,
    ],
    ['a token', () => ({ token: '' }), /no token was given/],
    [
      'rights, because of a fork',
      () => {
        const pull = { number: 5, head: { repo: { full_name: 'eve/demo' } } };
        process.env.GITHUB_EVENT_PATH = file('event.json', JSON.stringify({ pull_request: pull }));
        return {};
      },
      /comes from a fork/,
    ],
  ])('without %s says where the result is, and succeeds', async (_, change, reason) => {
    const shown = await showResult(result(), { ...inputs, ...change() }, process.env);
    expect(shown).toMatchObject({ commentUrl: null, artifactUrl: ARTIFACT });
    const notice = log.find((line) => line.startsWith('::notice::'));
    expect(notice).toMatch(reason);
    expect(notice).toContain(ARTIFACT);
    expect(comments.seen).toEqual([]);
    expect(read('summary')).toBe('# The summary\n');
    expect(outputs()).toMatchObject({ verdict: 'inconclusive', 'comment-url': '', 'artifact-url': ARTIFACT });
    expect(process.exitCode).toBeUndefined();
  });

  it('only warns when the token may not write, and names the permission', async () => {
    await comments.close();
    await use({ access: 'read' });
    await showResult(result(), inputs, process.env);
    expect(log.join('')).toMatch(/::warning::.*"pull-requests: write".*%0Apermissions:%0A/);
    expect(process.exitCode).toBeUndefined();
  });

  it('tells the path where the server takes no artifacts, and links the comment to the run', async () => {
    process.env.GITHUB_SERVER_URL = 'https://gitea.example/';
    const shown = await showResult(result(), inputs, process.env);
    expect(shown.artifactUrl).toBeNull();
    expect(log.join('')).toContain(`It is in ${outDir} on this runner.`);
    expect(comments.comments[0]?.body).toContain('(https://gitea.example/octo/demo/actions/runs/12)');
  });

  it('does nothing beyond outputs and summary when comment and artifact are switched off', async () => {
    await showResult(result(), { ...inputs, comment: 'never', artifactName: null }, process.env);
    expect([comments.seen, artifacts.calls]).toEqual([[], []]);
    expect(outputs().verdict).toBe('inconclusive');
  });

  describe('with comment: changes', () => {
    const quiet = analysis();
    const loud = { ...quiet, findings: findings({ verdict: 'increase' }) };
    const changes = { ...inputs, comment: 'changes', artifactName: null } as const;

    it('makes no comment where nothing changed, and says so in the log alone', async () => {
      const shown = await showResult(result({ analysis: quiet }), changes, process.env);
      expect(shown.commentUrl).toBeNull();
      expect(comments.comments).toEqual([]);
      expect(log.join('')).toContain('There is no comment: nothing changed');
      expect(log.join('')).not.toMatch(/::(warning|notice|error)/);
      expect(read('summary')).toBe('# The summary\n');
    });

    it('makes one where something did, and brings it up to date when nothing does any more', async () => {
      await showResult(result({ analysis: loud }), changes, process.env);
      expect(comments.comments).toHaveLength(1);
      process.env.GITHUB_RUN_ID = '13';
      const texts = { comment: '# Nothing any more\n', summary: '' };
      const shown = await showResult(result({ analysis: quiet, texts }), changes, process.env);
      expect(shown.commentUrl).toContain('#issuecomment-101');
      expect(comments.comments).toHaveLength(1);
      expect(comments.comments[0]?.body).toMatch(/^<!-- joulediff .* run=13 .*-->\n# Nothing any more/);
    });

    it('leaves another key’s comment alone, and does not take it for its own', async () => {
      await showResult(result({ analysis: loud }), { ...changes, commentKey: 'arm64' }, process.env);
      await showResult(result({ analysis: quiet }), changes, process.env);
      expect(comments.comments).toHaveLength(1);
      expect(comments.comments[0]?.body).toContain('# The comment');
    });

    it('does not say that a fork’s run may not write where there was nothing to write', async () => {
      const pull = { number: 5, head: { repo: { full_name: 'eve/demo' } } };
      process.env.GITHUB_EVENT_PATH = file('event.json', JSON.stringify({ pull_request: pull }));
      await showResult(result({ analysis: quiet }), changes, process.env);
      expect(log.join('')).not.toContain('::notice::');
    });

    it('tells of an experiment that failed', async () => {
      const error = new MeasureError('The meter is silent.');
      await showResult(result({ analysis: null, error }), changes, process.env);
      expect(comments.comments[0]?.body).toContain('The meter is silent.');
    });
  });

  it('has the outputs and the summary out before it speaks to any server', async () => {
    process.env.ACTIONS_RUNTIME_TOKEN = '';
    let seen: Record<string, string> = {};
    comments.before('GET', /comments$/, () => {
      seen = { ...outputs(), summary: read('summary') };
    });
    await showResult(result(), inputs, process.env);
    expect(seen).toMatchObject({ verdict: 'inconclusive', summary: '# The summary\n' });
  });

  it('says of a partial result why it ended, and lets nothing out of the error’s text', async () => {
    const error = new MeasureError('It printed ```\n<!-- x --> @octo ::error::', { advice: 'Look at the log.' });
    await showResult(result({ error }), inputs, process.env);
    const block = '````text\nIt printed ```\n<!-- x --> @octo ::error::\nLook at the log.\n````';
    expect(read('summary')).toContain(block);
    expect(comments.comments[0]?.body).toContain(`${block}\n\n# The comment`);
  });

  it('without a result takes no text of an earlier one, and says what went wrong', async () => {
    const error = new MeasureError('The meter is silent.');
    const shown = await showResult(result({ analysis: null, error }), inputs, process.env);
    expect(shown.artifactUrl).toBeNull();
    expect(comments.comments[0]?.body).toContain('could not measure this.**\n\n```text\nThe meter is silent.');
    expect(comments.comments[0]?.body).not.toContain('The comment');
    expect(read('summary')).not.toContain('The summary');
    expect(new Set(Object.values({ ...outputs(), 'comment-url': '' }))).toEqual(new Set(['']));
  });

  it.each([
    ['a mistake in the workflow file', { error: new InputError('No such port.') }],
    ['a cancelled job', { error: new Stopped('SIGTERM') }],
  ])('keeps %s out of the conversation', async (_, change) => {
    await showResult(result({ analysis: null, ...change }), inputs, process.env);
    expect(comments.seen).toEqual([]);
    expect(read('summary')).toContain(errorText(change.error));
  });

  it('leaves out the link and the note where the report fills the comment, rather than cut or lose it', async () => {
    await showResult(result({ texts: { comment: 'x'.repeat(60_000), summary: '' } }), inputs, process.env);
    expect(comments.comments[0]?.body).toMatch(/^<!--.*-->\nx{60000}$/);
  });

  it('goes on without a file for outputs or summary', async () => {
    process.env.GITHUB_OUTPUT = join(dir, 'missing', 'output');
    delete process.env.GITHUB_STEP_SUMMARY;
    const shown = await showResult(result(), inputs, process.env);
    expect(shown.commentUrl).toContain('#issuecomment-');
    expect(log.join('')).toMatch(/::warning::The outputs could not be set/);
  });
});
