// Class: world.
import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { cpuProfile } from '../../../../../../src/parts/explain/observers/profilers/go/pprof.ts';

/** Messages of protocol buffers, as a program would write them. */
const varint = (value: bigint): number[] =>
  value < 128n ? [Number(value)] : [Number(value & 127n) + 128, ...varint(value >> 7n)];
const int = (field: number, value: number | bigint): number[] => [field * 8, ...varint(BigInt(value))];
const part = (field: number, content: readonly number[]): number[] => [
  ...varint(BigInt(field * 8 + 2)),
  ...varint(BigInt(content.length)),
  ...content,
];
const text = (of: string): number[] => part(6, [...Buffer.from(of)]);
const packed = (field: number, ...values: number[]): number[] =>
  part(
    field,
    values.flatMap((value) => varint(BigInt(value))),
  );

const STRINGS = ['', 'samples', 'count', 'cpu', 'nanoseconds', 'main.hot', 'main.main', 'main.go'].flatMap(text);
const TYPES = [part(1, [...int(1, 1), ...int(2, 2)]), part(1, [...int(1, 3), ...int(2, 4)])].flat();
const FUNCTIONS = [
  part(5, [...int(1, 1), ...int(2, 5), ...int(4, 7)]),
  part(5, [...int(1, 2), ...int(2, 6), ...int(4, 7)]),
].flat();
// What main.hot is inlined into has no location of its own.
const LOCATIONS = part(4, [...int(1, 9), ...part(4, int(1, 1)), ...part(4, [...int(1, 2), ...int(2, 12)])]);
const SAMPLE = part(2, [...packed(1, 9), ...packed(2, 3, 30_000_000)]);
const LONE = part(2, [...int(1, 77), ...int(2, 1), ...int(2, 10_000_000)]);
const TIMES = [...int(9, 1_795_000_000_000_000_000n), ...int(10, 1_000_000_000)];
const WHOLE = Uint8Array.from([...TYPES, ...SAMPLE, ...LONE, ...LOCATIONS, ...FUNCTIONS, ...STRINGS, ...TIMES]);

it('reads stacks of what was inlined and what was not, their looks and their times, packed or not', async () => {
  const expected = {
    startUnixNs: 1_795_000_000_000_000_000n,
    durationNs: 1_000_000_000n,
    stacks: [
      {
        frames: [
          { name: 'main.main', library: 'main.go' },
          { name: 'main.hot', library: 'main.go' },
        ],
        samples: 3,
        cpuNs: 30_000_000,
      },
      { frames: [{ name: '[unknown]', library: null }], samples: 1, cpuNs: 10_000_000 },
    ],
  };
  expect(await cpuProfile(WHOLE)).toEqual(expected);
  expect(await cpuProfile(gzipSync(WHOLE))).toEqual(expected);
});

it.each([
  ['nothing', Uint8Array.of(), 'unreadable'],
  ['words', Buffer.from('--- contention:\ncycles/second=1\n'), 'unreadable'],
  ['a profile of memory', Uint8Array.from([...part(1, [...int(1, 5), ...int(2, 6)]), ...STRINGS]), 'unreadable'],
  ['half of one', WHOLE.subarray(0, WHOLE.length - 3), 'unreadable'],
  ['half of a packed one', gzipSync(WHOLE).subarray(0, 60), 'unreadable'],
  ['a number without an end', Uint8Array.from([8, ...Array(20).fill(255)]), 'unreadable'],
  ['a length beyond the end', Uint8Array.from([18, 255, 255, 255, 255, 15]), 'unreadable'],
  [
    'more looks than there can be',
    Uint8Array.from([...TYPES, ...STRINGS, ...part(2, [8 * 2, ...varint(2n ** 63n)])]),
    'unreadable',
  ],
  ['what is much when it is unpacked', gzipSync(Buffer.alloc(2_000_000)), 'wrote-too-much'],
])('%s is no profile', async (_, content, limitation) => {
  await expect(cpuProfile(content, 1_000_000)).rejects.toMatchObject({ limitation });
});

/** So many times the same bytes, in a field of its own. */
const many = (field: number, content: readonly number[], times: number): Uint8Array => {
  const one = Uint8Array.from(content);
  const all = new Uint8Array(one.length * times);
  for (let i = 0; i < times; i++) all.set(one, i * one.length);
  const head = [...varint(BigInt(field * 8 + 2)), ...varint(BigInt(all.length))];
  return Buffer.concat([Uint8Array.from(head), all]);
};

it('a place with very many functions is read as fast as it is long', async () => {
  const content = Buffer.concat([WHOLE, many(4, part(4, int(1, 1)), 300_000)]);
  expect((await cpuProfile(content)).stacks).toHaveLength(2);
});

it('what takes few bytes in a file and very many in the memory is more than is read', async () => {
  const numbers = Buffer.concat([WHOLE, many(2, [...part(1, Array(100).fill(1))], 110_000)]);
  await expect(cpuProfile(numbers)).rejects.toMatchObject({ limitation: 'wrote-too-much' });
});
