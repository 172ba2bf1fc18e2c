// Class: system.
import { afterEach, describe, expect, it } from '@jest/globals';
import { LIMITS } from '../../src/forge/api.ts';
import { type CommentRequest, markStale, publishComment as publish } from '../../src/forge/comment.ts';
import { commentKey, formatMarker, type Marker } from '../../src/forge/marker.ts';
import { BOT, type CommentsServer, type Options, PERSON, startCommentsServer } from '../servers/comments-server.ts';

const TOKEN = 'ghs_secret-token-of-the-job';
const KEY = commentKey('Energy', 'measure', '');
const COMMENTS = /\/comments$/;
const ONE = /\/comments\/\d+$/;
/** Pauses that a test can wait for. */
const QUICK = { ...LIMITS, pauseMs: 1, verifyMs: 1 };
const publishComment = (asked: CommentRequest, limits = QUICK) => publish(asked, limits);

let server: CommentsServer;

afterEach(() => server.close());

async function start(options: Options = {}): Promise<void> {
  server = await startCommentsServer(options);
}

function request(runId: number, more: Partial<CommentRequest> & { attempt?: number } = {}): CommentRequest {
  return {
    apiUrl: server.url,
    token: TOKEN,
    owner: 'octo',
    repository: 'demo',
    pullRequest: 5,
    markdown: `report of run ${runId}`,
    ...more,
    marker: { key: KEY, runId, attempt: more.attempt ?? 1, headSha: null, ...more.marker },
  };
}

const commentBody = (runId: number, attempt = 1, text = `report of run ${runId}`) =>
  `${formatMarker({ key: KEY, runId, attempt, headSha: null })}\n${text}`;

const bodies = () => server.comments.map((c) => c.body);
const methods = () => server.seen.map((s) => s.method);

