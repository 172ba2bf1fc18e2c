/** Sorts as in the file, since JavaScript puts keys that look like integers first. What isn't in it comes last. */
export function inOrder<T>(items: readonly T[], nameOf: (item: T) => string, order: readonly string[]): T[] {
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return items.toSorted((a, b) => place(nameOf(a)) - place(nameOf(b)));
}
