// Class: system.
import { afterEach, describe, expect, it } from '@jest/globals';
import { connect } from '../../src/forge/api.ts';
import { findPullRequest } from '../../src/forge/find-pull-request.ts';
import type { FinishedRun } from '../../src/forge/workflow-run.ts';
import { type ForgeOptions, type ForgeServer, startForgeServer } from '../servers/forge-server.ts';

const run: FinishedRun = {
  id: 77,
  number: 0,
  page: null,
  attempt: 1,
  workflow: 'Energy',
  eventName: 'pull_request',
  conclusion: 'success',
  headSha: 'd'.repeat(40),
  headBranch: 'feature',
  headRepository: { owner: 'eve', name: 'demo' },
  pullRequests: [],
  ofPullRequest: null,
};
let server: ForgeServer;
afterEach(() => server.close());

const two = () => {
  server.pull(5);
  server.pull(6);
};

async function find(prepare: () => void, change: Partial<FinishedRun> = {}, options: ForgeOptions = {}) {
  server = await startForgeServer(options);
  prepare();
  const octokit = await connect('ghs_x', server.url);
  return findPullRequest(octokit, { owner: 'octo', name: 'demo' }, { ...run, ...change });
}

describe('findPullRequest', () => {
  it('finds the open pull request of the fork’s branch at the very commit', async () => {
    const found = await find(() => {
      server.pull(3, { repository: 'mallory/demo' });
      server.pull(4, { branch: 'other' });
      server.pull(5);
    });
    expect(found).toEqual({ number: 5 });
  });

  it('looks itself where the server does not filter, on every page', async () => {
    const many = () => {
      for (let number = 100; number < 350; number++) server.pull(number, { repository: `u${number}/demo` });
      server.pull(400, { repository: 'EVE/Demo' });
      server.pull(401, { state: 'closed' });
    };
    expect(await find(many, {}, { filters: false })).toEqual({ number: 400 });
    expect(server.seen).toHaveLength(3);
  });

  it.each<[string, () => void, Partial<FinishedRun>, RegExp]>([
    ['there is none', () => undefined, {}, /^no open pull request has the branch/],
    ['it is closed', () => server.pull(5, { state: 'closed' }), {}, /^no open pull request/],
    [
      'it has moved on',
      () => server.pull(5, { sha: 'e'.repeat(40) }),
      {},
      /^pull request #5 has moved on from ddddddd, which was measured$/,
    ],
    ['its fork is gone', () => server.pull(5), { headRepository: null }, /is gone$/],
    [
      'another repository of the same owner has the branch',
      () => server.pull(5, { repository: 'eve/other' }),
      {},
      /^no open/,
    ],
    ['two have the same head', two, {}, /^several .*\(#5, #6\)/],
  ])('finds none where %s, and says so', async (_, prepare, change, reason) => {
    expect(await find(prepare, change)).toEqual({ reason: expect.stringMatching(reason) });
  });

  it('tells two of the same head apart where the event names one of them, and takes no other', async () => {
    expect(await find(two, { pullRequests: [6, 9] })).toEqual({
      number: 6,
    });
    await server.close();
    const moved = () => server.pull(9, { sha: 'e'.repeat(40) });
    expect(await find(moved, { pullRequests: [9] })).toEqual({ reason: expect.stringContaining('#9 has moved on') });
  });

  it('takes an answer that is no list for an error', async () => {
    await expect(find(() => server.next('GET', /\/pulls$/, { status: 200, json: { number: 5 } }))).rejects.toThrow(
      /something other than a list/,
    );
  });
});
