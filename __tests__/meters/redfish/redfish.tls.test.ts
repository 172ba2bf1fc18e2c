import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openMeters } from '../../../src/meters/registry.ts';
import { Collected, rejection } from '../collect.ts';
import { PASSWORD, RedfishEmulator, USER } from './emulator.ts';

// The controller on a real socket, with a certificate that it signed itself.

process.env.JOULEDIFF_TEST_BMC = PASSWORD;
const energyJ = (from: bigint, to: bigint) => (210 * Number(to - from)) / 1e9;
const emulator = new RedfishEmulator({ energyJ, originNs: process.hrtime.bigint(), seed: 1, latencyNs: 0n });
let folder: string;
let server: Server;
let name: string;
let fingerprint: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-bmc-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const words = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=bmc'.split(' ');
  execFileSync('openssl', ['req', '-x509', ...words, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' });
  const cert = readFileSync(certFile);
  fingerprint = createHash('sha256').update(new X509Certificate(cert).raw).digest('hex');
  server = createServer({ key: readFileSync(keyFile), cert }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const question = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
    const { status, body, headers: own } = emulator.answer(question, process.hrtime.bigint());
    response.writeHead(status, { 'content-type': 'application/json', ...own }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  name = `redfish:127.0.0.1:${(server.address() as AddressInfo).port}?user=${USER}&password-env=JOULEDIFF_TEST_BMC`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

it('reads over TLS by a pinned certificate, and ends its session when it is stopped', async () => {
  const { meters } = await openMeters([`${name}&fingerprint=${fingerprint}`]);
  const collected = new Collected();
  await meters[0]?.start(collected);
  await collected.until(({ samples }) => samples.length > 0);
  expect(collected.samples[0]?.powerW).toBe(210);
  expect(emulator.sessions).toBe(1);
  await meters[0]?.stop();
  expect([emulator.sessions, emulator.harmed]).toEqual([0, 0]);
});

it('gives its password to nobody with another certificate', async () => {
  const before = emulator.opened;
  const unpinned = await rejection(openMeters([name]));
  expect(unpinned.message).toMatch(/its certificate is not trusted\.$/);
  expect(unpinned.advice).toContain('?fingerprint=');
  const other = await rejection(openMeters([`${name}&fingerprint=${'0'.repeat(64)}`]));
  expect(other.message).toContain(`its certificate is another one, with the SHA-256 ${fingerprint}`);
  expect(emulator.opened).toBe(before);
});
