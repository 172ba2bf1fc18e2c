import { median } from './quantiles.ts';
import { sorted } from './sums.ts';

/** Two samples of quantized readings, with the values spread over their steps. */
export interface Resolved {
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Half-width of the uncertainty of each sample's median that the resolution causes, in the unit of the readings. */
  readonly slackX: number;
  readonly slackY: number;
}

/** Relative difference below which two readings are equal: anything smaller is rounding. */
const SAME = 1e-12;
/** Share of the readings on one step from which the sample's median is only known to within half a step. */
const ON_ONE_STEP = 0.8;

/**
 * Corrects two samples for the resolution of their readings. Equal readings are spread evenly over a step, as for a median of grouped data. The
 * step is the smallest difference of two unequal readings, and never more than the reading. A sample that is nearly all on one step gets a slack of
 * half a step. Samples without ties stay as they are. Rank intervals then keep their coverage with steps up to ten times the scatter; without this
 * correction it is 81 % where the step equals the scatter, and 55 % at twice.
 */
export function resolve(x: readonly number[], y: readonly number[]): Resolved {
  const step = stepOf([...x, ...y]);
  if (step === null) return { x, y, slackX: 0, slackY: 0 };
  const [a, b] = [spread(x, step), spread(y, step)];
  const slack = (most: number, n: number): number => (n > 1 && most >= ON_ONE_STEP * n ? step / 2 : 0);
  return { x: a.values, y: b.values, slackX: slack(a.most, x.length), slackY: slack(b.most, y.length) };
}

/** The slack as a difference of logarithms: half a step on the sample's middle. */
export function logSlack(values: readonly number[], slack: number): number {
  return slack === 0 ? 0 : Math.log1p(slack / median(values));
}

/** The smallest difference of two unequal readings, if some readings are equal. Null: no two readings are equal, or all are. */
export function stepOf(values: readonly number[]): number | null {
  const ascending = sorted(values);
  let step = Number.POSITIVE_INFINITY;
  let ties = false;
  for (let i = 1; i < ascending.length; i++) {
    const gap = (ascending[i] as number) - (ascending[i - 1] as number);
    if (isSame(ascending[i] as number, gap)) ties = true;
    else step = Math.min(step, gap);
  }
  return ties && Number.isFinite(step) ? step : null;
}

/** Whether two readings differ by rounding only; `gap` is their difference. */
function isSame(value: number, gap: number): boolean {
  return gap <= SAME * Math.abs(value);
}

/** Spreads equal readings over the step, ascending. `most`: number of readings on the most frequent step. */
function spread(values: readonly number[], step: number): { values: number[]; most: number } {
  const ascending = sorted(values);
  const out: number[] = [];
  let most = 0;
  for (let from = 0; from < ascending.length; ) {
    const value = ascending[from] as number;
    let to = from + 1;
    while (to < ascending.length && isSame(value, (ascending[to] as number) - value)) to++;
    const count = to - from;
    const width = value > 0 ? Math.min(step, value) : step;
    for (let i = 0; i < count; i++) out.push(value + width * ((i + 0.5) / count - 0.5));
    most = Math.max(most, count);
    from = to;
  }
  return { values: out, most };
}
