// Class: unit.
import { expect, it } from '@jest/globals';
import { KernelLog, kernelMessages } from '../../src/machine/kernel-log.ts';
import { LaidMachine } from './laid-files.ts';

it('takes level and text out of records, whatever stands beside them', () => {
  const records = [
    '6,1234,567890,-;usb 1-1: new device',
    // LOG_DAEMON and a warning: the level is in the lowest three bits.
    '28,1235,567891,c,caller=T1;Out of memory; killed process 7',
    ' SUBSYSTEM=usb',
    '',
    'no record',
  ];
  expect(kernelMessages(records)).toEqual([
    { level: 6, text: 'usb 1-1: new device' },
    { level: 4, text: 'Out of memory; killed process 7' },
  ]);
});

it('gives what came since the last call, and null where the log may not be read', () => {
  using machine = new LaidMachine({ 'dev/kmsg': '3,1,10,-;first\n6,2,20,-;second\n' });
  using log = new KernelLog(machine.files);
  expect(log.newMessages()?.map(({ text }) => text)).toEqual(['first', 'second']);
  expect(log.newMessages()).toEqual([]);
  using nothing = new LaidMachine();
  using none = new KernelLog(nothing.files);
  expect(none.newMessages()).toBeNull();
});
