// Class: system.
import { readFileSync } from 'node:fs';
import { hostname, release } from 'node:os';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readConditions } from '../../src/measure/conditions.ts';
import { docker } from '../executors/bench.ts';

const given = process.env.DOCKER_HOST;
afterEach(() => {
  if (given === undefined) delete process.env.DOCKER_HOST;
  else process.env.DOCKER_HOST = given;
});

describe('readConditions', () => {
  it('describes this machine and its engine', async () => {
    const [conditions, info] = await Promise.all([readConditions(), docker.info()]);
    expect(conditions).toMatchObject({
      hostname: hostname(),
      kernel: release(),
      cpu_count: (readFileSync('/proc/cpuinfo', 'utf8').match(/^processor\s*:/gm) ?? []).length,
      node: process.version,
      docker: { version: info.ServerVersion, storage_driver: info.Driver, network_driver: 'bridge' },
    });
    expect(conditions.docker?.cgroup).toMatch(/^v[12] \(\w+\)$/);
    expect(conditions.memory_bytes).toBeGreaterThan(0);
    expect(readFileSync('/etc/os-release', 'utf8')).toContain(conditions.os ?? 'an unknown system');
  });

  it('gives null for what is not there, never an empty text, and can be stored as JSON', async () => {
    const conditions = await readConditions();
    expect(JSON.parse(JSON.stringify(conditions))).toEqual(conditions);
    for (const value of Object.values(conditions)) expect(value).not.toBe('');
  });

  it('goes without an engine', async () => {
    process.env.DOCKER_HOST = 'unix:///nowhere/docker.sock';
    expect(await readConditions()).toMatchObject({ docker: null, hostname: hostname() });
    process.env.DOCKER_HOST = 'tcp://a b';
    expect((await readConditions()).docker).toBeNull();
  });
});
