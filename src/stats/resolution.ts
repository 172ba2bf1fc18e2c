import { median } from './quantiles.ts';
import { sorted } from './sums.ts';

/** Two samples of readings that come in steps, as what they may have been. */
export interface Resolved {
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** How far the middle of each may lie from what its readings tell, either way. */
  readonly slackX: number;
  readonly slackY: number;
}

/** Closer than this share of their size, two readings are the same but for the arithmetic. */
const SAME = 1e-12;
/** An arm with so many of its readings on one step tells only that its middle is within half a step of it. */
const ON_ONE_STEP = 0.8;

/**
 * Takes the resolution of the readings into account. Equal ones are spread evenly over their step (the least distance of two different
 * readings of both samples, never below half of the reading), as a median of grouped data does; an arm that is nearly all on one step has half
 * a step of slack. Without ties nothing changes. Rank intervals of what comes out keep their coverage with steps up to ten times the scatter;
 * those of the readings themselves hold 81 % at the scatter, 55 % at twice.
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

/** The least distance of two different readings, where some are equal. Null: no two readings are equal, or all are. */
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

/** The same but for the arithmetic. */
function isSame(value: number, gap: number): boolean {
  return gap <= SAME * Math.abs(value);
}

/** In no order; `most`: readings on the step that has most of them. */
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
