// Class: system.
import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createPlain, type RequestListener, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpFault, openHttp } from '../../../src/meters/network/connection.ts';

const servers: Server[] = [];
let folder: string;
let key: string;
let cert: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-tls-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=bmc -keyout ${keyFile} -out ${certFile}`.split(
      ' ',
    ),
    { stdio: 'ignore' },
  );
  [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certFile, 'utf8')];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function plain(listener: RequestListener) {
  const server = createPlain(listener);
  const port = await listening(server);
  return { server, connection: await openHttp({ secure: false, host: '127.0.0.1', port, fingerprint: null }) };
}

const ask = { path: '/x?y=1', deadlineMs: 5000 };

/** The clause of the fault. */
async function fault(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof HttpFault) return error.message;
    throw error;
  }
  throw new Error('there was an answer');
}

describe('a connection to a device', () => {
  it('is kept from question to question, and stamps half-way', async () => {
    let connections = 0;
    const { server, connection } = await plain((request, response) => {
      setTimeout(() => response.end(JSON.stringify({ url: request.url, agent: request.headers.accept })), 40);
    });
    server.on('connection', () => connections++);
    for (let i = 0; i < 5; i++) {
      const before = process.hrtime.bigint();
      const { status, body, tNs } = await connection.get(ask);
      const after = process.hrtime.bigint();
      expect([status, body]).toEqual([200, '{"url":"/x?y=1","agent":"application/json"}']);
      expect(tNs > before && tNs < after - 10_000_000n).toBe(true);
    }
    expect(connections).toBe(1);
    await connection.close();
    await connection.close();
  });

  it('carries bytes as they are, and gives all cookies', async () => {
    const { connection } = await plain(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      response.writeHead(200, { 'set-cookie': ['A=1', 'B=2'] }).end(Buffer.concat(chunks));
    });
    const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, byte) => byte));
    const { body, headers } = await connection.post({ ...ask, encoding: 'latin1', body: bytes });
    expect([body, headers['set-cookie']]).toEqual([bytes, 'A=1; B=2']);
    await connection.close();
  });

  it('follows no redirect', async () => {
    const asked: (string | undefined)[] = [];
    const { connection } = await plain((request, response) => {
      asked.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect((await connection.get(ask)).status).toBe(302);
    expect(asked).toEqual(['/x?y=1']);
    await connection.close();
  });

  it.each<[string, RequestListener, string]>([
    ['too long', (_, response) => response.end('x'.repeat(70_000)), 'its answer is longer than 64 kB'],
    [
      'endless',
      (_, response) => void setInterval(() => response.write('x'.repeat(9000)), 1).unref(),
      'its answer is longer than 64 kB',
    ],
    [
      'cut off',
      (_, response) => {
        response.writeHead(200, { 'content-length': 50 }).write('{"a"');
        setTimeout(() => response.destroy(), 20);
      },
      'the connection broke off',
    ],
    ['never there', () => {}, 'nothing came within 0.3 s'],
    ['dripping', (_, response) => void setInterval(() => response.write(' '), 50).unref(), 'nothing came within 0.3 s'],
  ])('refuses an answer that is %s', async (_, listener, reported) => {
    const { connection } = await plain(listener);
    expect(await fault(connection.get({ ...ask, deadlineMs: reported.startsWith('nothing') ? 300 : 20_000 }))).toBe(
      reported,
    );
    await connection.close();
  });

  it('says what is wrong where nothing or something else listens', async () => {
    const { server, connection } = await plain(() => {});
    server.close();
    expect(await fault(connection.get(ask))).toBe('the connection was refused');
    const tcp = createTcp((socket) => socket.on('error', () => {}).end('220 mail ready\r\n'));
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const { port } = tcp.address() as AddressInfo;
    const other = await openHttp({ secure: false, host: '127.0.0.1', port, fingerprint: null });
    expect(await fault(other.get(ask))).toBe('its answer is not HTTP');
    tcp.close();
    const nowhere = await openHttp({ secure: false, host: 'no-such-host.invalid', port: 80, fingerprint: null });
    expect(await fault(nowhere.get(ask))).toMatch(/^its name (?:is unknown|can’t be looked up)$/);
  });

  it('trusts a certificate of nobody’s only where it is pinned', async () => {
    let asked = 0;
    const server = createSecure({ key, cert }, (_, response) => {
      asked++;
      response.end('{}');
    });
    const port = await listening(server as unknown as Server);
    const origin = { secure: true, host: '127.0.0.1', port };
    const right = createHash('sha256').update(new X509Certificate(cert).raw).digest('hex');
    const open = await openHttp({ ...origin, fingerprint: null });
    expect(await fault(open.get(ask))).toBe('its certificate is not trusted');
    expect(await fault(openHttp({ ...origin, fingerprint: '0'.repeat(64) }))).toBe(
      `its certificate is another one, with the SHA-256 ${right}`,
    );
    expect(asked).toBe(0);
    const pinned = await openHttp({ ...origin, fingerprint: right });
    expect((await pinned.get(ask)).status).toBe(200);
    await pinned.close();
  });
});
