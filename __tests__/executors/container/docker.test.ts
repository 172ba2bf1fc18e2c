// Class: system.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MeasureError } from '../../../src/errors.ts';
import { connectDocker } from '../../../src/executors/container/docker.ts';

let folder: string;
let server: Server | null;
let socket: string;
const given = process.env.DOCKER_HOST;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'joulediff-docker-'));
  socket = join(folder, 'docker.sock');
  process.env.DOCKER_HOST = `unix://${socket}`;
  server = null;
});
afterEach(async () => {
  if (given === undefined) delete process.env.DOCKER_HOST;
  else process.env.DOCKER_HOST = given;
  server?.close();
  await rm(folder, { recursive: true });
});

/** A server that takes connections and says nothing. */
async function listen(): Promise<void> {
  const made = createServer();
  server = made;
  await new Promise<void>((done) => made.listen(socket, done));
}

async function failure(answerMs?: number): Promise<MeasureError> {
  const thrown = await connectDocker(answerMs).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(MeasureError);
  return thrown as MeasureError;
}

describe('connectDocker', () => {
  it('reaches the engine that is running', async () => {
    if (given === undefined) delete process.env.DOCKER_HOST;
    else process.env.DOCKER_HOST = given;
    expect(await (await connectDocker()).version()).toHaveProperty('ApiVersion');
  });

  it('says that nothing is at DOCKER_HOST', async () => {
    const { message, advice } = await failure();
    expect(message).toBe(`Docker's engine isn't running: nothing answers at DOCKER_HOST=unix://${socket}.`);
    expect(advice).toContain('DOCKER_HOST');
  });

  it('says that an engine has gone and left its socket', async () => {
    // A name that is bound and listened at by nobody any more refuses, as a socket of a killed engine does.
    await listen();
    const left = join(folder, 'left.sock');
    const { linkSync } = await import('node:fs');
    linkSync(socket, left);
    await new Promise((done) => server?.close(done));
    server = null;
    expect(existsSync(left)).toBe(true);
    process.env.DOCKER_HOST = `unix://${left}`;
    expect((await failure()).message).toMatch(/engine isn't running/);
  });

  it('names the user who may not, the group to join, and what that means', async () => {
    await listen();
    await chmod(socket, 0);
    await chmod(folder, 0o755);
    const isRoot = process.geteuid?.() === 0;
    // Root may connect anywhere: become somebody else for as long as it takes.
    if (isRoot) process.seteuid?.(65_534);
    try {
      const { message, advice } = await failure();
      expect(message).toMatch(/^The user \S+ may not talk to Docker's engine/);
      expect(advice).toMatch(/usermod -aG docker .* amounts to root/);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it('does not wait for an engine that says nothing', async () => {
    await listen();
    expect((await failure(100)).message).toMatch(/can't be used: no answer within 0.1 s/);
  });

  it.each(['foo', 'tcp://127.0.0.1:1'])('prints no warning of Node about the address %s', (host) => {
    const source = new URL('../../../src/executors/container/docker.ts', import.meta.url);
    const script = `import('${source}').then(({ connectDocker }) => connectDocker()).catch(({ message }) => console.log(message))`;
    const env = { ...process.env, DOCKER_HOST: host };
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { env, encoding: 'utf8' });
    expect(stdout).toContain(`DOCKER_HOST=${host}`);
    expect(stderr).toBe('');
  });

  it('refuses a DOCKER_HOST that is no address', async () => {
    process.env.DOCKER_HOST = 'tcp://a b';
    expect((await failure()).message).toContain('"tcp://a b"');
  });
});
