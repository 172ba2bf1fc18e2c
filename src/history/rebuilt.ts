import type { HistoryRecord, HistoryVariant } from './record.ts';

/** The same reference names another image than before. */
export interface Rebuilt {
  /** Number of the first experiment with the new one. */
  readonly at: number;
  readonly reference: string;
  /** Digests, or ids of images that no registry gave. */
  readonly from: string;
  readonly to: string;
}

/** joulediff builds these itself, anew for every commit: another image is no news. */
const OWN = /^joulediff\//;

/** Images that were rebuilt under the same tag, in a line in the order of measuring. */
export function rebuiltImages(
  line: readonly { readonly at: number; readonly record: HistoryRecord; readonly variant: HistoryVariant }[],
): Rebuilt[] {
  const known = new Map<string, Image>();
  return line.flatMap(({ at, variant }) => {
    const image = imageOf(variant);
    const { reference } = image;
    if (reference === null || OWN.test(reference)) return [];
    const before = known.get(reference);
    known.set(reference, image);
    const change = before === undefined ? null : differenceOf(before, image);
    return change === null ? [] : [{ at, reference, ...change }];
  });
}

/** The image of a container; nothing but null for a variant that has none. */
export interface Image {
  readonly reference: string | null;
  readonly digest: string | null;
  readonly id: string | null;
}

export function imageOf({ facts }: HistoryVariant): Image {
  const text = (name: string): string | null => (typeof facts[name] === 'string' ? facts[name] : null);
  return { reference: text('image'), digest: text('image_digest'), id: text('image_id') };
}

/** An image has a digest once a registry has seen it: one is compared only with another. */
function differenceOf(before: Image, now: Image): { from: string; to: string } | null {
  const [from, to] = before.digest && now.digest ? [before.digest, now.digest] : [before.id, now.id];
  return from && to && from !== to ? { from, to } : null;
}
