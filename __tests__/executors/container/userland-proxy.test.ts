// Class: system.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { networkPath, usesUserlandProxy } from '../../../src/executors/container/userland-proxy.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'joulediff-proxy-'));
  put('proc/1/cmdline', 'init\0');
});
afterEach(() => rmSync(root, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function engine(pid: number, ...words: string[]): void {
  put(`proc/${pid}/cmdline`, ['/usr/bin/dockerd', ...words, ''].join('\0'));
  put(`proc/${pid}/status`, 'Name:\tdockerd\nUid:\t0\t0\t0\t0\n');
}
const asked = (host?: string) => usesUserlandProxy(root, host);

it.each([
  [[], null, true],
  [['--userland-proxy=false'], null, false],
  [['--userland-proxy'], '{ "userland-proxy": false }', true],
  [['-H', 'fd://'], '{ "userland-proxy": false }', false],
  [['-H', 'fd://'], '{ "debug": true }', true],
  [[], 'no JSON', null],
  [['--config-file=/etc/other.json'], '{ "userland-proxy": false }', null],
])('says whether docker-proxy is used: %j %j', (words, configuration, expected) => {
  engine(7, ...words);
  if (configuration !== null) put('etc/docker/daemon.json', configuration);
  expect(asked()).toBe(expected);
  expect(asked('tcp://elsewhere:2376')).toBeNull();
  put('proc/7/status', 'Uid:\t1000\t1000\t1000\t1000\n');
  expect(asked()).toBeNull();
});

it('reads the file that the engine was given, and says nothing where none runs or several differ', () => {
  expect(asked()).toBeNull();
  put('etc/other.json', '{ "userland-proxy": false }');
  engine(7, '--config-file', '/etc/other.json');
  expect(asked()).toBe(false);
  engine(8);
  expect(asked()).toBeNull();
});

it.each([
  ['bridge', 1, { isPodman: true, isRootless: false }, 'bridge of Podman, published ports'],
  ['bridge', 0, { isPodman: true, isRootless: true }, 'bridge of Podman without root'],
  ['bridge', 0, { isPodman: false, isRootless: true }, 'bridge of Docker without root'],
  // It is a network of that engine's own, behind another one.
  ['host', 0, { isPodman: false, isRootless: true }, 'host of Docker without root'],
  ['host', 0, { isPodman: true, isRootless: true }, 'host'],
  ['none', 0, { isPodman: true, isRootless: false }, 'none'],
  ['bridge', 0, null, 'bridge'],
])('tells the networks of two engines apart: %s, %d ports, %j', (network, ports, other, path) => {
  expect(networkPath(network, ports, other)).toBe(path);
});
