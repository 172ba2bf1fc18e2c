// Class: system.
import { describe, expect, it } from '@jest/globals';
import { processesIo, type ServiceUse, usedBetween } from '../../src/executors/service-use.ts';

const use = (more: Partial<ServiceUse>): ServiceUse => ({
  cpuS: 1,
  peakMemoryBytes: 100,
  readBytes: 10,
  writtenBytes: 20,
  network: { id: 'net:[1]', receivedBytes: 5, sentBytes: 7 },
  ...more,
});
const amounts = (before: readonly ServiceUse[], after: readonly ServiceUse[], isClients = false) =>
  Object.fromEntries(
    usedBetween(before, after, isClients).map(({ counter, value, missing }) => [counter, value ?? missing]),
  );

describe('usedBetween', () => {
  it('is the difference of what was counted, and of peaks the sum of those at the end', () => {
    const after = use({ cpuS: 3, peakMemoryBytes: 150, readBytes: 14, writtenBytes: 20 });
    const other = use({ network: { id: 'net:[2]', receivedBytes: 1, sentBytes: 2 } });
    expect(amounts([use({})], [after, other])).toEqual({
      services_cpu_s: 3,
      services_peak_memory_bytes: 250,
      services_read_bytes: 14,
      services_written_bytes: 20,
      services_received_bytes: 1,
      services_sent_bytes: 2,
    });
  });

  it('counts a network once that several share, and the client’s not at all', () => {
    expect(amounts([], [use({}), use({})])).toMatchObject({ services_received_bytes: 5, services_sent_bytes: 7 });
    expect(amounts([], [use({})], true)).toMatchObject({ services_sent_bytes: 'client-network' });
  });

  it('knows no sum of which a part is not known', () => {
    const parts = [use({}), use({ peakMemoryBytes: 'no-memory-group', network: 'shared-network' })];
    expect(amounts([], parts)).toMatchObject({
      services_cpu_s: 2,
      services_peak_memory_bytes: 'no-memory-group',
      services_sent_bytes: 'shared-network',
    });
  });

  it('does not take what has become less for nothing', () => {
    const after = [use({ readBytes: 4, cpuS: 0 }), use({ writtenBytes: 5 })];
    expect(amounts([use({}), use({ readBytes: 0 })], after)).toMatchObject({
      services_read_bytes: 4,
      services_written_bytes: 'gone',
      services_cpu_s: 'gone',
    });
  });
});

it('nobody’s bytes are not none', () => {
  expect(processesIo([])).toEqual({ readBytes: 'gone', writtenBytes: 'gone' });
  // Beyond the highest number that a process can have.
  expect(processesIo([2 ** 23])).toEqual({ readBytes: 'gone', writtenBytes: 'gone' });
});
