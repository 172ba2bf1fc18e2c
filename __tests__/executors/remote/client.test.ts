// Class: world.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { asRemoteClient, type RemoteClient } from '../../../src/executors/remote/client.ts';
import { makeRemoteExecutor } from '../../../src/executors/remote/executor.ts';
import type { Service } from '../../../src/executors/service.ts';
import { RemoteHost } from '../../../src/hosts/host.ts';
import { type SecondMachine, SSHD, secondMachine } from '../../hosts/sshd.ts';
import { Bench, native } from '../bench.ts';

const { signal: never } = new AbortController();

(SSHD === null ? describe.skip : describe)('a client on another machine (needs openssh-server)', () => {
  let load: SecondMachine;
  let bench: Bench;
  beforeAll(() => {
    load = secondMachine();
    load.pretend('/proc/sys/kernel/random/boot_id', 'of-another');
    bench = new Bench();
  });
  afterAll(async () => {
    load[Symbol.dispose]();
    await bench.close();
  });

  const clientOn = (host: RemoteHost, change: Partial<RemoteClient> = {}) =>
    asRemoteClient(makeRemoteExecutor(native(), bench.environment(), host), {
      host,
      serviceHost: '127.0.0.1',
      served: [],
      ...change,
    });

  test('is resumed on the machine that it ran on alone', async () => {
    await using host = await RemoteHost.open(load.address, never, () => {});
    const client = clientOn(host);
    const facts = await client.setup(never);
    expect(await client.setup(never, facts)).toEqual(facts);
    await expect(client.setup(never, { ...facts, client_hardware: '0123456789abcdef' })).rejects.toThrow(
      'The hardware that answers as ssh://sut is not the same as before',
    );
    await expect(client.setup(never, { ...facts, client_machine: '0123456789abcdef' })).rejects.toThrow(
      'Another machine answers as ssh://sut than before.',
    );
  });

  test('is not led to what answers in the place of a service that has not started', async () => {
    await using host = await RemoteHost.open(load.address, never, () => {});
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const service = { name: 'web' } as Service;
    const client = clientOn(host, { served: [{ service, ports: [port], startsInWindow: true }] });
    await expect(client.setup(never)).rejects.toThrow(
      `The service "web" has not started, and something answers ssh://sut at 127.0.0.1, port ${port}: `,
    );
    await new Promise((done) => other.close(done));
    expect(await client.setup(never)).toMatchObject({ client: 'sut' });
  });

  test('is led neither to itself nor to nobody', async () => {
    await using host = await RemoteHost.open(load.address, never, () => {});
    for (const [from, why] of [
      ['127.0.0.1', 'come from 127.0.0.1, which is where each machine finds itself'],
      ['198.18.255.253', 'come from 198.18.255.253, which is not its own address'],
      ['UNKNOWN', 'come from no address'],
    ]) {
      Object.defineProperty(host.connection, 'seenFrom', { value: from, configurable: true });
      await expect(clientOn(host, { serviceHost: null }).setup(never)).rejects.toThrow(why);
    }
  });
});
