/** What no result of an experiment exceeds; whoever sends more wants something else. */
export const MOST = {
  bytes: 8 * 1024 * 1024,
  depth: 24,
  values: 500_000,
  items: 20_000,
  characters: 16_000,
  number: 1e18,
};

/** What is beyond the limits in a JSON value, as a clause; null: nothing. It goes no deeper than it may. */
export function excess(root: unknown): string | null {
  let values = 0;
  const look = (value: unknown, path: string, depth: number): string | null => {
    values++;
    if (values > MOST.values) return `it has more than ${MOST.values} values`;
    if (depth > MOST.depth) return `it is more than ${MOST.depth} levels deep`;
    if (typeof value === 'string') return tooLong(value, path);
    // JSON has no infinite numbers, but 1e999 becomes one.
    if (typeof value === 'number') return Math.abs(value) <= MOST.number ? null : `${path} is a number out of range`;
    if (typeof value !== 'object' || value === null) return null;
    const entries = Object.entries(value);
    if (entries.length > MOST.items) return `${path} has more than ${MOST.items} parts`;
    for (const [key, item] of entries) {
      const wrong =
        tooLong(key, path) ?? look(item, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, depth + 1);
      if (wrong !== null) return wrong;
    }
    return null;
  };
  return look(root, 'findings', 0);
}

function tooLong(text: string, path: string): string | null {
  return text.length <= MOST.characters ? null : `${path} has a text of more than ${MOST.characters} characters`;
}
