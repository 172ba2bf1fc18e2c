import { uniform } from '../report/synthetic/random.ts';

const random = uniform(13);
const anySize = (): number => (random() - 0.5) * 2 ** Math.floor(random() * 900 - 450);
export const samples = Array.from({ length: 300 }, (_, i) => {
  const base = anySize();
  // Of every size together, equal but for the last bit, equal, close together, large and small ones, a step.
  const kinds: (() => number)[] = [
    anySize,
    () => base * (1 + (random() < 0.5 ? 0 : 2 ** -52)),
    () => base,
    () => base * (1 + 0.01 * random()),
    () => (random() < 0.9 ? 250 + random() : base),
    () => (random() < 0.5 ? base : 2 * base),
  ];
  return Array.from({ length: 2 + Math.floor(20 * random()) }, kinds[i % kinds.length] as () => number);
});
/** Those of 300 samples of any size and shape for which it doesn't hold; sorted, with the least and the greatest. */
export const failing = (holds: (values: readonly number[], low: number, high: number) => boolean): number[][] =>
  samples.filter((sample) => {
    const sorted = [...sample].sort((a, b) => a - b);
    return !holds(sorted, sorted[0]!, sorted.at(-1)!);
  });
