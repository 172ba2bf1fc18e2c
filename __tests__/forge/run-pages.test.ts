// Class: system.
import { afterEach, describe, expect, it } from '@jest/globals';
import { readEvent, runPage } from '../../src/forge/event.ts';
import { withRunPages } from '../../src/forge/run-pages.ts';
import { type Reply, type Request, type Server, serve } from '../servers/http.ts';

let server: Server;
let seen: Request[];
afterEach(() => server.close());

/** What the address of the page of run 812, the repository's seventh, ends with, where the server answers this; null: there is none. */
async function pageBy(
  reply: Reply,
  env: Readonly<Record<string, string>> = {},
  totalMs = 30_000,
  run: Reply = { status: 404, json: { message: 'Not found.' } },
) {
  seen = [];
  server = await serve((request) => {
    seen.push(request);
    return request.url.pathname === '/api/v1/repos/octo/demo/actions/runs/812' ? run : reply;
  });
  const event = readEvent({
    GITHUB_REPOSITORY: 'octo/demo',
    GITHUB_RUN_ID: '812',
    GITHUB_RUN_NUMBER: '7',
    GITEA_ACTIONS: 'true',
    GITHUB_SERVER_URL: server.url,
    GITHUB_API_URL: `${server.url}/api/v1`,
    ...env,
  });
  const page = runPage(await withRunPages(event, 'secret', { mostBytes: 10_000, totalMs }));
  return page?.replace(`${server.url}/octo/demo/actions/runs/`, '') ?? null;
}

const reported = (version: unknown): Reply => ({ status: 200, json: { version } });

describe('the page of a run', () => {
  it.each([
    ['1.21.11', '7'],
    ['1.25.5', '7'],
    ['1.25.0+rc0', '7'],
    ['1.26.0', '812'],
    ['1.26.2+3-g0123456789', '812'],
    ['1.27.0+dev-12-g0123456789', '812'],
    ['1.100.0', '812'],
    // Forgejo, by a runner that poses as Gitea's.
    ['1.20.6-0', '7'],
    ['7.0.16+gitea-1.21.11', '7'],
    ['15.0.1+gitea-1.22.0', '7'],
    ['16.0.0-dev-204-0123456789+gitea-1.22.0', '7'],
    // Before or after the change: its version does not tell. A wrong link is worse than none.
    ['1.26.0+dev-300-g0123456789', null],
    ['1.26.0-rc0', null],
    ['2.0.0', null],
    ['main', null],
    ['', null],
    [127, null],
  ])('is addressed as a server of version %s has it', async (version, page) => {
    expect(await pageBy(reported(version))).toBe(page);
    const asked = ['/api/v1/version', '/api/v1/repos/octo/demo/actions/runs/812'].slice(0, page === null ? 2 : 1);
    expect(seen.map(({ url, headers }) => [url.pathname, headers.authorization])).toEqual(
      asked.map((path) => [path, 'token secret']),
    );
  });

  it.each([
    ['http://gitea.example/octo/demo/actions/runs/812', '812'],
    ['http://gitea.example/octo/demo/actions/runs/7', '7'],
    ['http://gitea.example/octo/demo/actions/runs/8', null],
    ['http://gitea.example/octo/demo/actions/runs/', null],
    [812, null],
  ])('is like the one that a server that was built by hand gives for it: %s', async (html_url, page) => {
    expect(await pageBy(reported('development'), {}, 30_000, { status: 200, json: { id: 812, html_url } })).toBe(page);
  });

  it.each<[string, Reply]>([
    ['refuses', { status: 403, json: { message: 'Only signed in user is allowed to call APIs.' } }],
    ['is down', { status: 502, body: Buffer.from('<html>') }],
    ['answers with a page', { status: 200, body: Buffer.from('<!doctype html>') }],
    ['answers without an end', { status: 200, body: Buffer.alloc(20_000, ' ') }],
    ['breaks off', { status: 200, instead: 'reset' }],
  ])('is not linked where the server %s', async (_, reply) => {
    expect(await pageBy(reply)).toBeNull();
  });

  it('is not linked where the server never answers, and not waited for', async () => {
    expect(await pageBy({ status: 200, instead: 'hang' }, {}, 50)).toBeNull();
  });

  it('is known without asking on GitHub and Forgejo, and the token goes to no other server', async () => {
    expect(await pageBy(reported('1.25.5'), { GITEA_ACTIONS: '' })).toBe('812');
    expect(seen).toEqual([]);
    await server.close();
    expect(await pageBy(reported('1.27.0'), { FORGEJO_ACTIONS: 'true' })).toBe('7');
    expect(seen).toEqual([]);
    await server.close();
    expect(await pageBy(reported('1.27.0'), { GITHUB_SERVER_URL: 'https://gitea.example' })).toBeNull();
    expect(seen).toEqual([]);
  });
});