describe('publishComment', () => {
  it('creates the comment once, and then updates it in place', async () => {
    await start();
    const first = await publishComment(request(1));
    const second = await publishComment(request(2));
    expect(first).toMatchObject({ state: 'created', url: expect.stringContaining('#issuecomment-101') });
    expect(second).toMatchObject({ state: 'updated', url: first.url });
    expect(bodies()).toEqual([commentBody(2)]);
    expect(server.seen.every((s) => s.authorization === `token ${TOKEN}`)).toBe(true);
  });

  it('updates when the same run publishes again, as a second attempt or not', async () => {
    await start();
    await publishComment(request(1));
    await publishComment(request(1, { markdown: 'again' }));
    expect(bodies()).toEqual([commentBody(1, 1, 'again')]);
    await publishComment(request(1, { attempt: 2 }));
    expect(bodies()).toEqual([commentBody(1, 2)]);
  });

  describe('by another step or job of the same run', () => {
    const by = (runId: number, part: string, attempt = 1): CommentRequest => {
      const marker: Marker = { key: KEY, runId, attempt, headSha: null, part };
      return { ...request(runId), marker, markdown: `by ${part}` };
    };
    const A = 'aaaaaaaa';
    const B = 'bbbbbbbb';

    it('is not overwritten: the second is refused with the remedy, and a rerun or the next run is not', async () => {
      await start();
      await publishComment(by(1, A));
      expect(await publishComment(by(1, B))).toMatchObject({
        state: 'failed',
        sentence: expect.stringContaining('Give each its own comment-key'),
      });
      expect(bodies()).toEqual([expect.stringMatching(/:aaaaaaaa run=1 [\s\S]*by aaaaaaaa$/)]);
      expect(await publishComment(by(1, A))).toMatchObject({ state: 'updated' });
      expect(await publishComment(by(1, B, 2))).toMatchObject({ state: 'updated' });
      expect(await publishComment(by(2, A))).toMatchObject({ state: 'updated' });
      expect(bodies()).toEqual([expect.stringContaining('by aaaaaaaa')]);
    });

    it('is told by at least one of two that really run at once', async () => {
      await start();
      const states = (await Promise.all([publishComment(by(1, A)), publishComment(by(1, B))])).map(
        ({ state }) => state,
      );
      expect(bodies()).toHaveLength(1);
      expect(states).toContain('failed');
    });
  });

  describe('an older comment', () => {
    const [OLD, NEW] = ['1'.repeat(40), '2'.repeat(40)];
    const body = (headSha: string, runId = 4) =>
      `${formatMarker({ key: KEY, runId, attempt: 1, headSha })}\n# Report\n\ntext`;
    const mark = (headSha: string, runId = 5) => {
      const { markdown: _, ...place } = request(runId);
      const marker: Marker = { key: KEY, runId, attempt: 1, headSha };
      return markStale(
        { ...place, marker, note: (older) => `of ${older.slice(0, 7)}, not ${headSha.slice(0, 7)}` },
        QUICK,
      );
    };

    it('is marked as of an older commit once, and a new result takes its place', async () => {
      await start();
      server.add(body(OLD));
      expect(await mark(NEW)).toMatchObject({ marked: true });
      expect(await mark('3'.repeat(40), 6)).toMatchObject({ marked: true });
      const [marker, ...rest] = body(OLD).split('\n');
      const note = ['<!-- joulediff stale -->', '> [!WARNING]', '> of 1111111, not 3333333', ''];
      expect(bodies()).toEqual([[marker, ...note, ...rest].join('\n')]);
      await publishComment(request(7));
      expect(bodies()).toEqual([commentBody(7)]);
    });

    it('is left alone where it is of this commit, of a newer run or of somebody else, and none is made', async () => {
      await start();
      expect(await mark(NEW)).toBeNull();
      server.add(body(OLD), PERSON);
      expect(await mark(NEW)).toBeNull();
      server.add(body(NEW));
      expect(await mark(NEW)).toBeNull();
      expect(await mark(OLD, 3)).toBeNull();
      expect(bodies()).toEqual([body(OLD), body(NEW)]);
    });
  });

  it.each([
    ['an older run', { runId: 4, attempt: 9 }],
    ['an older attempt of the same run', { runId: 5, attempt: 2 }],
  ])('does not let %s overwrite a newer one', async (_, { runId, attempt }) => {
    await start();
    server.add(commentBody(5, 3));
    const result = await publishComment(request(runId, { attempt }));
    expect(result).toMatchObject({ state: 'superseded', url: expect.stringContaining('#issuecomment-101') });
    expect(bodies()).toEqual([commentBody(5, 3)]);
  });

  it('keeps a comment for every workflow, job and key', async () => {
    await start();
    await publishComment(request(1));
    await publishComment(request(1, { marker: { ...request(1).marker, key: commentKey('Energy', 'other', '') } }));
    expect(server.comments).toHaveLength(2);
  });

  it.each(['github', 'ghes'] as const)('finds its comment on the third page of %s, following Link', async (mode) => {
    await start({ mode });
    for (let i = 0; i < 230; i++) {
      server.add(`comment ${i}`, PERSON);
    }
    server.add(commentBody(1));
    const result = await publishComment(request(2));
    expect(result.state).toBe('updated');
    expect(server.comments.at(-1)?.body).toBe(commentBody(2));
    // The POST asks whose token it is.
    expect(methods()).toEqual(['GET', 'GET', 'GET', 'POST', 'PATCH', 'GET']);
  });

  it('ends where pages lead round in a circle', async () => {
    await start();
    const link = `<${server.url}/repos/octo/demo/issues/5/comments?page=1>; rel="next"`;
    for (let i = 0; i < 200; i++) {
      server.next('GET', COMMENTS, { status: 200, headers: { link }, json: [] });
    }
    const result = await publishComment(request(1));
    expect(result.state).toBe('failed');
    expect(server.comments).toEqual([]);
  });

  it('sends the token to no other host that a page leads to', async () => {
    await start();
    const other = await startCommentsServer();
    const link = `<${other.url}/repos/octo/demo/issues/5/comments?page=2>; rel="next"`;
    server.next('GET', COMMENTS, { status: 200, headers: { link }, json: [] });
    await publishComment(request(1));
    await other.close();
    expect(other.seen).toEqual([]);
    expect(bodies()).toEqual([commentBody(1)]);
  });

  it('agrees with a job that created the same comment at the same moment: the first stays, with the newest text', async () => {
    await start();
    server.before('POST', COMMENTS, () => server.add(commentBody(9)));
    const result = await publishComment(request(8));
    expect(result).toMatchObject({ state: 'superseded', url: expect.stringContaining('#issuecomment-101') });
    expect(bodies()).toEqual([commentBody(9)]);

    server.comments.length = 0;
    server.before('POST', COMMENTS, () => server.add(commentBody(7)));
    expect(await publishComment(request(8))).toMatchObject({ state: 'updated' });
    expect(bodies()).toEqual([commentBody(8)]);
  });

  it('leaves one comment when two jobs really run at once', async () => {
    await start();
    await Promise.all([publishComment(request(1)), publishComment(request(2))]);
    expect(bodies()).toEqual([commentBody(2)]);
  });

  it('writes again when an older job, which had looked before, overwrites it, and not when a newer one does', async () => {
    await start();
    const write = (runId: number) => () => {
      server.comments[0]!.body = commentBody(runId);
    };
    server.add(commentBody(1));
    server.before('GET', ONE, write(2));
    expect(await publishComment(request(3))).toMatchObject({ state: 'updated' });
    expect(bodies()).toEqual([commentBody(3)]);
    server.before('GET', ONE, write(9));
    expect(await publishComment(request(4))).toMatchObject({ state: 'superseded' });
    expect(bodies()).toEqual([commentBody(9)]);
  });

  it('does not fight without end with a job that always overwrites it', async () => {
    await start();
    server.add(commentBody(1));
    for (let i = 0; i < 20; i++) {
      server.before('GET', ONE, () => {
        server.comments[0]!.body = commentBody(2);
      });
    }
    await publishComment(request(3));
    expect(methods().filter((method) => method === 'PATCH')).toHaveLength(4);
  });

  it('clears up duplicates that are there already, and carries their newest text over', async () => {
    await start();
    server.add(commentBody(1));
    server.add(commentBody(9));
    server.add(commentBody(3));
    await publishComment(request(4));
    expect(server.comments.map((c) => [c.id, c.body])).toEqual([[101, commentBody(9)]]);
  });
});

