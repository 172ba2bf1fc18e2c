import type { Interval } from '../findings/numbers.ts';
import { tQuantile } from './student.ts';
import { meanDifference, moments } from './sums.ts';
import { type Estimate, satterthwaite, welchEstimate } from './welch.ts';

/**
 * ln(mean(y)/mean(x)) by the delta method, with the Welch–Satterthwaite df of the relative variances. Null without two values an
 * arm, without variation, or where a mean is not positive.
 */
export function logRatioOfMeans(x: readonly number[], y: readonly number[]): Estimate | null {
  if (x.length < 2 || y.length < 2) return null;
  const a = moments(x);
  const b = moments(y);
  if (!(a.mean > 0 && b.mean > 0)) return null;
  const ofX = (a.variance as number) / a.n / a.mean ** 2;
  const ofY = (b.variance as number) / b.n / b.mean ** 2;
  if (!(ofX + ofY > 0)) return null;
  return {
    value: Math.log1p(meanDifference(x, y) / a.mean),
    se: Math.sqrt(ofX + ofY),
    df: satterthwaite(ofX, a.n, ofY, b.n),
  };
}

/**
 * Fieller's 95 % interval of mean(y)/mean(x) − 1, in percent; `paired`: y_i belongs to x_i. Null where the baseline's mean is not
 * clearly different from zero (the interval would be unbounded) or nothing varies.
 */
export function fiellerPercent(x: readonly number[], y: readonly number[], paired: boolean): Interval | null {
  const n = x.length;
  if (n < 2 || y.length < 2) return null;
  const ofX = (moments(x).variance as number) / n;
  const difference = meanDifference(x, y);
  let ofDifference: number;
  let covariance: number;
  let df: number;
  if (paired) {
    const d = y.map((value, i) => value - (x[i] as number));
    ofDifference = (moments(d).variance as number) / n;
    covariance = computeCovariance(x, d) / n;
    df = n - 1;
  } else {
    const welch = welchEstimate(x, y);
    if (welch === null) return null;
    ofDifference = welch.se ** 2;
    covariance = -ofX;
    df = welch.df;
  }
  if (!(ofDifference > 0)) return null;
  const mean = moments(x).mean;
  const square = tQuantile(0.975, df) ** 2;
  const denominator = mean * mean - square * ofX;
  if (!(denominator > 0)) return null;
  const center = difference * mean - square * covariance;
  const discriminant =
    square * (mean * mean * ofDifference - 2 * mean * difference * covariance + ofX * difference * difference) -
    square * square * (ofX * ofDifference - covariance * covariance);
  if (!(discriminant >= 0)) return null;
  const half = Math.sqrt(discriminant);
  return [(100 * (center - half)) / denominator, (100 * (center + half)) / denominator];
}

function computeCovariance(a: readonly number[], b: readonly number[]): number {
  const meanA = moments(a).mean;
  const meanB = moments(b).mean;
  const products = a.map((value, i) => (value - meanA) * ((b[i] as number) - meanB));
  return products.reduce((total, product) => total + product, 0) / (a.length - 1);
}
