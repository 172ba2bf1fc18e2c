/**
 * Names made short enough to fit that still differ: what all names have in common at their beginnings and ends goes
 * first, then the middle, and a number tells those apart that are still alike.
 * `shorten` gives the name itself when it fits.
 */
export function distinctLabels(names: readonly string[], shorten: (name: string) => string): string[] {
  const plain = names.map(shorten);
  if (!alike(plain)) return plain;
  const long = names.filter((name, i) => plain[i] !== name);
  const prefix = commonPrefix(long);
  const bared = names.map((name, i) =>
    plain[i] === name ? name : shorten(prefix < 4 ? name : `…${name.slice(prefix)}`),
  );
  const seen = new Map<string, number>();
  return bared.map((label) => {
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return count === 1 ? label : `${label} (${count})`;
  });
}

function alike(labels: readonly string[]): boolean {
  return new Set(labels).size < labels.length;
}

/** Length of the beginning that all names share, back to the last separator in it, so that words stay whole. */
function commonPrefix(names: readonly string[]): number {
  const first = names[0] ?? '';
  let length = 0;
  while (length < first.length && names.every((name) => name[length] === first[length])) length++;
  return Math.max(first.slice(0, length).search(/[^/:.\-_ ]*$/), 0);
}
