import type { Comparison } from '../../findings/comparison.ts';
import { decimalsFor, percentInterval, quantity, signed } from '../../text/numbers.ts';
import { listOf, name, sentences, type Text, text } from '../document/text.ts';
import { comparisonName } from './change.ts';

/** Maximum named runs; of more, the number is given. */
const MAX_RUNS = 3;
/** Maximum comparisons with their own sentence. */
const MAX_REPORTED = 3;

/** Note if the change of the means, which determines costs, disagrees with the headline: by how much, and which runs cause it. Else empty. */
export function tailWords(comparison: Comparison): Text {
  return reported(comparison, []);
}

/** These notes for several comparisons, with the names of their variants. */
export function tailsWords(comparisons: readonly Comparison[]): Text {
  const far = comparisons.filter(hasTail);
  const shown = far.slice(0, MAX_REPORTED).map((c) => reported(c, text` of ${comparisonName(c, comparisons)}`));
  const more = far.length - shown.length;
  return sentences([
    ...shown,
    more === 0 ? [] : [`The means of ${more} more say something else, too: see their statistics.`],
  ]);
}

export function hasTail({ sensitivity }: Comparison): boolean {
  return sensitivity.tail_effect === true;
}

function reported(comparison: Comparison, whose: Text): Text {
  if (!hasTail(comparison)) return [];
  const { percent, tail } = comparison;
  const { of_means: mean } = percent;
  const interval =
    tail.far.length === 0 && tail.means_leave_margin && tail.means_ci90
      ? ` (90 % interval ${percentInterval(tail.means_ci90)} %)`
      : '';
  const shown =
    mean === null ? ' says something else' : ` changed by ${signed(mean, decimalsFor(percent.ci95))} %${interval}`;
  return text`The mean${whose}${shown}: ${runsWords(comparison)}.`;
}

/** `run 14 of container (25.2 kJ) is far from the others`. */
function runsWords({ tail: { far, far_count, means_leave_margin: leaves } }: Comparison): Text {
  if (far.length === 0 && leaves) return ['the means alone are not shown to stay within the margin'];
  if (far.length === 0) return ['a few runs affect it more than the others'];
  const shown = far.slice(0, MAX_RUNS);
  const each = shown.map(
    ({ variant, run, energy_j }) => text`run ${String(run)} of ${name(variant)} (${quantity(energy_j, 'J')})`,
  );
  const more = far_count - shown.length;
  const all = listOf([...each, ...(more === 0 ? [] : [[`${more} more`]])]);
  return text`${all} ${far_count === 1 ? 'is' : 'are'} far from the others`;
}
