import { expect, it } from '@jest/globals';
import { identityOf } from '../../src/meters/registry.ts';

const SOURCE = 'measured';

it.each([
  ['sdm120', { unit: 1, voltageV: 230.1, frequencyHz: 50 }, { frequencyHz: 49.9, voltageV: 228.7, unit: 1 }],
  ['pzem-004t', { unit: 1, voltageV: 230.1, frequencyHz: 50 }, { unit: 1, voltageV: 228.7, frequencyHz: 50.1 }],
  ['mcp39f511', { chip: 'a', lineFrequencyHz: 49.98 }, { chip: 'a', lineFrequencyHz: 50.01 }],
  ['mcp39f511n', { chip: 'a', lineFrequencyHz: 49.98 }, { chip: 'a', lineFrequencyHz: 50.01 }],
])('knows a meter of the type %s again, whatever its mains are', (type, identity, later) => {
  expect(identityOf({ type, source: SOURCE, identity: later })).toBe(identityOf({ type, source: SOURCE, identity }));
});

it.each([
  ['another unit', { type: 'sdm120', source: SOURCE, identity: { unit: 2 } }],
  ['another type', { type: 'pzem-004t', source: SOURCE, identity: { unit: 1 } }],
  ['an emulator', { type: 'sdm120', source: 'emulated', identity: { unit: 1 } }],
] as const)('tells %s apart', (_, other) => {
  expect(identityOf(other)).not.toBe(identityOf({ type: 'sdm120', source: SOURCE, identity: { unit: 1 } }));
});

it('takes all that a meter of no known type says for lasting', () => {
  const of = (voltageV: number) => identityOf({ type: 'other', source: SOURCE, identity: { voltageV } });
  expect(of(1)).not.toBe(of(2));
});
