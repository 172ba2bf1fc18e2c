// Class: world.
import { expect, it } from '@jest/globals';
import { samplesOf } from '../../../../../../src/parts/explain/observers/profilers/py-spy/raw.ts';

// py-spy 0.4.3: record -f raw -F --full-filenames, of Python 3.11
const RAW = `<module> (/srv/my app/work.py:1);main (/srv/my app/work.py:20);<lambda> (/srv/my app/work.py:12) 2
<module> (/srv/my app/work.py:1);dumps (/usr/lib/python3.11/json/__init__.py:183) 1
_find_and_load (<frozen importlib._bootstrap>:1165);run (/usr/lib/python3/dist-packages/attr/_make.py:9) 1
 2
`;

it('gives a sample for each look, functions by name and file, and tells the library of Python from what is installed', () => {
  const samples = samplesOf(RAW, 10_000_000);
  expect(samples.map(({ tNs, weightNs }) => [tNs, weightNs])).toEqual(Array(6).fill([0n, 10_000_000]));
  const own = '/srv/my app/work.py';
  const lambda = [
    { name: '<module> (work.py)', library: own },
    { name: 'main (work.py)', library: own },
    { name: '<lambda> (work.py:12)', library: own },
  ];
  expect(samples.map(({ frames }) => frames)).toEqual([
    lambda,
    lambda,
    [lambda[0], { name: 'dumps (__init__.py)', library: 'python:internal' }],
    [
      { name: '_find_and_load (<frozen importlib._bootstrap>)', library: 'python:internal' },
      { name: 'run (_make.py)', library: '/usr/lib/python3/dist-packages/attr/_make.py' },
    ],
    ...Array(2).fill([{ name: '(native)', library: 'python:internal' }]),
  ]);
});

it.each([
  ['words', 'Traceback (most recent call last):\n', 'unreadable'],
  ['a stack without a count', 'main (work.py:1)\n', 'unreadable'],
  [
    'more functions than a program has',
    Array.from({ length: 600_000 }, (_, i) => `${i} 1\n`).join(''),
    'wrote-too-much',
  ],
  ['more looks than a run has', 'main (work.py:1) 999999999\n', 'wrote-too-much'],
])('%s are no profile', (_, text, limitation) => {
  expect(() => samplesOf(text, 1)).toThrow(expect.objectContaining({ limitation }));
});

it('keeps no more of a stack and of a name than there is room for', () => {
  const [sample] = samplesOf(`${'f;'.repeat(1000)}${'g'.repeat(1000)} 1\n`, 1);
  expect(sample?.frames).toHaveLength(200);
  // The innermost function had the processor.
  expect(sample?.frames.at(-1)?.name).toBe('g'.repeat(300));
  expect(samplesOf(`${'g'.repeat(1000)} 1\n`, 1)[0]?.frames).toEqual([{ name: 'g'.repeat(300), library: null }]);
});

it('a file of nothing but empty lines has no sample', () => {
  expect(samplesOf('\n'.repeat(1_000_000), 1)).toEqual([]);
});
