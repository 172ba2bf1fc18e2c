// Class: system.
import { expect, it } from '@jest/globals';
import { blockBytes, socketBytes } from '../../../../../src/parts/explain/observers/perf-bytes/events.ts';

it('what is read from disks and written to them, as perf printed it', () => {
  const disk = (name: string, bytes: number) => ({ name, bytes, device: '254:0' });
  expect(blockBytes('254,0 WS 31756064 + 128 [dd]')).toEqual(disk('disks-written', 65536));
  expect(blockBytes('254,0 RM 19618528 + 8 [sh]')).toEqual(disk('disks-read', 4096));
  // A flush writes nothing by itself, a discard not at all.
  expect(blockBytes('254,0 FWS 0 + 0 [dd]')).toEqual(disk('disks-written', 0));
  expect(blockBytes('254,0 DS 19618528 + 8 [fstrim]')).toBeNull();
  expect(blockBytes('nonsense')).toBeNull();
});

it('what programs sent and received, as perf printed it', () => {
  const reported = (family: string, protocol: string, length: number) =>
    `sk address = 0xffff8881bfd9ae40, family = ${family} protocol = ${protocol}, length = ${length}, error = 0, flags = 0x0`;
  const moved = (name: string, bytes: number) => ({ name, bytes, device: null });
  expect(socketBytes('sent', reported('AF_INET', 'IPPROTO_TCP', 5000))).toEqual(moved('network-sent', 5000));
  expect(socketBytes('received', reported('AF_INET6', '0x11', 33))).toEqual(moved('network-received', 33));
  expect(socketBytes('sent', reported('0x1', '0x0', 77))).toEqual(moved('unix-sent', 77));
  // Netlink asks the kernel, and no network.
  expect(socketBytes('sent', reported('0x10', '0x0', 20))).toBeNull();
});
