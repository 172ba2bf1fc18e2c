/** Normal numbers; none is so far off that it would be flagged. */
export function drawn(random: () => number, count: number, mean: number, sd: number): number[] {
  return Array.from({ length: count }, () => mean + sd * Math.max(-2.5, Math.min(2.5, random())));
}

/** Numbers between 0 and 1, the same every time: mulberry32. */
export function uniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 4294967296;
  };
}

/** Standard normal numbers: Box-Muller. */
export function gaussian(seed: number): () => number {
  const random = uniform(seed);
  return () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
}
