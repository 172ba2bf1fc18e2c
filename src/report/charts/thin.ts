/** Every k-th item, so that at most `most` are left, and those that `keep` names besides. */
export function thin<T>(items: readonly T[], most: number, keep: (item: T) => boolean = () => false): readonly T[] {
  if (items.length <= most) return items;
  const step = Math.ceil(items.length / most);
  return items.filter((item, i) => i % step === 0 || keep(item));
}

/** A sentence for the caption that tells how many are drawn; empty when all are. `kept` says which were drawn besides. */
export function thinnedNote(drawn: number, all: number, what: string, kept = ''): string {
  return drawn === all ? '' : `Drawn are ${drawn} of ${all} ${what}, evenly chosen${kept}. `;
}
