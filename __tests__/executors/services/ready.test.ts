// Class: system.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import type { MadeService, Service } from '../../../src/executors/service.ts';
import { waitUntilReady } from '../../../src/executors/services/ready.ts';

it('a service that asks for a password is ready with the one of the URL, which is not shown', async () => {
  const right = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
  const hosts: (string | undefined)[] = [];
  const server = createServer(({ headers: { authorization, host }, url }, answer) => {
    hosts.push(host);
    answer.writeHead(authorization === right && url === '/health?full' ? 200 : 401).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const at = (password: string) => `http://me:${password}@localhost:${port}/health?full`;
  const readiness = (url: string) => {
    const ready = { kind: 'http', url, status: 200 } as const;
    const made = { addresses: async () => ['127.0.0.1'] } as unknown as MadeService;
    return waitUntilReady({ ready, readyWithinS: 0.5 } as Service, made, new AbortController().signal);
  };
  try {
    expect(await readiness(at('p%40ss'))).toEqual({ isReady: true });
    expect(await readiness(at('wrong'))).toEqual({
      isReady: false,
      last: `${at('***')} answered with status 401, not 200`,
    });
    expect(new Set(hosts)).toEqual(new Set([`localhost:${port}`]));
  } finally {
    server.close();
  }
});