describe('look-alikes', () => {
  it.each([
    ['a workflow token', { tellsUser: false }, 'ghs_x'],
    ['a token of unknown kind that may not ask who it is', { tellsUser: false }, 'abc'],
    ['a person’s token', { tellsUser: true, self: { id: 3, login: 'alice', type: 'User' } }, 'ghp_x'],
    ['a token on Gitea', { mode: 'gitea' as const, tellsUser: true, self: { id: 2, login: 'bot' } }, 'abc'],
  ])('of another person are neither overwritten nor believed, with %s', async (_, options, token) => {
    await start(options);
    server.add(commentBody(999), PERSON);
    server.add(commentBody(999), { id: 8, login: 'eve' });
    expect((await publishComment(request(1, { token }))).state).toBe('created');
    expect((await publishComment(request(2, { token }))).state).toBe('updated');
    expect(bodies()).toEqual([commentBody(999), commentBody(999), commentBody(2)]);
  });

  it('of another app are neither overwritten nor believed, with the token of an app', async () => {
    const app = { id: 55, login: 'energy[bot]', type: 'Bot' };
    await start({ self: app });
    server.add(commentBody(999), BOT);
    server.add(commentBody(999), { id: 56, login: 'other[bot]', type: 'Bot' });
    expect((await publishComment(request(1))).state).toBe('created');
    expect((await publishComment(request(2))).state).toBe('updated');
    expect(server.comments.map(({ body, user }) => [body, user?.login])).toEqual([
      [commentBody(999), 'github-actions[bot]'],
      [commentBody(999), 'other[bot]'],
      [commentBody(2), 'energy[bot]'],
    ]);
  });

  it('with a run that the repository does not have keep no comment from being brought up to date', async () => {
    await start({ runs: [1, 2, 5] });
    server.add(commentBody(9_007_199_254_740_991));
    expect((await publishComment(request(2))).state).toBe('updated');
    expect(bodies()).toEqual([commentBody(2)]);
    await publishComment(request(5));
    expect((await publishComment(request(2))).state).toBe('superseded');
    expect(bodies()).toEqual([commentBody(5)]);
  });

  it('in the middle of a comment of the bot’s own are text', async () => {
    await start();
    server.add(`> quoting\n${commentBody(999)}`);
    expect((await publishComment(request(1))).state).toBe('created');
  });

  it('do not keep a token that can’t find out who it is from ending with one comment', async () => {
    await start({ mode: 'gitea', self: { id: 2, login: 'alice' } });
    server.add(commentBody(999), { id: 8, login: 'eve' });
    await publishComment(request(1, { token: 'abc' }));
    const again = await publishComment(request(2, { token: 'abc' }));
    expect(again.state).toBe('updated');
    expect(server.comments.map((c) => [c.id, c.body])).toEqual([
      [101, commentBody(999)],
      [102, commentBody(2)],
    ]);
  });
});

