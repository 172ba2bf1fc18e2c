// Class: system.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runPost } from '../../src/action/post.ts';
import { commentKey, formatMarker } from '../../src/forge/marker.ts';
import { PARTS } from '../../src/parts/all.ts';
import { type CommentsServer, startCommentsServer } from '../servers/comments-server.ts';
import { startMarksServer } from '../servers/marks-server.ts';
import { type FakeJob, startJob } from './job.ts';

const [OLD, NEW] = ['1'.repeat(40), '2'.repeat(40)];
const pull = { number: 5, head: { sha: NEW, repo: { full_name: 'octo/demo' } } };
const BODY = `${formatMarker({ key: commentKey('Energy', 'measure', 'a'), runId: 800, attempt: 1, headSha: OLD })}\n# Report`;

let server: CommentsServer;
let job: FakeJob;
beforeEach(async () => {
  server = await startCommentsServer();
  server.add(BODY);
});
afterEach(async () => {
  job.end();
  await server.close();
});

async function post(env: Readonly<Record<string, string>> = {}): Promise<string> {
  job = startJob(
    'pull_request',
    { pull_request: pull },
    {
      GITHUB_WORKFLOW: 'Energy',
      GITHUB_JOB: 'measure',
      GITHUB_API_URL: server.url,
      'INPUT_GITHUB-TOKEN': 'ghs_secret',
      'INPUT_COMMENT-KEY': 'a',
      INPUT_COMMENT: 'always',
      INPUT_MODE: 'measure',
      ...env,
    },
  );
  await runPost(PARTS);
  return server.comments[0]?.body ?? '';
}

describe('the post step', () => {
  it('marks the comment of an older commit where the step ended without a result', async () => {
    expect(await post()).toContain(
      `> **These numbers are of the older commit ${OLD.slice(0, 10)}.** The newer commit ${NEW.slice(0, 10)} has no result. [Its run](https://github.com/octo/demo/actions/runs/900) ended without one.`,
    );
    expect(job.failed()).toBe(false);
  });

  it('ends a check that still says that it measures', async () => {
    const marks = await startMarksServer();
    const check = {
      id: 7,
      name: 'joulediff: Energy / a',
      head_sha: NEW,
      external_id: 'joulediff 900.1',
      conclusion: null,
    };
    marks.checks.push({ ...check, status: 'in_progress', output: { title: 'Measuring: 9 min left', summary: 's' } });
    await post({ STATE_checking: 'true', GITHUB_API_URL: marks.url });
    expect(marks.checks).toEqual([expect.objectContaining({ id: 7, status: 'completed', conclusion: 'failure' })]);
    expect(marks.checks[0]?.output.title).toBe('The measurement left no result');
    expect(job.failed()).toBe(false);
    await marks.close();
  });

  it.each([
    ['a result was shown', { STATE_shown: 'true' }],
    ['no comment is wanted', { INPUT_COMMENT: 'never' }],
    ['nothing was to be measured', { INPUT_MODE: 'publish' }],
    ['the comment is another job’s', { GITHUB_JOB: 'other' }],
  ])('leaves it alone where %s', async (_, env) => {
    expect(await post(env)).toBe(BODY);
  });
});
