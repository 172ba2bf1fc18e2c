// Class: world.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Service } from '../../src/executors/service.ts';
import { Connection } from '../../src/hosts/connection.ts';
import { foreseeMachine } from '../../src/measure/foresee-machines.ts';
import { native } from '../executors/bench.ts';
import { type SecondMachine, SSHD, secondMachine } from '../hosts/sshd.ts';
import { shortExperiment } from './short-experiment.ts';

const BOOT = '/proc/sys/kernel/random/boot_id';

(SSHD === null ? describe.skip : describe)('a machine beside the measured one (needs openssh-server)', () => {
  let there: SecondMachine;
  beforeAll(() => {
    there = secondMachine();
    there.pretend(BOOT, 'of-another');
  });
  afterAll(() => there[Symbol.dispose]());

  const service = (port: number, address?: string): Service => ({
    name: 'db',
    run: 'true',
    env: {},
    workdir: null,
    place: 'ssh://sut',
    lifetime: 'run',
    ready: { kind: 'tcp', port },
    readyWithinS: 1,
    stop: { signal: 'SIGTERM', withinS: 1 },
    ...(address !== undefined && { address }),
  });
  const look = (services: Service[], serviceHost?: string) =>
    foreseeMachine(
      there.address,
      shortExperiment(there.folder, [native()], {
        services,
        ...(serviceHost !== undefined && { client: { address: there.address, serviceHost } }),
      }),
    );

  test('is looked at, with where each would find the other, and nothing is left there', async () => {
    expect(await look([service(9, 'db.lan')], 'here.lan')).toEqual({
      state: 'ok',
      text: 'ssh gets there, and Python runs; the client would look for the services at here.lan; db would be looked for at db.lan',
    });
    expect(there.left()).toEqual([]);
  });

  test('is looked at as the measured one too, which joulediff may run on under another name', async () => {
    using here = secondMachine();
    const experiment = shortExperiment(here.folder, [native()], { host: here.address });
    expect(await foreseeMachine(here.address, experiment)).toEqual({
      state: 'ok',
      text: 'ssh gets there, and Python runs',
    });
    writeFileSync(join(here.folder, 'known_hosts'), '');
    await expect(foreseeMachine(here.address, experiment)).rejects.toThrow(
      'ssh://sut could not be reached: Host key verification failed.',
    );
  });

  test('is told where its address can’t be known, where something else has its port, and where it is busy', async () => {
    await expect(look([service(9)])).rejects.toThrow('it sees no address at which it was reached');
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      await expect(look([service(port, '127.0.0.1')])).rejects.toThrow(
        `The service "db" was not started: something answers at 127.0.0.1, port ${port} already`,
      );
    } finally {
      other.close();
    }
    const measuring = await Connection.open(there.address, new AbortController().signal);
    try {
      // It is ours, by its owner.
      await expect(look([service(9, 'db.lan')])).rejects.toThrow('already has under another name');
    } finally {
      await measuring.close();
    }
  });
});