describe('Gitea', () => {
  const gitea: Options = { mode: 'gitea', tellsUser: true, self: { id: 2, login: 'bot' } };

  it('gives all comments at once, and the search ends', async () => {
    await start(gitea);
    for (let i = 0; i < 150; i++) {
      server.add(`comment ${i}`, { id: 9, login: 'eve' });
    }
    expect((await publishComment(request(1, { token: 'abc' }))).state).toBe('created');
    expect((await publishComment(request(2, { token: 'abc' }))).state).toBe('updated');
    expect(server.comments.at(-1)?.body).toBe(commentBody(2));
    expect(server.comments).toHaveLength(151);
  });

  it('answers 500 for a pull request that is not there, which is told', async () => {
    await start(gitea);
    const result = await publishComment(request(1, { token: 'abc', pullRequest: 6 }), QUICK);
    expect(result).toMatchObject({ state: 'failed', url: null });
    expect(result.sentence).toMatch(/octo\/demo#6 was not written.*status 500.*issue does not exist/s);
  });
});

describe('what goes wrong', () => {
  it('names the permission that is missing, and the lines to add', async () => {
    await start({ access: 'read' });
    const { state, sentence } = await publishComment(request(1));
    expect(state).toBe('failed');
    expect(sentence).toContain('pull-requests: write');
    expect(sentence).toContain('permissions:\n  contents: read\n  pull-requests: write');
    expect(sentence).toContain('issues=write; pull_requests=write');
    expect(methods()).toEqual(['GET', 'POST']);
  });

  it.each([
    [401, {}, 'Bad credentials', /token is not valid/],
    [404, {}, 'Not Found', /no pull request octo\/demo#5 that this token can see/],
    [403, {}, 'Unable to create comment because issue is locked.', /conversation is locked/],
    [422, {}, 'Validation Failed', /rejected the text/],
    [403, { 'retry-after': '3600' }, 'You have exceeded a secondary rate limit', /no more requests for now.*3600/],
    [418, {}, '##[error]::set-output name=x::y\n::stop-commands::', /status 418/],
  ])('tells a person what status %i means', async (status, headers, message, sentence) => {
    await start();
    for (const method of ['GET', 'POST']) {
      server.next(method, COMMENTS, { status, headers, json: { message } });
    }
    const result = await publishComment(request(1), QUICK);
    expect(result.state).toBe('failed');
    expect(result.sentence).toMatch(sentence);
    expect(result.sentence).not.toMatch(/^::|##\[/m);
  });

  it('never lets the token into a message', async () => {
    await start();
    server.next('GET', COMMENTS, { status: 400, json: { message: `bad header: token ${TOKEN}` } });
    const { sentence } = await publishComment(request(1));
    expect(sentence).toContain('***');
    expect(sentence).not.toContain(TOKEN);
  });

  it.each([
    ['429 with Retry-After in seconds', 429, { 'retry-after': '0' }],
    ['403 with Retry-After as a date', 403, { 'retry-after': new Date(0).toUTCString() }],
    [
      '403 with nothing left until a moment that is past',
      403,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' },
    ],
  ])('waits and goes on after %s', async (_, status, headers) => {
    await start();
    server.next('GET', COMMENTS, { status, headers, json: { message: 'slow down' } });
    server.next('POST', COMMENTS, { status, headers, json: { message: 'slow down' } });
    expect((await publishComment(request(1), QUICK)).state).toBe('created');
    expect(bodies()).toEqual([commentBody(1)]);
  });

  it('goes on after an error of the server, and gives up after the third', async () => {
    await start();
    server.next('GET', COMMENTS, { status: 502 });
    server.next('GET', COMMENTS, { status: 200, instead: 'reset' });
    expect((await publishComment(request(1), QUICK)).state).toBe('created');
    for (let i = 0; i < 3; i++) {
      server.next('GET', COMMENTS, { status: 502, json: { message: 'no' } });
    }
    const before = server.seen.length;
    expect((await publishComment(request(2), QUICK)).sentence).toContain('status 502');
    expect(server.seen.length - before).toBe(3);
  });

  it('writes no second comment when the answer to the first was lost', async () => {
    await start();
    server.next('POST', COMMENTS, { status: 502 }, () => server.add(commentBody(1)));
    const lost = await publishComment(request(1), QUICK);
    expect(lost.url).toContain('#issuecomment-');
    expect(bodies()).toEqual([commentBody(1)]);
  });

  it('takes an answer that is no list for an error, and writes nothing', async () => {
    await start();
    for (const json of [undefined, 'text', { total_count: 0 }, null]) {
      server.next('GET', COMMENTS, { status: 200, json });
      expect((await publishComment(request(1), QUICK)).state).toBe('failed');
    }
    expect(server.comments).toEqual([]);
  });

  it('creates the comment when the one to update has just been deleted', async () => {
    await start();
    server.add(commentBody(1));
    server.before('PATCH', ONE, () => server.comments.splice(0));
    expect((await publishComment(request(2))).state).toBe('created');
    expect(bodies()).toEqual([commentBody(2)]);
  });

  it('is content with an update when duplicates can’t be deleted', async () => {
    await start();
    server.add(commentBody(1));
    server.add(commentBody(2));
    server.next('DELETE', ONE, { status: 403, json: { message: 'Must have admin rights' } });
    expect((await publishComment(request(3))).state).toBe('updated');
    expect(bodies()).toEqual([commentBody(3), commentBody(2)]);
  });

  it('ends when the server never answers', async () => {
    await start();
    for (let i = 0; i < 3; i++) {
      server.next('GET', COMMENTS, { status: 200, instead: 'hang' });
    }
    const result = await publishComment(request(1), { ...QUICK, requestMs: 30 });
    expect(result.sentence).toContain('did not answer');
    server.next('GET', COMMENTS, { status: 200, instead: 'hang' });
    expect((await publishComment(request(1), { ...QUICK, totalMs: 30 })).state).toBe('failed');
  });

  it('tells when nobody listens at the address', async () => {
    await start();
    const result = await publishComment(request(1, { apiUrl: 'http://127.0.0.1:1' }), QUICK);
    expect(result).toMatchObject({ state: 'failed', sentence: expect.stringContaining('127.0.0.1:1 did not answer') });
  });

  it('refuses a text that is too long before anything is sent, and takes the longest that is allowed', async () => {
    await start();
    const tooLong = await publishComment(request(1, { markdown: 'é'.repeat(30_001) }));
    expect(tooLong).toMatchObject({ state: 'failed', sentence: expect.stringContaining('60002 bytes') });
    expect(server.seen).toEqual([]);
    expect((await publishComment(request(1, { markdown: 'x'.repeat(60_000) }))).state).toBe('created');
    expect(server.comments[0]?.user).toEqual(BOT);
  });
});
