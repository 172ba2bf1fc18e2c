// Class: system.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import Docker from 'dockerode';
import { namesLeft } from '../../../src/executors/container/left-by-prepare.ts';

it('names what `prepare` left running, and ends the transfer of a file that is far larger', async () => {
  const end = Promise.withResolvers<void>();
  // An engine whose container holds a file of 5 GB, which it never finishes to send.
  await using server = createServer((_, response) => {
    const header = Buffer.alloc(512);
    header.write('joulediff-left');
    header.write((5e9).toString(8), 124);
    response.on('close', end.resolve).write(header);
    response.write(`redis-server\nredis-server\n${'x\n'.repeat(1000)}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const container = new Docker({ host: '127.0.0.1', port }).getContainer('any');
  expect(await namesLeft(container, '/')).toEqual(['redis-server', 'x']);
  await end.promise;
});
