// Class: system.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { HttpFault } from '../../../src/meters/network/connection.ts';
import { framed, openKasa, unframed } from '../../../src/meters/tp-link/kasa-connection.ts';

// Real sockets, with a plug that the test plays.

const QUESTION = '{"emeter":{"get_realtime":{}}}';
const ANSWER = '{"emeter":{"get_realtime":{"power_mw":40000}}}';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** `play`: what the plug does with the first question; it answers the others. Gives the connection, and how often it was made. */
async function plug(play: (socket: Socket) => void) {
  const asked: string[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.push(socket.on('error', () => {}));
    socket.on('data', (bytes) => {
      asked.push(unframed(bytes)?.text ?? '?');
      if (asked.length === 1) play(socket);
      else socket.write(framed(ANSWER));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const connection = await openKasa({ host: '127.0.0.1', port });
  return { connection, asked, connections: () => connections };
}

const ask = { path: QUESTION, deadlineMs: 20_000 };

/** The clause of the fault. */
async function fault(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('there was an answer'),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(HttpFault);
  return error.message;
}

const HIDDEN = framed(ANSWER);

it('hides a question as every client of these plugs does', () => {
  expect(framed(QUESTION).toString('hex')).toBe(
    // XorEncryption of python-kasa 0.12.0.
    '0000001ed0f297fa9feb8efcdee49fbddabfcb94e683e28efa93fe9bb983f885f885',
  );
  expect(unframed(framed('Größe'))).toEqual({ text: 'Größe', length: 11 });
});

it('keeps one socket from question to question, and stamps half-way', async () => {
  const { connection, asked, connections } = await plug((socket) => {
    setTimeout(() => socket.write(HIDDEN), 40);
  });
  const before = process.hrtime.bigint();
  const { body, tNs } = await connection.get(ask);
  expect([body, tNs > before, tNs < process.hrtime.bigint() - 10_000_000n]).toEqual([ANSWER, true, true]);
  for (let i = 0; i < 4; i++) expect((await connection.get(ask)).body).toBe(ANSWER);
  expect([asked, connections()]).toEqual([Array(5).fill(QUESTION), 1]);
  await connection.close();
  await connection.close();
});

it('takes an answer that comes byte by byte', async () => {
  const { connection } = await plug((socket) => {
    for (const [at, byte] of HIDDEN.entries()) setTimeout(() => socket.write(Buffer.from([byte])), at);
  });
  expect((await connection.get(ask)).body).toBe(ANSWER);
  await connection.close();
});

it.each<[string, (socket: Socket) => void, string]>([
  ['closes the connection', (socket) => socket.end(), 'the connection broke off'],
  ['resets it', (socket) => socket.resetAndDestroy(), 'the connection broke off'],
  ['sends half an answer', (socket) => socket.end(HIDDEN.subarray(0, 20)), 'the connection broke off'],
  ['sends half a length', (socket) => socket.end(HIDDEN.subarray(0, 2)), 'the connection broke off'],
  [
    'announces 4 GB',
    (socket) => socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 1])),
    'its answer is longer than 64 kB',
  ],
  ['speaks HTTP', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), 'its answer is longer than 64 kB'],
  ['sends two answers', (socket) => socket.write(Buffer.concat([HIDDEN, HIDDEN])), 'it sends more than it announces'],
  ['says nothing', () => {}, 'nothing came within 0.3 s'],
  ['drips', (socket) => void setInterval(() => socket.write('\0'), 200).unref(), 'nothing came within 0.3 s'],
])('goes on over a new connection after a plug %s', async (_, play, reported) => {
  const { connection, connections } = await plug(play);
  const before = connection.remote;
  expect(await fault(connection.get({ ...ask, deadlineMs: reported.startsWith('nothing') ? 300 : 20_000 }))).toBe(
    reported,
  );
  const failed = connection.remote;
  expect((await connection.get(ask)).body).toBe(ANSWER);
  // By this, its reader knows that another plug may have answered.
  expect(new Set([before, failed, connection.remote]).size).toBe(3);
  expect(connections()).toBe(2);
  await connection.close();
});

it('makes a new connection where the plug has closed the old one between two questions', async () => {
  const { connection, connections } = await plug((socket) => socket.end(HIDDEN));
  await connection.get(ask);
  const before = connection.remote;
  while (sockets.some((socket) => !socket.closed)) await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await connection.get(ask)).body).toBe(ANSWER);
  expect([connections(), connection.remote === before]).toEqual([2, false]);
  await connection.close();
});

it('leaves no socket open where it is closed while it connects', async () => {
  const { connection, asked } = await plug(() => {});
  const asking = fault(connection.get(ask));
  await connection.close();
  expect(await asking).toBe('the connection was closed');
  while (sockets.length === 0 || sockets.some((socket) => !socket.closed)) await new Promise(setImmediate);
  expect(asked).toEqual([]);
});

it('says what is wrong where nothing listens', async () => {
  const { connection } = await plug(() => {});
  servers[0]?.close();
  expect(await fault(connection.get(ask))).toBe('the connection was refused');
  const nowhere = await openKasa({ host: 'no-such-host.invalid', port: 9999 });
  expect(await fault(nowhere.get(ask))).toMatch(/^its name (?:is unknown|can’t be looked up)$/);
});
