// Class: system.
import { expect, it } from '@jest/globals';
import { samplesOf } from '../../../../../../src/parts/explain/observers/profilers/node/cpuprofile.ts';

const node = (id: number, functionName: string, url = '', children: number[] = []) => ({
  id,
  children,
  callFrame: { functionName, url, scriptId: '1', lineNumber: 6, columnNumber: 0 },
});
const nodes = [
  node(1, '(root)', '', [2, 3, 5]),
  node(2, '(idle)'),
  node(3, 'main', 'file:///app/server.js', [4]),
  node(4, '', 'node:fs'),
  node(5, '(garbage collector)'),
];
const window = { startNs: 1_000_000n, endNs: 9_000_000n };
/** Samples at 500, 1,500, 3,000, 5,000 and 8,000 µs. */
const profile = {
  nodes,
  samples: [3, 4, 2, 5, 3],
  timeDeltas: [500, 1000, 1500, 2000, 3000],
  startTime: 0,
  endTime: 20_000,
};

it('each sample stands for the time until the next, inside of the window, and waiting for none', () => {
  const main = { name: 'main (server.js)', library: '/app/server.js' };
  expect(samplesOf(profile, window)).toEqual([
    { tNs: 1_000_000n, weightNs: 500_000, frames: [main] },
    {
      tNs: 1_500_000n,
      weightNs: 1_500_000,
      frames: [main, { name: '(anonymous) (node:fs:7)', library: 'node:internal' }],
    },
    { tNs: 5_000_000n, weightNs: 3_000_000, frames: [{ name: '(garbage collector)', library: 'node:internal' }] },
    { tNs: 8_000_000n, weightNs: 1_000_000, frames: [main] },
  ]);
});

it('a profile that was made up is refused, or does no harm', () => {
  const circle = [node(1, 'a', '', [2]), node(2, 'b', '', [1])];
  const [first] = samplesOf({ ...profile, nodes: circle, samples: [1], timeDeltas: [2000] }, window);
  expect(first?.frames).toHaveLength(200);
  const proto = JSON.parse(
    `{"nodes":[{"id":1,"__proto__":{"x":1},"callFrame":{"functionName":"__proto__","url":"constructor","lineNumber":0}}],"samples":[1],"timeDeltas":[2000],"startTime":0,"endTime":9000}`,
  );
  expect(samplesOf(proto, window)).toMatchObject([{ frames: [{ name: '__proto__ (constructor)' }] }]);
  for (const wrong of [
    null,
    'text',
    { ...profile, samples: [99, 99] },
    { ...profile, samples: ['3'] },
    { ...profile, timeDeltas: [] },
    { ...profile, timeDeltas: [1e300, 0, 0, 0, 0] },
    { ...profile, startTime: -1 },
    { ...profile, endTime: Number.POSITIVE_INFINITY },
    { ...profile, nodes: [null] },
    { ...profile, nodes: [{ id: 1, callFrame: { functionName: {}, url: '' } }] },
    { ...profile, nodes: Array.from({ length: 200_001 }, (_, i) => node(i, 'f')) },
  ]) {
    expect(() => samplesOf(wrong, window)).toThrow('unreadable');
  }
});
