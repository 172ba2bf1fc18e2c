let collator: Intl.Collator | undefined;

/** Order of names with numbers in them: `cpu2` before `cpu10`. One collator serves all: `localeCompare` makes a new one for each comparison, which takes 20 times as long. */
export function inNumberOrder(a: string, b: string): number {
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b);
}
