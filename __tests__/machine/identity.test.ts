// Class: unit.
import { expect, it } from '@jest/globals';
import { machineName, processorName, systemName, virtualization } from '../../src/machine/identity.ts';
import { LaidMachine } from './laid-files.ts';

const X86 = (flags: string): string => `processor\t: 0\nmodel name\t: AMD EPYC 7763\nflags\t\t: fpu vme ${flags}\n`;
const dmi = (vendor: string, product: string) => ({
  'sys/class/dmi/id/sys_vendor': `${vendor}\n`,
  'sys/class/dmi/id/product_name': `${product}\n`,
});
const FIRST = { 'proc/self/ns/pid': 'link:pid:[4026531836]' };

it('names the machine, its processor and its system, of a server and of a board', () => {
  using server = new LaidMachine({
    ...dmi('Dell Inc.', 'PowerEdge R650'),
    'proc/cpuinfo': X86('avx2'),
    'etc/os-release': 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
  });
  expect([machineName, processorName, systemName].map((name) => name(server.files))).toEqual([
    'Dell Inc. PowerEdge R650',
    'AMD EPYC 7763',
    'Debian GNU/Linux 12 (bookworm)',
  ]);
  using board = new LaidMachine({
    'proc/device-tree/model': 'Raspberry Pi 5 Model B Rev 1.0\0',
    'proc/cpuinfo': 'processor\t: 0\nBogoMIPS\t: 108.00\n\nModel\t\t: Raspberry Pi 5 Model B Rev 1.0\n',
    'usr/lib/os-release': 'PRETTY_NAME=Alpine\n',
  });
  expect([machineName, processorName, systemName].map((name) => name(board.files))).toEqual([
    'Raspberry Pi 5 Model B Rev 1.0',
    'Raspberry Pi 5 Model B Rev 1.0',
    'Alpine',
  ]);
  using nothing = new LaidMachine();
  expect([machineName, processorName, systemName].map((name) => name(nothing.files))).toEqual([null, null, null]);
});

it.each<[string, Readonly<Record<string, string>>, string | null]>([
  ['bare metal', { ...dmi('Dell Inc.', 'R650'), ...FIRST, 'proc/cpuinfo': X86('avx2') }, 'none'],
  ['bare metal of Amazon', { ...dmi('Amazon EC2', 'm5.metal'), ...FIRST, 'proc/cpuinfo': X86('avx2') }, 'none'],
  ['a guest of Amazon', { ...dmi('Amazon EC2', 'm5.large'), ...FIRST, 'proc/cpuinfo': X86('hypervisor') }, 'amazon'],
  ['a guest of KVM', { ...dmi('QEMU', 'Standard PC'), ...FIRST, 'proc/cpuinfo': X86('hypervisor') }, 'kvm'],
  [
    'a guest of nobody known',
    { ...dmi('Acme', 'X'), ...FIRST, 'proc/cpuinfo': X86('hypervisor') },
    'unknown hypervisor',
  ],
  ['a board without flags', { 'proc/cpuinfo': 'Model\t: Raspberry Pi 5\n', ...FIRST }, null],
  [
    'a container on bare metal',
    { 'proc/cpuinfo': X86('avx2'), '.dockerenv': '', 'proc/self/ns/pid': 'link:pid:[4026532000]' },
    'docker container',
  ],
  [
    'a container of Podman in a guest',
    {
      ...dmi('QEMU', 'PC'),
      'proc/cpuinfo': X86('hypervisor'),
      'run/.containerenv': '',
      'proc/self/ns/pid': 'link:pid:[4026532000]',
    },
    'kvm, podman container',
  ],
  ['a guest made from an image of a container', { 'proc/cpuinfo': X86('avx2'), '.dockerenv': '', ...FIRST }, 'none'],
])('tells what %s is', (_, files, expected) => {
  using machine = new LaidMachine(files);
  expect(virtualization(machine.files)).toBe(expected);
});
