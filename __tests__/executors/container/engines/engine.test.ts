// Class: world.
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  asHeld,
  checkHeld,
  checkReached,
  type Engine,
  runtimeFacts,
} from '../../../../src/executors/container/engines/engine.ts';
import { Bench, container, docker, testImage } from '../../bench.ts';
import { OwnEngine } from '../own-engine.ts';

type Info = Parameters<typeof asHeld>[0];

// What rootless engines said of themselves on Debian 12, with control groups of version 1.
const PODMAN = { Rootless: true, CgroupVersion: '1', CgroupDriver: 'cgroupfs', PidsLimit: true, MemoryLimit: true };

describe('limits that an engine takes and does not hold', () => {
  const info = asHeld(PODMAN as unknown as Info, { isPodman: true, version: '4.3.1' });
  const engine = { info, text: 'Podman without root 4.3.1' } as Engine;

  it('are told, and refused where a variant asks for them', () => {
    expect(info).toMatchObject({ PidsLimit: false, MemoryLimit: false });
    expect(() => checkHeld(container('x', {}, { pids: 100, cpuset: '0' }), engine)).toThrow(
      'Podman without root 4.3.1 can’t enforce container limits here, and variant "container" asks for pids and cpuset.',
    );
    expect(() => checkHeld(container('x'), engine)).not.toThrow();
  });

  it('are refused where the kernel lacks a controller, or nobody delegates it to the engine, pins included', () => {
    const lacking = (flag: string) => ({ info: { CgroupDriver: 'systemd', [flag]: false }, text: 'It' }) as never;
    const pinned = container('x', { pin: { cpus: '2', nice: 0 } }, { memoryBytes: 2 ** 29, cpus: 1 });
    for (const [flag, key] of [
      ['MemoryLimit', 'memory'],
      ['CPUSet', 'cpus.workload'],
      ['CPUShares', 'nice.workload'],
      ['CpuCfsQuota', 'cpus'],
    ] as const) {
      expect(() => checkHeld(pinned, lacking(flag))).toThrow(`"container" asks for ${key}.`);
      expect(() => checkHeld(container('x'), lacking(flag))).not.toThrow();
    }
    expect(() => checkHeld(pinned, lacking('PidsLimit'))).not.toThrow();
    // Podman looks for these files where version 1 has them, and enforces the limits all the same.
    const denied = { ...PODMAN, CgroupVersion: '2', CpuCfsQuota: false, CPUSet: false, CPUShares: false };
    const info = asHeld(denied as unknown as Info, { isPodman: true, version: '4.9.3' });
    expect(() => checkHeld(pinned, { info, text: 'Podman 4.9.3' })).not.toThrow();
  });

  it('are held by the same with control groups of version 2, and with root', () => {
    for (const more of [{ CgroupVersion: '2' }, { Rootless: false }]) {
      const held = asHeld({ ...PODMAN, ...more } as unknown as Info, { isPodman: true, version: '4.3.1' });
      expect(held).toMatchObject({ PidsLimit: true, MemoryLimit: true });
    }
  });
});

describe('a client on the host', () => {
  const [docker, podman] = [false, true].map((isPodman) => ({ isPodman, isRootless: true, text: 'It' }));
  const served = (options: Parameters<typeof container>[2]) => container('x', { place: 'host' }, options);

  it('is refused where an engine without root has its service in a network of its own', () => {
    for (const network of ['bridge', 'host']) {
      expect(() => checkReached(served({ network }), docker!)).toThrow('It by published ports only, and variant');
    }
    expect(() => checkReached(served({ network: null }), podman!)).toThrow('"container" publishes none');
  });

  it('is accepted where it reaches the service, or asks for no network', () => {
    checkReached(served({ ports: ['6379:6379'] }), docker!);
    checkReached(served({ network: 'none' }), docker!);
    checkReached(served({ network: 'host' }), podman!);
    checkReached(served({ network: null }), { ...docker!, isRootless: false });
    checkReached(container('x'), docker!);
  });
});

describe('an engine that is named by its socket', () => {
  const IMAGE = `joulediff-test:socket-${process.pid}`;
  const engine = new OwnEngine();
  const runtimeDir = process.env.XDG_RUNTIME_DIR;
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-runtime-'));
  let bench: Bench;
  beforeAll(async () => {
    await testImage(IMAGE);
    await engine.start();
    symlinkSync(engine.host.slice('unix://'.length), join(folder, 'docker.sock'));
  });
  afterAll(async () => {
    if (runtimeDir === undefined) delete process.env.XDG_RUNTIME_DIR;
    else process.env.XDG_RUNTIME_DIR = runtimeDir;
    await docker.getImage(IMAGE).remove();
    await engine.remove();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.close());

  it('runs the image of the usual one, and has neither it nor a container afterwards', async () => {
    const host = engine.host as `unix://${string}`;
    const variant = container(IMAGE, { run: 'echo elsewhere' }, { engine: host });
    expect(await bench.once(variant)).toMatchObject({ exitCode: 0 });
    expect(bench.log()).toBe('elsewhere\n');
    expect(await engine.docker.listImages()).toHaveLength(1);
    await bench.end();
    expect(await engine.docker.listImages()).toEqual([]);
    expect(await engine.docker.listContainers({ all: true })).toEqual([]);
  });

  it('is refused where another answers than the name says', async () => {
    process.env.XDG_RUNTIME_DIR = folder;
    await expect(bench.ready(container(IMAGE, {}, { engine: 'rootless' }))).rejects.toThrow(
      `At ${folder}/docker.sock answers Docker’s engine with root, and engine: rootless is Docker’s engine without root.`,
    );
    const nowhere = `unix://${folder}/nothing.sock` as const;
    await expect(bench.ready(container(IMAGE, {}, { engine: nowhere }))).rejects.toThrow(
      `The engine at ${folder}/nothing.sock can't be used: nothing answers there.`,
    );
  });

  // A stand-in: a real one can't be made to take an image and never say so.
  it('is waited for no longer than the experiment goes on, where it takes an image and says nothing', async () => {
    const answers: Record<string, object> = {
      '/_ping': {},
      '/version': { Version: '20.10.0' },
      '/info': {},
      '/images/json': [],
    };
    const asked = Promise.withResolvers<void>();
    const server = createServer((request, response) => {
      const path = request.url?.split('?')[0] ?? '';
      request.resume();
      if (path === '/images/load') return asked.resolve();
      response.writeHead(path in answers ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answers[path] ?? { message: 'there is none' }));
    });
    const path = join(folder, 'silent.sock');
    await new Promise<void>((done) => server.listen(path, done));
    try {
      const setUp = bench.ready(container(IMAGE, {}, { engine: `unix://${path}` }));
      setUp.catch(() => {});
      await asked.promise;
      bench.stop.abort(new Error('enough'));
      await expect(setUp).rejects.toThrow('enough');
      await bench.end();
    } finally {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  });
});

it('names programs only where it is of this user, or of root', async () => {
  const bench = new Bench();
  try {
    const program = await bench.file('runc', `#!/bin/sh\ntouch ${bench.path('was-run')}; echo runc version 7\n`, 0o755);
    const info = { Runtimes: { other: { path: program } } };
    const reported = (modem: object) =>
      runtimeFacts({ name: 'x', runtime: 'other' }, { info, isPodman: false, docker: { modem } } as unknown as Engine);
    expect(reported({ host: 'elsewhere' })).toEqual({});
    expect(existsSync(bench.path('was-run'))).toBe(false);
    expect(reported({ socketPath: bench.folder })).toEqual({ runtime_version: '7' });
  } finally {
    await bench.close();
  }
});
