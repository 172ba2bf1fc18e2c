// Class: unit.
import { expect, it } from '@jest/globals';
import type Docker from 'dockerode';
import { networkOf } from '../../../src/executors/container/service.ts';

const DOCKER = { isPodman: false, isRootless: false };
const [bridge, host, none] = ['172.17.0.2', '', ''].map((IPAddress, i) => ({
  HostConfig: { NetworkMode: ['bridge', 'host', 'none'][i] },
  NetworkSettings: { Networks: { one: { IPAddress } } },
})) as unknown as Docker.ContainerInspectInfo[];

it.each([
  ['a bridge', bridge, DOCKER, ['172.17.0.2'], false],
  ['the network of the host', host, DOCKER, [], false],
  ['no network', none, DOCKER, [], true],
  // The address is in the engine's own network, where another engine's container may have it here.
  ['a bridge of an engine without root', bridge, { ...DOCKER, isRootless: true }, [], true],
  ['what is the host for an engine without root', host, { ...DOCKER, isRootless: true }, [], true],
  ['the network of the host, by Podman without root', host, { isPodman: true, isRootless: true }, [], false],
])('a service in %s is reached where it really is', (_, found, engine, ips, isApart) => {
  expect(networkOf(found!, engine)).toEqual({ ips, isApart });
});
