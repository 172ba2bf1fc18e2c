// Class: system.
import { afterEach, describe, expect, it } from '@jest/globals';
import { download } from '../../src/forge/download.ts';
import { type Reply, type Request, type Server, serve } from '../servers/http.ts';

const limits = { mostBytes: 1000, totalMs: 5000 };
const servers: Server[] = [];
const seen: Request[] = [];

afterEach(async () => {
  seen.length = 0;
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(answer: (request: Request) => Reply): Promise<string> {
  const server = await serve((request) => {
    seen.push(request);
    return answer(request);
  });
  servers.push(server);
  return server.url;
}

const file = (content: string): Reply => ({ status: 200, body: Buffer.from(content) });
const to = (location: string): Reply => ({ status: 302, headers: { location } });

describe('download', () => {
  it('follows to the storage, and sends the token only to the API', async () => {
    const storage = await start(() => file('archive'));
    const api = await start(() => to(`${storage}/blob?sig=x`));
    expect((await download(`${api}/zip`, 'secret', limits)).toString()).toBe('archive');
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['token secret', undefined]);
  });

  it('sends the token nowhere else, even where the API leads back to itself', async () => {
    const api = await start(({ url }) => (url.pathname === '/zip' ? to('/other') : file('archive')));
    await download(`${api}/zip`, 'secret', limits);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['token secret', undefined]);
  });

  it.each<[string, Reply, RegExp]>([
    ['a circle', to('/zip'), /redirected in a circle/],
    ['a file of this machine', to('file:///etc/passwd'), /redirected to file:\/\/\/etc\/passwd/],
    ['no address', to('http://'), /redirected to http:/],
    ['a refusal', { status: 403 }, /answered with status 403/],
    ['a redirect without a place', { status: 302 }, /answered with status 302/],
    ['a file that has gone', { status: 410, json: { message: 'Gone' } }, /answered with status 410/],
    ['more than the limit', file('x'.repeat(1001)), /more than 1000 bytes/],
    ['a broken connection', { status: 200, instead: 'reset' }, /hang up|reset/],
    [
      'less than was told',
      { status: 200, headers: { 'content-length': '90' }, body: Buffer.from('short'), instead: 'break' },
      /connection ended|aborted/,
    ],
  ])('gives %s up, and says so', async (_, reply, why) => {
    const api = await start(() => reply);
    await expect(download(`${api}/zip`, 'secret', limits)).rejects.toThrow(why);
    expect(seen.length).toBeLessThan(6);
  });

  it('ends when the server never does', async () => {
    const api = await start(() => ({ status: 200, instead: 'hang' }));
    await expect(download(`${api}/zip`, 'secret', { ...limits, totalMs: 50 })).rejects.toThrow(/within 0\.05 s/);
  });
});
