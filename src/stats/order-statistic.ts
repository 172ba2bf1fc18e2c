const float = new Float64Array(1);
const bits = new BigInt64Array(float.buffer);
const SIGN = 0x8000000000000000n;

/**
 * The k-th smallest (from 1) of a collection known only by counting: `countUpTo(v)` tells how many of its values are ≤ v. Bisection on
 * the doubles themselves, so the answer is exact after at most 64 counts, however many values there are. All values lie in [low, high].
 */
export function kthSmallest(k: number, low: number, high: number, countUpTo: (v: number) => number): number {
  let below = toKey(low) - 1n;
  let at = toKey(high);
  while (at - below > 1n) {
    const middle = (at + below) >> 1n;
    if (countUpTo(fromKey(middle)) >= k) at = middle;
    else below = middle;
  }
  return fromKey(at);
}

/** Doubles in their order as whole numbers; both zeros become 0. */
function toKey(value: number): bigint {
  float[0] = value;
  const raw = bits[0] as bigint;
  return raw < 0n ? -(raw & (SIGN - 1n)) : raw;
}

function fromKey(key: bigint): number {
  bits[0] = key < 0n ? BigInt.asIntN(64, -key | SIGN) : key;
  return float[0] as number;
}
