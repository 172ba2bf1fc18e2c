// Class: system.
import { expect, it } from '@jest/globals';
import { polling, spread } from '../../../../../src/parts/explain/observers/profilers/polled.ts';
import { ObserverError } from '../../../../../src/parts/explain/observers/tool.ts';

const frames = [{ name: 'main.hot', library: 'main.go' }];
const looks = (count: number) => Array.from({ length: count }, () => ({ tNs: 0n, weightNs: 10, frames }));
const whole = { startNs: 0n, endNs: 10_000n };

it('lays samples evenly over their stretch, and lets each answer stand for the time until the next', () => {
  const reported = [
    { fromNs: 0n, toNs: 1000n, samples: looks(10) },
    { fromNs: 1250n, toNs: 2250n, samples: looks(10) },
  ];
  const samples = spread(reported, whole);
  const times = samples.map(({ tNs }) => Number(tNs)).sort((a, b) => a - b);
  expect(times.slice(0, 10)).toEqual([50, 150, 250, 350, 450, 550, 650, 750, 850, 950]);
  expect(times.slice(10)).toEqual(times.slice(0, 10).map((ns) => ns + 1250));
  expect(samples.map(({ weightNs }) => weightNs)).toEqual([...Array(10).fill(12.5), ...Array(10).fill(10)]);
});

it('keeps the samples of an answer within the window, and mixes those of its stacks', () => {
  const reported = [{ fromNs: 9000n, toNs: 11_000n, samples: looks(4) }];
  expect(spread(reported, whole).every(({ tNs }) => tNs > 9000n && tNs < 10_000n)).toBe(true);
  expect(spread([{ fromNs: 10_000n, toNs: 11_000n, samples: looks(4) }], whole)).toEqual([]);
  const order = spread([{ fromNs: 0n, toNs: 100n, samples: looks(10) }], whole).map(({ tNs }) => Number(tNs));
  expect(order).not.toEqual([...order].sort((a, b) => a - b));
  expect(new Set(order).size).toBe(10);
});

const profile = { kind: 'go', of: 'server', port: 6060 };
const signal = new AbortController().signal;

it('a server that stops answering costs its own samples alone', async () => {
  let asked = 0;
  const poll = async () => {
    if (++asked === 2) throw new ObserverError('no-answer');
    return { fromNs: 0n, toNs: 1n, samples: looks(1) };
  };
  const { around, end } = polling({ poll }, profile, signal);
  await around?.begin(async () => ['127.0.0.1']);
  await new Promise(setImmediate);
  await around?.end();
  await expect(end(whole)).rejects.toMatchObject({ limitation: 'no-answer' });
  expect(asked).toBe(2);
});

it('one that can not be reached is not asked, and one that is waited for is left when the run is cancelled', async () => {
  const never = { poll: async () => Promise.reject(new Error('asked')) };
  const apart = polling(never, profile, signal);
  await apart.around?.begin(async () => null);
  await apart.around?.end();
  await expect(apart.end(whole)).rejects.toMatchObject({ limitation: 'place-not-seen' });
  const poll = (_: unknown, stop: AbortSignal) =>
    new Promise<never>((_, fail) => stop.addEventListener('abort', () => fail(stop.reason)));
  const waiting = polling({ poll }, profile, signal);
  await waiting.around?.begin(async () => []);
  await waiting.cancel();
});

it('a server that tells more than can be kept is asked no more', async () => {
  const one = { fromNs: 0n, toNs: 1n, samples: looks(700_000) };
  let asked = 0;
  const poll = async () => {
    asked++;
    return one;
  };
  const { around, end } = polling({ poll }, profile, signal);
  await around?.begin(async () => ['127.0.0.1']);
  await new Promise(setImmediate);
  expect(asked).toBe(3);
  await around?.end();
  await expect(end(whole)).rejects.toMatchObject({ limitation: 'wrote-too-much' });
});
