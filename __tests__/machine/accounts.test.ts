// Class: unit.
import { expect, it } from '@jest/globals';
import { parseTraffic, stallS } from '../../src/machine/accounts.ts';
import { LaidMachine } from './laid-files.ts';

it('reads how long some and all waited, microseconds as the kernel writes them', () => {
  using machine = new LaidMachine({
    'proc/pressure/io':
      'some avg10=0.00 avg60=0.12 avg300=0.05 total=2500000\nfull avg10=0.00 avg60=0.10 avg300=0.04 total=1000001\n',
    'proc/pressure/cpu': 'some avg10=1.00 avg60=0.00 avg300=0.00 total=7\n',
  });
  expect(stallS('proc/pressure/io', 'some', machine.files)).toBe(2.5);
  expect(stallS('proc/pressure/io', 'full', machine.files)).toBe(1.000001);
  expect(stallS('proc/pressure/cpu', 'full', machine.files)).toBeNull();
  expect(stallS('proc/pressure/memory', 'some', machine.files)).toBeNull();
});

it('sums what was received and sent over the interfaces that count', () => {
  const dev = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 1000 10 0 0 0 0 0 0 1000 10 0 0 0 0 0 0
  eth0: 5000 50 0 0 0 0 0 0 700 7 0 0 0 0 0 0
  eth1:30 3 0 0 0 0 0 0 4 1 0 0 0 0 0 0
`;
  expect(parseTraffic(dev, (name) => name !== 'lo')).toEqual({ receivedBytes: 5030, sentBytes: 704 });
  expect(parseTraffic('', () => true)).toEqual({ receivedBytes: 0, sentBytes: 0 });
});
