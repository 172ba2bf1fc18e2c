// Class: system.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CommentRequest } from '../../src/forge/comment.ts';
import { commentKey, formatMarker } from '../../src/forge/marker.ts';
import { type CommentsServer, startCommentsServer } from '../servers/comments-server.ts';
import { type Publisher, startPublisher } from './race.ts';

const KEY = commentKey('Energy', 'measure', '');
// Other tests may keep the processors busy: an older job that is held up for longer than this has the last word.
const QUICK = { pauseMs: 5, verifyMs: 300 };
const makeMarker = (runId: number) => ({ key: KEY, runId, attempt: 1, headSha: null });
const commentBody = (runId: number) => `${formatMarker(makeMarker(runId))}\nreport of run ${runId}`;

let server: CommentsServer;
let publishers: Publisher[];

beforeAll(async () => {
  server = await startCommentsServer({ delayMs: () => Math.random() * 12 });
  publishers = await Promise.all([startPublisher(), startPublisher()]);
});
afterAll(async () => {
  for (const publisher of publishers) publisher.end();
  await server.close();
});

const request = (runId: number): CommentRequest => ({
  apiUrl: server.url,
  token: 'ghs_x',
  owner: 'octo',
  repository: 'demo',
  pullRequest: 5,
  marker: makeMarker(runId),
  markdown: `report of run ${runId}`,
});
const bodies = () => server.comments.map(({ body }) => body);

describe('two processes at the same moment', () => {
  it.each<[string, number[]]>([
    ['create one comment', []],
    ['update one comment', [1]],
    ['leave one of several', [1, 2, 3]],
  ])(
    '%s, with the newest text, 20 times',
    async (_, before) => {
      for (let i = 0; i < 20; i++) {
        server.comments.length = 0;
        for (const runId of before) server.add(commentBody(runId));
        const runs = i % 2 === 0 ? [10, 11] : [11, 10];
        const results = await Promise.all(publishers.map((p, n) => p.publish(request(runs[n]!), QUICK)));
        expect({ i, bodies: bodies() }).toEqual({ i, bodies: [commentBody(11)] });
        expect(results.filter(({ state }) => state === 'failed')).toEqual([]);
      }
    },
    120_000,
  );

  it('publish one run after the other without waiting for each other, and the last of all stays', async () => {
    server.comments.length = 0;
    const last = 24;
    await Promise.all(
      publishers.map(async (publisher, n) => {
        for (let runId = 1 + n; runId <= last; runId += 2) await publisher.publish(request(runId), QUICK);
      }),
    );
    expect(bodies()).toEqual([commentBody(last)]);
  });
});
