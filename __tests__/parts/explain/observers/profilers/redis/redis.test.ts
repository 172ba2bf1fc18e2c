// Class: system.
import { createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { accountOf, redis } from '../../../../../../src/parts/explain/observers/profilers/redis/redis.ts';

const at = (port: number) => ({ host: '127.0.0.1', port, user: null, database: null });

// INFO commandstats of Redis 7.0.15
const TEXT = `# Commandstats
cmdstat_set:calls=100000,usec=108274,usec_per_call=1.08,rejected_calls=0,failed_calls=2
cmdstat_config|get:calls=1,usec=26,usec_per_call=26.00,rejected_calls=1,failed_calls=0
cmdstat___proto__:calls=1,usec=0,usec_per_call=0.00
other line
`.replaceAll('\n', '\r\n');

it('reads what a Redis tells of its commands, and gives what came between two looks', () => {
  const account = accountOf(TEXT);
  expect(Object.fromEntries(account)).toMatchObject({
    SET: { calls: 100_000, seconds: 0.108274, errors: 2 },
    'CONFIG GET': { calls: 1, errors: 1 },
  });
  expect(account.get('__PROTO__')).toEqual({ calls: 1, seconds: 0, errors: 0 });
  const later = accountOf(TEXT.replace('calls=100000,usec=108274', 'calls=100007,usec=108300'));
  expect(redis.between(account, later)).toEqual([
    { kind: 'command', name: 'SET', value: 7, errors: 0 },
    { kind: 'command-time', name: 'SET', value: expect.closeTo(26e-6, 9), errors: null },
  ]);
  // It was set back: nobody knows what was executed.
  expect(() => redis.between(later, account)).toThrow('unreadable');
  expect(() => redis.between(account, accountOf(''))).toThrow('unreadable');
  expect(() => accountOf('cmdstat_set:calls=x,usec=1')).toThrow('unreadable');
});

it.each([
  ['-NOAUTH Authentication required.\r\n', 'refused'],
  ['HTTP/1.1 400 Bad Request\r\n\r\n', 'unreadable'],
  ['x'.repeat(100), 'unreadable'],
  [`$999999999\r\n${'x'.repeat(2 ** 20)}`, 'unreadable'],
  ['$100\r\nshort', 'no-answer'],
  ['', 'no-answer'],
])('takes %j for no answer of a Redis', async (answer, limitation) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(answer);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  try {
    await expect(redis.ask(at(port), new AbortController().signal)).rejects.toMatchObject({ limitation });
  } finally {
    server.close();
  }
  await expect(redis.ask(at(port), new AbortController().signal)).rejects.toMatchObject({ limitation: 'no-answer' });
});

it('asks no longer than until it is stopped', async () => {
  const server = createServer(() => {});
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const stop = new AbortController();
  const asked = redis.ask(at((server.address() as { port: number }).port), stop.signal);
  stop.abort(new Error('stopped'));
  await expect(asked).rejects.toMatchObject({ limitation: 'no-answer' });
  // Nor when it was stopped before.
  const { port } = server.address() as { port: number };
  await expect(redis.ask(at(port), stop.signal)).rejects.toMatchObject({ limitation: 'no-answer' });
  server.close();
});
