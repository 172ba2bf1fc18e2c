import type { Check } from '../../findings/checks.ts';
import { shiftEstimate } from '../../stats/hodges-lehmann.ts';
import { mannWhitney } from '../../stats/mann-whitney.ts';
import { pText } from '../numbers.ts';
import type { CheckedRuns, Differences } from './checked-runs.ts';
import { FALSE_ALARMS, lamp, size } from './lamp.ts';

/** With fewer blocks of either order nothing can be seen. */
const LEAST_EACH = 4;

/**
 * Does it matter who runs first in a block? The differences of blocks with the baseline first against those of the others, by
 * Mann–Whitney's test: which block has which order was drawn by chance, so that they differ by more than chance only if it does.
 */
export function orderEffect({ baseline, differences }: CheckedRuns): Check[] {
  const looked = (differences ?? []).flatMap((of) => compared(of));
  if (looked.length === 0) return [];
  const words = looked
    .filter(({ p }) => p < FALSE_ALARMS / looked.length)
    .map(({ variant, p, later }) => {
      const more = later > 0 ? 'more' : 'less';
      return `Of ${variant} and ${baseline}, the one that ran later in a block used ${size(later)} ${more} for it (Mann–Whitney ${pText(p)}).`;
    });
  return [
    lamp(words, {
      name: 'order effect',
      dark: 'No order effect to be seen.',
      advice:
        'The order is drawn by chance, so that neither variant is favoured, but the interval is wider for it: rest longer before every run.',
    }),
  ];
}

function compared({ variant, blocks }: Differences): { variant: string; p: number; later: number }[] {
  const of = (baselineFirst: boolean): number[] =>
    blocks.filter((b) => b.baselineFirst === baselineFirst).map((b) => b.d);
  const variantLater = of(true);
  const variantEarlier = of(false);
  if (variantLater.length < LEAST_EACH || variantEarlier.length < LEAST_EACH) return [];
  const test = mannWhitney(variantEarlier, variantLater);
  const shift = shiftEstimate(variantEarlier, variantLater);
  // The later run's surcharge stands in both groups, with opposite signs.
  return test && shift ? [{ variant, p: test.p, later: shift.estimate / 2 }] : [];
}
