import type { Added } from '../contracts/observing.ts';

/** Variables of a process of the kind `of`, with what observers add to them; calls `onAdded` of each observer. */
export function withAdded(
  env: Readonly<Record<string, string>>,
  added: readonly Added[] = [],
  of: Added['of'],
): Record<string, string> {
  const all = { ...env };
  for (const { words, onAdded } of added.filter((one) => one.of === of)) {
    for (const [name, more] of Object.entries(words)) all[name] = all[name] ? `${all[name]} ${more}` : more;
    onAdded();
  }
  return all;
}
