// Class: world, truth, alone.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Soak } from './harness.ts';

// A short soak with a fixed seed; npm run soak is the long one.

const reported: string[] = [];
const stopping = new AbortController();
let soak: Soak | undefined;

beforeAll(async () => {
  soak = await Soak.begin({ runs: 20, seed: 3, say: (line) => reported.push(line), signal: stopping.signal });
});
afterAll(async () => {
  stopping.abort();
  await soak?.end();
});

it('leaves nothing, loses nothing, counts nothing twice and measures right, whatever is done to it', async () => {
  const wrong = await soak?.run();
  // The whole story, where it went wrong.
  expect(wrong?.length === 0 ? [] : reported).toEqual([]);
  // Twenty at any moment of an experiment without containers, and those in between.
  expect(Number(/SIGKILL {2,}(\d+)/.exec(reported.join('\n'))?.[1])).toBeGreaterThanOrEqual(20);
}, 240_000);
