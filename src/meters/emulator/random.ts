/** A number in [0, 1) that only depends on its arguments (murmur3's finalizer over both). */
export function randomUnit(seed: number, index: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index | 0, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** A number of the normal distribution with mean 0 and standard deviation 1 that only depends on its arguments (Box-Muller). */
export function gauss(seed: number, index: number): number {
  const u = 1 - randomUnit(seed, 2 * index);
  return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * randomUnit(seed, 2 * index + 1));
}
