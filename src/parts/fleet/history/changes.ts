import type { Interval } from '../../../findings/numbers.ts';
import type { HistoryRecord, HistoryVariant } from './record.ts';

/** An image reference that now refers to another image. */
export interface Rebuilt {
  /** Number of the first experiment with the new one. */
  readonly at: number;
  readonly reference: string;
  /** Digests, or ids of images that no registry gave. */
  readonly from: string;
  readonly to: string;
}

/** Two images measured in the same blocks. */
export interface MeasuredImages {
  /** Number of the first experiment with both. */
  readonly at: number;
  readonly baseline: string;
  readonly variant: string;
  /** As the variants name them: the baseline's, then the other's. */
  readonly references: readonly [string, string];
  /** Digests, or ids of images that no registry gave. */
  readonly from: string;
  readonly to: string;
  readonly percent: number;
  readonly ci95: Interval | null;
}

/** Images that joulediff builds for every commit, so their changes are not reported. */
const OWN = /^joulediff\//;

/** Images that were rebuilt under the same tag, in a line in the order of measuring. */
export function rebuiltImages(line: readonly { readonly at: number; readonly variant: HistoryVariant }[]): Rebuilt[] {
  const known = new Map<string, Image>();
  return line.flatMap(({ at, variant }) =>
    [...imagesOf(variant).values()].flatMap((image) => {
      const { reference } = image;
      const change = differenceOf(known.get(reference), image);
      known.set(reference, image);
      return change === null || OWN.test(reference) ? [] : [{ at, reference, ...change }];
    }),
  );
}

/** What one image costs against another where no other image differs, each pair once, from experiments in the order of measuring. */
export function imagesCompared(records: readonly HistoryRecord[]): MeasuredImages[] {
  const known = new Set<string>();
  return records.flatMap((record, at) =>
    record.comparisons.flatMap(({ baseline, variant, percent, ci95 }): MeasuredImages[] => {
      const of = (name: string) => imagesOf(record.variants.find((each) => each.name === name));
      const [change, another] = imagePairs(of(baseline), of(variant)).flatMap(([from, to]) => {
        const change = differenceOf(from, to);
        return change === null ? [] : [{ references: [from!.reference, to!.reference] as const, ...change }];
      });
      if (percent === null || change === undefined || another !== undefined) return [];
      const key = JSON.stringify([baseline, variant, change.from, change.to]);
      if (known.has(key) || change.references.some((reference) => OWN.test(reference))) return [];
      known.add(key);
      return [{ at, baseline, variant, ...change, percent, ci95 }];
    }),
  );
}

/** Image of a container, or of one service of a Compose project. */
interface Image {
  readonly reference: string;
  readonly digest: string | null;
  readonly id: string | null;
}

/** Images of a variant, by the fact with the reference: `image` of a container, `SERVICE_image` of a Compose project. */
function imagesOf({ facts }: Pick<HistoryVariant, 'facts'> = { facts: {} }): Map<string, Image> {
  const text = (name: string): string | null => (typeof facts[name] === 'string' ? facts[name] : null);
  return new Map(
    Object.keys(facts).flatMap((name): [string, Image][] => {
      const reference = /(?:^|_)image$/.test(name) ? text(name) : null;
      return reference === null ? [] : [[name, { reference, digest: text(`${name}_digest`), id: text(`${name}_id`) }]];
    }),
  );
}

/** Images of two variants that belong together; undefined: only the other variant has one. */
const imagePairs = (before: ReadonlyMap<string, Image>, now: ReadonlyMap<string, Image>) =>
  [...new Set([...before.keys(), ...now.keys()])].map((name) => [before.get(name), now.get(name)] as const);

/** Differing digests, or ids. An image only has a digest if a registry knows it, so digests are only compared with digests. */
function differenceOf(before: Image | undefined, now: Image | undefined): { from: string; to: string } | null {
  const [from, to] = before?.digest && now?.digest ? [before.digest, now.digest] : [before?.id, now?.id];
  return from && to && from !== to ? { from, to } : null;
}

interface Side {
  readonly record: HistoryRecord;
  /** The variants whose images count, in the same order on both sides. */
  readonly variants: readonly HistoryVariant[];
}

/** What differs between two experiments on the same machine besides their commits, as `kernel 6.1.0 → 6.1.1`. */
export function changesBetween(before: Side, now: Side): string[] {
  const rows: [string, string | null, string | null][] = [
    ['joulediff', before.record.joulediff_version, now.record.joulediff_version],
    ['kernel', before.record.conditions.kernel, now.record.conditions.kernel],
    ['governor', before.record.conditions.governor, now.record.conditions.governor],
    ['turbo', onOff(before.record.conditions.turbo), onOff(now.record.conditions.turbo)],
    ['Docker', before.record.conditions.docker, now.record.conditions.docker],
  ];
  const changed = rows
    .filter(([, a, b]) => a !== b)
    .map(([name, a, b]) => `${name} ${a ?? 'unknown'} → ${b ?? 'unknown'}`);
  const images = now.variants.flatMap((variant, i) => {
    const other = before.variants[i];
    return other === undefined ? [] : imagePairs(imagesOf(other), imagesOf(variant)).flatMap(imageChange);
  });
  return [...changed, ...new Set(images)];
}

function imageChange([from, to]: readonly [Image | undefined, Image | undefined]): string[] {
  const isSame = from?.id === to?.id || (from?.digest != null && from.digest === to?.digest);
  const same = from?.reference === to?.reference && isSame;
  return same ? [] : [`image ${shown(from)} → ${shown(to)}`];
}

const onOff = (on: boolean | null): string | null => (on === null ? null : on ? 'on' : 'off');

function shown(image: Image | undefined): string {
  return image === undefined ? 'none' : `${image.reference} (${shortDigest(image.digest ?? image.id ?? 'unknown')})`;
}

/** `repository@sha256:0123…` as its first twelve digits. */
export function shortDigest(digest: string): string {
  return /sha256:([0-9a-f]{12})/.exec(digest)?.[1] ?? digest;
}
