import type { Findings } from '../../../../findings/findings.ts';
import { meansText, timeText } from '../../../../report/words/explain.ts';
import { fixed } from '../../../../text/numbers.ts';
import { plural } from '../../../../text/plain.ts';
import type { PageProfile } from '../page-profile.ts';
import { type Box, type Pair, standing } from './layout.ts';

export const FLAME = 'flame-graph';

/** Indices of the baseline and the first other variant; null: not both were sampled. */
export function firstPair({ experiment }: Findings, { variants }: PageProfile): Pair | null {
  const baseline = variants.indexOf(experiment.baseline);
  const variant = variants.findIndex((_, of) => of !== baseline);
  return baseline < 0 || variant < 0 ? null : { baseline, variant };
}

export function descriptionOf({ time, variants }: PageProfile, { baseline, variant }: Pair): string {
  return `An icicle of the functions on the stacks of ${variants[variant]} against ${variants[baseline]}, by ${timeText(time)}. The tables of groups and functions have its numbers.`;
}

/** Caption that explains the graph. */
export function flameCaption({ time, left, folded }: PageProfile): string {
  const of = timeText(time);
  const rest =
    left.functions === 0
      ? 'All that was sampled is in it.'
      : `Not in it: ${plural(left.functions, 'place')} on stacks with less than ${(100 * left.belowShare).toPrecision(2)} % of the ${of} of their phase; their time is in their callers.`;
  const rare =
    folded.stacks === 0
      ? ''
      : ` Of very many stacks, ${fixed(folded.stacks, 0)} are followed only down to where less than ${(100 * folded.belowShare).toPrecision(2)} % of the ${of} of their phase goes.`;
  return `Below each function are those it called; the width of each is its ${of} in the mean run of both variants together. Darker on white, and lighter on black: the variant spent more of it; “new” and “gone”: it was seen in one of them alone. A color is no finding: the tables have what differs clearly. ${rest}${rare}`;
}

/** `2 places in the picture, 1 not in it: 0.060 → 0.480 s`; nested matches are not counted twice. `all`: occurrences of the name in the tree. */
export function foundText(boxes: readonly Box[], found: ReadonlySet<number>, all: number): string {
  const isBelow = ({ parent }: Box): boolean =>
    found.has(parent) || (boxes[parent] !== undefined && isBelow(boxes[parent]));
  const outermost = boxes.filter((box, i) => found.has(i) && !isBelow(box));
  const rest = all > found.size ? `, ${fixed(all - found.size, 0)} not in it` : '';
  const reported = `${plural(found.size, 'place')} in the picture${rest}`;
  if (found.size === 0) return reported;
  const [baseline, variant] = [sumOf(outermost, 'baselineS'), sumOf(outermost, 'variantS')];
  return `${reported}: ${meansText({ baseline, variant, unit: 's' })}`;
}

const sumOf = (boxes: readonly Box[], of: 'baselineS' | 'variantS'): number =>
  boxes.reduce((sum, box) => sum + box[of], 0);

/** `memcpy: 0.060 → 0.480 s, memory copy`. */
export function boxText(box: Box, group: string | null): string {
  const of = standing(box);
  const word = of === 'both' || box.node.group === null ? '' : ` (${of})`;
  return `${box.node.name}${word}: ${meansText({ baseline: box.baselineS, variant: box.variantS, unit: 's' })}${group === null ? '' : `, ${group}`}`;
}
